// The environments of one server and the keys that open them: in a folder, one JSON file each, or only in memory. On a folder that
// has ann.json alone, openStore
//   takes the folder for this process
//   opens ann (stored-environment.ts)
//   creates the default environment from the seed (new-environment.ts)
// Should one of these fail, it gives the folder back and rejects.
import type { Contract } from "../../contract/contract.js";
import type { Clock } from "../../core/domain/clock.js";
import type { Seed } from "../../core/domain/state.js";
import { DEFAULT_ENVIRONMENT, type Environment } from "../../core/state/environment.js";
import { toEnvironment } from "../../core/state/seed-environment.js";
import { toMemory } from "../../core/state/serialized-notification.js";
import type { Report } from "./disk/compactor.js";
import { clearLeftovers, findEnvironments, takeFolder, toFolderError } from "./disk/data-folder.js";
import { createRegistry } from "./environment-registry.js";
import { addNew, createNew, type NewEnvironment } from "./new-environment.js";
import { openStored } from "./stored-environment.js";

export interface StoreOptions {
  contract: Contract;
  /** The folder of the files; undefined keeps everything in memory. */
  folder: string | undefined;
  /** Opens the default environment. */
  apiKey: string;
  /** The seed of the default environment when the folder has none. */
  seed: () => Promise<Seed>;
  /** The present of every environment, unless its own clock is adjusted. */
  clock: Clock;
  /** Receives what a person should know of the files. */
  report?: Report;
}

export interface Store {
  /** Oldest first; those of the folder by name. */
  readonly environments: readonly Environment[];
  /** True if environments can be durable. */
  readonly hasFolder: boolean;
  /** The environment that a key opens. Keys are compared as hashes, in constant time. */
  environmentOf(apiKey: string): Environment | undefined;
  /**
   * Adds an isolated environment, opened by a key of its own.
   * @throws EnvironmentTakenError when name or key is another's, CannotStoreError when the disk fails; then there is none.
   * Error when the name cannot be.
   */
  create(environment: NewEnvironment): Promise<Environment>;
  /**
   * Removes an environment and its file, once what it is writing is written. Its key opens nothing from now on.
   * @throws CannotStoreError when the disk fails; then it stays.
   */
  remove(environment: Environment): Promise<void>;
  /** Waits for what is being written and gives the folder back. */
  close(): Promise<void>;
}

/**
 * Opens the environments of a folder, the default one made from the seed where there is none yet.
 * @throws FolderInUseError, FolderUnusableError or InvalidEnvironmentError; then no environment was changed.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { contract, folder, apiKey, seed, clock, report = () => {} } = options;
  const unlock = folder === undefined ? () => {} : await takeFolder(folder);
  const registry = createRegistry({ apiKey, clock, report });
  const parts = { contract, folder, clock, registry };

  const store: Store = {
    get environments() {
      return registry.environments;
    },
    hasFolder: folder !== undefined,
    environmentOf: registry.environmentOf,
    create: (environment) => createNew(environment, parts),
    remove: (environment) => registry.remove(environment),
    async close() {
      await registry.close();
      unlock();
    },
  };

  try {
    if (folder !== undefined) {
      const names = await findEnvironments(folder);
      for (const name of names) await openStored(name, { contract, folder, report, registry });
      await clearLeftovers(folder, names);
    }
    if (!registry.isNameTaken(DEFAULT_ENVIRONMENT)) {
      const fresh = toEnvironment(await seed(), contract, DEFAULT_ENVIRONMENT, clock.now());
      await addNew(toMemory(fresh), folder !== undefined, parts);
    }
    return store;
  } catch (error) {
    await store.close();
    throw folder === undefined ? error : toFolderError(folder, error);
  }
}
