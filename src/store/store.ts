// The environments of one server and the keys that open them: in a folder, one JSON file each, or only in memory.
import { timingSafeEqual } from "node:crypto";
import type { Contract } from "../contract/contract.js";
import type { Clock } from "../domain/clock.js";
import type { EnvironmentContents, Seed } from "../domain/state.js";
import type { Report } from "./disk/compactor.js";
import { clearLeftovers, findEnvironments, hintFor, takeFolder, toFolderError } from "./disk/data-folder.js";
import { createFiles, finishRemoval, openFiles } from "./disk/environment-files.js";
import { placeOf, toJournalPath } from "./disk/environment-place.js";
import { fileStamp } from "./disk/file-stamp.js";
import { CannotStoreError, type Environment } from "./environment.js";
import { DEFAULT_ENVIRONMENT, ENVIRONMENT_NAME } from "./environment-name.js";
import { InvalidEnvironmentError } from "./format/invalid-environment-error.js";
import { hashKey } from "./key-hash.js";
import { type RunningEnvironment, type RunningParts, startEnvironment } from "./running-environment.js";
import { toInitialContents } from "./seeds/seed-environment.js";

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

/** While it has no environment, it is being created or removed: its name and key are taken, and open nothing. */
interface Entry {
  name: string;
  keyHash: Buffer;
  running?: RunningEnvironment;
}

/**
 * Opens the environments of a folder, the default one made from the seed where there is none yet.
 * @throws FolderInUseError, ForeignLockError, FolderUnusableError or InvalidEnvironmentError; then no environment was changed.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { contract, folder, apiKey, seed, clock, report = () => {} } = options;
  const defaultEntry: Entry = { name: DEFAULT_ENVIRONMENT, keyHash: hashKey(apiKey) };
  let entries = [defaultEntry];
  const unlock = folder === undefined ? () => {} : await takeFolder(folder);

  const start = (parts: Omit<RunningParts, "clock">) => startEnvironment({ ...parts, clock });

  /** Adds the environment that a folder has under a name, if it has. */
  async function open(inFolder: string, name: string): Promise<void> {
    const place = placeOf(contract, inFolder, name);
    const { path } = place;
    const files = await openFiles(place).catch((error: unknown) => {
      throw error instanceof InvalidEnvironmentError ? error.withHint(hintFor(inFolder, name)) : error;
    });
    if (!files) return;
    const { file, stored } = files;
    const { contents, changes, journal, entry } = stored;
    const keyHash = Buffer.from(contents.keyHash ?? "", "hex");
    const other = entries.find((existing) => existing.keyHash.equals(keyHash));
    if (name !== DEFAULT_ENVIRONMENT && other) {
      await file.close();
      const reason =
        other === defaultEntry ? "the server's API key opens it, too" : `the key of ${other.name} opens it, too`;
      const way = other === defaultEntry ? ", or give the server another key" : "";
      throw new InvalidEnvironmentError(path, undefined, reason).withHint(`Move the file out of the folder${way}.`);
    }
    const running = start({ name, contents, changes, disk: { file, report } });
    if (name === DEFAULT_ENVIRONMENT) defaultEntry.running = running;
    else entries.push({ name, keyHash, running });
    if (journal && !entry) report("info", `${path} was edited by hand and has been reloaded.`);
    if (!journal?.tornBytes) return;
    const dropped = `dropped ${journal.tornBytes} bytes of a change that was never acknowledged`;
    report("warn", `${toJournalPath(path)}: ${dropped}.`);
  }

  /** Starts the environment of an entry, with files where it is durable. */
  async function create(entry: Entry, contents: EnvironmentContents, isDurable: boolean): Promise<RunningEnvironment> {
    const { name } = entry;
    if (!isDurable || folder === undefined) return start({ name, contents, disk: undefined });
    const place = placeOf(contract, folder, name);
    const { path } = place;
    await finishRemoval(path);
    if (await fileStamp(path)) throw new EnvironmentTakenError(`The file ${path} already exists`);
    return start({ name, contents, disk: { file: await createFiles(place, contents), report } });
  }

  const store: Store = {
    get environments() {
      return entries.flatMap(({ running }) => running?.environment ?? []);
    },
    hasFolder: folder !== undefined,
    environmentOf(key) {
      const wantedHash = hashKey(key);
      return entries.find(({ keyHash }) => timingSafeEqual(keyHash, wantedHash))?.running?.environment;
    },
    async create({ name, apiKey: key, seed: from, now, environmentId, isDurable }) {
      if (!ENVIRONMENT_NAME.test(name)) throw new Error(`"${name}" cannot be the name of an environment`);
      const entry: Entry = { name, keyHash: hashKey(key) };
      for (const other of entries) {
        if (other.name === name) throw new EnvironmentTakenError(`Environment ${name} already exists`);
        if (other.keyHash.equals(entry.keyHash))
          throw new EnvironmentTakenError(`The key of ${name} opens another environment`);
      }
      const fresh = toInitialContents(from, contract, name, { clock, now });
      const own = { environmentId: environmentId ?? fresh.environmentId, keyHash: entry.keyHash.toString("hex") };
      entries.push(entry);
      try {
        entry.running = await create(entry, { ...fresh, ...own }, isDurable);
        return entry.running.environment;
      } catch (error) {
        entries = entries.filter((other) => other !== entry);
        throw error instanceof Error && "syscall" in error ? new CannotStoreError(error) : error;
      }
    },
    async remove(environment) {
      const entry = entries.find(({ running }) => running?.environment === environment);
      if (!entry?.running) return;
      const { running } = entry;
      delete entry.running;
      try {
        await running.remove();
        entries = entries.filter((other) => other !== entry);
      } catch (error) {
        entry.running = running; // it stays
        throw error;
      }
    },
    async close() {
      for (const { running } of entries) await running?.close();
      unlock();
    },
  };

  try {
    if (folder !== undefined) {
      for (const name of await findEnvironments(folder)) await open(folder, name);
      await clearLeftovers(folder);
    }
    if (!defaultEntry.running) {
      const fresh = toInitialContents(await seed(), contract, DEFAULT_ENVIRONMENT, { clock, now: clock.now() });
      defaultEntry.running = await create(defaultEntry, fresh, true);
    }
    return store;
  } catch (error) {
    await store.close();
    throw folder === undefined ? error : toFolderError(folder, error);
  }
}
