// The environments of one server and the keys that open them: in a folder, one JSON file each, or only in memory. On a folder that
// has ann.json alone, openStore
//   takes the folder for this process
//   opens ann (openStored)
//   makes the default environment from the seed (createNew)
// Should one of these fail, it gives the folder back and rejects.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../../contract/contract.js";
import type { Clock } from "../../core/domain/clock.js";
import type { EnvironmentData, Seed, SerializedNotification } from "../../core/domain/state.js";
import {
  DEFAULT_ENVIRONMENT,
  ENVIRONMENT_NAME,
  type Environment,
  InvalidEnvironmentError,
} from "../../core/state/environment.js";
import { toEnvironment, toInitialContents } from "../../core/state/seed-environment.js";
import { toMemory } from "../../core/state/serialized-notification.js";
import type { Report } from "./disk/compactor.js";
import { clearLeftovers, findEnvironments, hintFor, takeFolder, toFolderError } from "./disk/data-folder.js";
import { createFiles, finishRemoval, openFiles, toJournalPath } from "./disk/environment-files.js";
import { createRegistry, type EnvironmentRegistry, hashKey, toStoreError } from "./environment-registry.js";
import { createFormat } from "./format/parse-environment.js";

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

export interface NewEnvironment {
  name: string;
  /** Opens it. */
  apiKey: string;
  seed: Seed;
  /** The instant that becomes the seed's `asOf`. Default: the present, to a minute. */
  now?: Date;
  /** Default: that of the seed. */
  environmentId?: string;
  /** Kept in the folder. Needs a store that has one. */
  isDurable: boolean;
}

/** A name or key that a new environment cannot have. */
export class EnvironmentTakenError extends Error {
  override name = "EnvironmentTakenError";
}

export interface Store {
  /** The default one, then the oldest first; those of the folder by name. */
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
  const { contract, folder, apiKey, seed, clock } = options;
  const unlock = folder === undefined ? () => {} : await takeFolder(folder);
  const registry = createRegistry(options);

  const store: Store = {
    get environments() {
      return registry.environments;
    },
    hasFolder: folder !== undefined,
    environmentOf: registry.environmentOf,
    create: (environment) => createNew(environment, registry, options),
    remove: registry.remove,
    async close() {
      await registry.close();
      unlock();
    },
  };

  try {
    if (folder !== undefined) {
      const names = await findEnvironments(folder);
      for (const name of names) await openStored(name, folder, registry, options);
      await clearLeftovers(folder, names);
    }
    if (!store.environmentOf(apiKey)) {
      const contents = toMemory(toEnvironment(await seed(), contract, DEFAULT_ENVIRONMENT, clock.now()));
      await registry.add(DEFAULT_ENVIRONMENT, hashKey(apiKey), () => storeNew(contents, folder, contract));
    }
    return store;
  } catch (error) {
    await store.close();
    throw folder === undefined ? error : toFolderError(folder, error);
  }
}

/**
 * Opens an environment that a folder has, if it has. For the name "ann":
 *   ann.json and ann.journal      the contents of the file, with the changes in the journal made on top
 *   a journal that ends torn      the same without the last, half-written line, which was never acknowledged: reported
 *   a journal that removes ann    no environment; what is left of its files goes
 *   a key that bob's file has     an InvalidEnvironmentError that names bob: the key would open either
 */
async function openStored(
  name: string,
  folder: string,
  registry: EnvironmentRegistry,
  { contract, apiKey, report }: StoreOptions,
): Promise<void> {
  const path = join(folder, `${name}.json`);
  const opened = await openFiles(path, createFormat(contract, name, path)).catch((error: unknown) => {
    throw error instanceof InvalidEnvironmentError ? error.withHint(hintFor(folder, name)) : error;
  });
  if (!opened) return;
  const { files, contents, tornBytes } = opened;
  const keyHash = name === DEFAULT_ENVIRONMENT ? hashKey(apiKey) : Buffer.from(contents.keyHash ?? "", "hex");
  const owner = registry.nameOf(keyHash);
  if (owner !== undefined && owner !== name) {
    await files.close();
    const hint = "Move one of the two files out of the folder, or give the server another key.";
    throw new InvalidEnvironmentError(path, undefined, `the key of ${owner} opens it, too`).withHint(hint);
  }
  await registry.add(name, keyHash, async () => opened);
  if (tornBytes === 0) return;
  report?.("warn", `${toJournalPath(path)}: dropped ${tornBytes} bytes of a change that was never acknowledged.`);
}

/**
 * Creates an environment. POST /_control/environments with { "name": "ann", "apiKey": "ann-key", "durable": true }:
 *   check    nobody has the name or the key, and none is just getting it; nobody else gets them from here on
 *   store    ann.json is written and synced, beside an empty ann.journal; not over files that somebody else has put there
 *   open     ann-key opens the environment
 * Should the disk fail, there is neither environment nor file.
 */
async function createNew(
  { name, apiKey, seed, now, environmentId, isDurable }: NewEnvironment,
  registry: EnvironmentRegistry,
  { contract, folder, clock }: StoreOptions,
): Promise<Environment> {
  if (!ENVIRONMENT_NAME.test(name)) throw new Error(`"${name}" cannot be the name of an environment`);
  if (registry.isNameTaken(name)) throw new EnvironmentTakenError(`Environment ${name} already exists`);
  const keyHash = hashKey(apiKey);
  if (registry.nameOf(keyHash)) throw new EnvironmentTakenError(`The key of ${name} opens another environment`);
  const initial = toInitialContents(seed, contract, name, { clock, now });
  const contents = {
    ...initial,
    environmentId: environmentId ?? initial.environmentId,
    keyHash: keyHash.toString("hex"),
  };
  const make = () => storeNew(contents, isDurable ? folder : undefined, contract);
  return registry.add(name, keyHash, make).catch((error: unknown) => {
    throw toStoreError(error);
  });
}

/** Stores a new environment in a folder, or keeps it in memory. */
async function storeNew(
  contents: EnvironmentData<SerializedNotification>,
  folder: string | undefined,
  contract: Contract,
) {
  if (folder === undefined) return { contents };
  const path = join(folder, `${contents.name}.json`);
  await finishRemoval(path);
  const journal = toJournalPath(path);
  const isJournal = (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (existsSync(path)) throw new EnvironmentTakenError(`The file ${path} already exists`);
  if (isJournal) throw new EnvironmentTakenError(`The file ${journal} already exists`);
  return { contents, files: await createFiles(path, createFormat(contract, contents.name, path), contents) };
}
