// The environments of one server and the keys that open them: in a folder, one JSON file each, or only in memory.
import { timingSafeEqual } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../contract/contract.js";
import { type Clock, createAdjustableClock } from "../domain/clock.js";
import type { EnvironmentData, Seed, SerializedNotification } from "../domain/state.js";
import { attend, type Lifetime, type Report } from "./disk/compactor.js";
import { clearLeftovers, findEnvironments, hintFor, takeFolder, toFolderError } from "./disk/data-folder.js";
import {
  createFiles,
  type EnvironmentFiles,
  finishRemoval,
  openFiles,
  toJournalPath,
} from "./disk/environment-files.js";
import {
  CannotStoreError,
  createEnvironment,
  DEFAULT_ENVIRONMENT,
  ENVIRONMENT_NAME,
  type Environment,
} from "./environment.js";
import { InvalidEnvironmentError } from "./format/invalid-environment-error.js";
import { createFormat } from "./format/parse-environment.js";
import { hashKey } from "./key-hash.js";
import { toEnvironment, toInitialContents } from "./seeds/seed-environment.js";
import { createEnvironmentState } from "./state/environment-state.js";
import { toMemory } from "./state/serialized-notification.js";

export interface StoreOptions {
  contract: Contract;
  /** Where the files are; undefined keeps everything in memory. */
  folder: string | undefined;
  /** Opens the default environment. */
  apiKey: string;
  /** What the default environment starts from when the folder has none. */
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
  constructor(message: string) {
    super(message);
    this.name = "EnvironmentTakenError";
  }
}

export interface Store {
  /** Oldest first; those of the folder by name. */
  readonly environments: readonly Environment[];
  /** Whether environments can be durable. */
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
  const entries: Entry[] = [];
  const claims = new Set<string>(); // names and keys of environments that are being created or removed
  const unlock = folder === undefined ? () => {} : await takeFolder(folder);

  /** Runs a task while no other environment can have a name or key. */
  async function claim<T>(name: string, keyHash: Buffer, task: () => Promise<T>): Promise<T> {
    const own = [name, `key ${keyHash.toString("hex")}`];
    for (const one of own) claims.add(one);
    try {
      return await task();
    } catch (error) {
      throw error instanceof Error && "syscall" in error ? new CannotStoreError(error) : error;
    } finally {
      for (const claim of own) claims.delete(claim);
    }
  }

  function add(name: string, contents: EnvironmentData<SerializedNotification>, files?: EnvironmentFiles): Environment {
    const environment = createEnvironment({
      name,
      state: createEnvironmentState(contents),
      log: files ?? IN_MEMORY,
      clock: createAdjustableClock(clock),
      isDurable: files !== undefined,
    });
    const keyHash = keyHashOf(name, contents);
    const { drain } = environment;
    const lifetime = files ? attend(environment, files, report) : { close: drain, remove: drain };
    entries.push({ environment, keyHash, ...lifetime });
    return environment;
  }

  function keyHashOf(name: string, { keyHash = "" }: EnvironmentData<SerializedNotification>): Buffer {
    return name === DEFAULT_ENVIRONMENT ? hashKey(apiKey) : Buffer.from(keyHash, "hex");
  }

  /** Another environment that a key opens as well. */
  function findNamesake(keyHash: Buffer, name: string): string | undefined {
    if (name !== DEFAULT_ENVIRONMENT && keyHash.equals(hashKey(apiKey))) return DEFAULT_ENVIRONMENT; // opened or not
    return entries.find((entry) => entry.keyHash.equals(keyHash))?.environment.name;
  }

  /** Adds the environment that a folder has under a name, if it has. */
  async function open(inFolder: string, name: string): Promise<void> {
    const path = join(inFolder, `${name}.json`);
    const opened = await openFiles(path, createFormat(contract, name, path)).catch((error: unknown) => {
      throw error instanceof InvalidEnvironmentError ? error.withHint(hintFor(inFolder, name)) : error;
    });
    if (!opened) return;
    const { files, contents, changes, tornBytes } = opened;
    const other = findNamesake(keyHashOf(name, contents), name);
    if (other !== undefined) {
      await files.close();
      const reason =
        other === DEFAULT_ENVIRONMENT ? "the server's API key opens it, too" : `the key of ${other} opens it, too`;
      const hint = `Move the file out of the folder${other === DEFAULT_ENVIRONMENT ? ", or give the server another key" : ""}.`;
      throw new InvalidEnvironmentError(path, undefined, reason).withHint(hint);
    }
    add(name, contents, files).state.apply(changes);
    if (tornBytes === 0) return;
    const dropped = `dropped ${tornBytes} bytes of a change that was never acknowledged`;
    report("warn", `${toJournalPath(path)}: ${dropped}.`);
  }

  async function create(
    name: string,
    contents: EnvironmentData<SerializedNotification>,
    isDurable: boolean,
  ): Promise<Environment> {
    if (!isDurable || folder === undefined) return add(name, contents);
    const path = join(folder, `${name}.json`);
    await finishRemoval(path);
    const journal = toJournalPath(path);
    const isJournal = (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > 0;
    if (existsSync(path)) throw new EnvironmentTakenError(`The file ${path} already exists`);
    if (isJournal) throw new EnvironmentTakenError(`The file ${journal} already exists`);
    return add(name, contents, await createFiles(path, createFormat(contract, name, path), contents));
  }

  const store: Store = {
    get environments() {
      return entries.map(({ environment }) => environment);
    },
    hasFolder: folder !== undefined,
    environmentOf(key) {
      const wantedHash = hashKey(key);
      return entries.find(({ keyHash }) => timingSafeEqual(keyHash, wantedHash))?.environment;
    },
    async create({ name, apiKey: key, seed: from, now, environmentId, isDurable }) {
      if (!ENVIRONMENT_NAME.test(name)) throw new Error(`"${name}" cannot be the name of an environment`);
      const isTaken = claims.has(name) || entries.some(({ environment }) => environment.name === name);
      if (isTaken) throw new EnvironmentTakenError(`Environment ${name} already exists`);
      const keyHash = hashKey(key);
      const isKeyTaken = claims.has(`key ${keyHash.toString("hex")}`) || store.environmentOf(key) !== undefined;
      if (isKeyTaken) throw new EnvironmentTakenError(`The key of ${name} opens another environment`);
      const fresh = toInitialContents(from, contract, name, { clock, now });
      const own = { environmentId: environmentId ?? fresh.environmentId, keyHash: keyHash.toString("hex") };
      return claim(name, keyHash, () => create(name, { ...fresh, ...own }, isDurable));
    },
    async remove(environment) {
      const index = entries.findIndex((entry) => entry.environment === environment);
      if (index === -1) return;
      const [entry] = entries.splice(index, 1) as [Entry];
      await claim(environment.name, entry.keyHash, entry.remove).catch((error: unknown) => {
        entries.splice(index, 0, entry); // it stays
        throw error;
      });
    },
    async close() {
      for (const entry of entries) await entry.close();
      unlock();
    },
  };

  try {
    if (folder !== undefined) {
      const names = await findEnvironments(folder);
      for (const name of names) await open(folder, name);
      await clearLeftovers(folder, names);
    }
    if (!entries.some(({ environment }) => environment.name === DEFAULT_ENVIRONMENT)) {
      const fresh = toEnvironment(await seed(), contract, DEFAULT_ENVIRONMENT, clock.now());
      await create(DEFAULT_ENVIRONMENT, toMemory(fresh), folder !== undefined);
    }
    return store;
  } catch (error) {
    await store.close();
    throw folder === undefined ? error : toFolderError(folder, error);
  }
}

interface Entry extends Lifetime {
  environment: Environment;
  keyHash: Buffer;
}

const IN_MEMORY = { append: async () => {} };
