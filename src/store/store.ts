// The environments of one server and the keys that open them: in a folder, one JSON file each, or only in memory.
import { hash, timingSafeEqual } from "node:crypto";
import type { Contract } from "../contract/contract.js";
import { type Clock, createAdjustableClock } from "../domain/clock.js";
import type { EnvironmentContents, Seed } from "../domain/state.js";
import { BrokenEnvironmentError } from "./broken-environment.js";
import { takeFolder, toFolderError } from "./data-folder.js";
import { type ChangeLog, createEnvironment, type Environment } from "./environment.js";
import { toJournalPath } from "./environment-files.js";
import { DEFAULT_ENVIRONMENT, findEnvironments, pathOf, placeOf, wayOutOf } from "./environment-folder.js";
import { ENVIRONMENT_NAME } from "./environment-schema.js";
import { createEnvironmentState, toContents } from "./environment-state.js";
import { keepFile, type Report } from "./file-keeper.js";
import { type JournaledFile, openJournaledFile, removeJournaledFile, writeJournaledFile } from "./journaled-file.js";
import { toEnvironment, toRecentEnvironment } from "./seed.js";

export interface StoreOptions {
  contract: Contract;
  /** Where the files are; undefined keeps everything in memory. */
  folder: string | undefined;
  /** Opens the default environment. */
  apiKey: string;
  /** What the default environment starts from when the folder has none. */
  seed: () => Promise<Seed>;
  /** The present of every environment, unless it is told otherwise. */
  clock: Clock;
  /** Hears what a person should know of the files. */
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
   * Adds an environment of its own, opened by its own key.
   * @throws EnvironmentTakenError when name or key is another's, Error when the name cannot be.
   */
  create(environment: NewEnvironment): Promise<Environment>;
  /** Removes an environment and its file, once what it is writing is written. Its key opens nothing from now on. */
  remove(environment: Environment): Promise<void>;
  /** Waits for what is being written and gives the folder back. */
  close(): Promise<void>;
}

/**
 * Opens the environments of a folder, the default one made from the seed where there is none yet.
 * @throws FolderInUseError, FolderUnusableError or BrokenEnvironmentError; then no environment was changed.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { contract, folder, apiKey, seed, clock, report = () => {} } = options;
  const opened: Opened[] = [];
  const claimed = new Set<string>(); // names and keys of environments that are coming, and names of those that are going
  const unlock = folder === undefined ? () => {} : await takeFolder(folder);

  /** @param file undefined for an environment that lives in memory only. */
  function add(name: string, contents: EnvironmentContents, file: JournaledFile | undefined): Opened {
    const environment = createEnvironment({
      name,
      state: createEnvironmentState(contents),
      log: file ?? IN_MEMORY,
      clock: createAdjustableClock(clock),
      isDurable: file !== undefined,
    });
    const keyHash = name === DEFAULT_ENVIRONMENT ? hashOf(apiKey) : Buffer.from(contents.keyHash ?? "", "hex");
    const stopKeeping =
      file && folder !== undefined ? keepFile(pathOf(folder, name), file, environment, report) : noFile;
    const entry = { environment, keyHash, file, stopKeeping };
    opened.push(entry);
    return entry;
  }

  /** Adds the environment that a folder has under a name, if it has. */
  async function open(inFolder: string, name: string): Promise<void> {
    const place = placeOf(contract, inFolder, name);
    const found = await openJournaledFile(place).catch((error: unknown) => {
      throw error instanceof BrokenEnvironmentError ? error.withWayOut(wayOutOf(inFolder, name)) : error;
    });
    if (!found) return;
    const { contents, changes, file, isForeign, tornBytes } = found;
    add(name, contents, file).environment.state.apply(changes);
    if (isForeign) report("info", `${place.path} was changed by hand, and is what counts now.`);
    if (tornBytes === 0) return;
    report("warn", `${toJournalPath(place.path)}: dropped ${tornBytes} bytes of a change that was never acknowledged.`);
  }

  async function create(name: string, contents: EnvironmentContents, isDurable: boolean): Promise<Environment> {
    const place = isDurable && folder !== undefined ? placeOf(contract, folder, name) : undefined;
    return add(name, contents, place && (await writeJournaledFile(place, contents))).environment;
  }

  const store: Store = {
    get environments() {
      return opened.map(({ environment }) => environment);
    },
    hasFolder: folder !== undefined,
    environmentOf(key) {
      const sent = hashOf(key);
      return opened.find(({ keyHash }) => timingSafeEqual(keyHash, sent))?.environment;
    },
    async create({ name, apiKey: key, seed: from, now, environmentId, isDurable }) {
      if (!ENVIRONMENT_NAME.test(name)) throw new Error(`"${name}" cannot be the name of an environment`);
      const isTaken = claimed.has(name) || opened.some(({ environment }) => environment.name === name);
      if (isTaken) throw new EnvironmentTakenError(`There already is an environment ${name}`);
      const keyHash = hashOf(key).toString("hex");
      const isKnown = claimed.has(`key ${keyHash}`) || store.environmentOf(key) !== undefined;
      if (isKnown) throw new EnvironmentTakenError(`The key of ${name} opens another environment`);
      const content = now ? toEnvironment(from, contract, name, now) : toRecentEnvironment(from, contract, name, clock);
      const contents = toContents({ ...content, environmentId: environmentId ?? content.environmentId, keyHash });
      const claims = [name, `key ${keyHash}`];
      for (const claim of claims) claimed.add(claim);
      return create(name, contents, isDurable).finally(() => {
        for (const claim of claims) claimed.delete(claim);
      });
    },
    async remove(environment) {
      const index = opened.findIndex((candidate) => candidate.environment === environment);
      if (index === -1) return;
      claimed.add(environment.name); // another of that name would have the same files
      const [entry] = opened.splice(index, 1);
      try {
        await environment.drain();
        await entry?.stopKeeping();
        await entry?.file?.close();
        if (folder !== undefined && environment.isDurable) await removeJournaledFile(pathOf(folder, environment.name));
      } finally {
        claimed.delete(environment.name);
      }
    },
    async close() {
      for (const { environment, stopKeeping, file } of opened) {
        await environment.drain();
        await stopKeeping();
        await file?.close();
      }
      unlock();
    },
  };

  try {
    if (folder !== undefined) for (const name of await findEnvironments(folder)) await open(folder, name);
    if (!opened.some(({ environment }) => environment.name === DEFAULT_ENVIRONMENT)) {
      const fresh = toEnvironment(await seed(), contract, DEFAULT_ENVIRONMENT, clock.now());
      await create(DEFAULT_ENVIRONMENT, toContents(fresh), folder !== undefined);
    }
    return store;
  } catch (error) {
    await store.close();
    throw folder === undefined ? error : toFolderError(folder, error);
  }
}

interface Opened {
  environment: Environment;
  keyHash: Buffer;
  file: JournaledFile | undefined;
  stopKeeping: () => Promise<void>;
}

const IN_MEMORY: ChangeLog = { append: async () => {} };
const noFile = async () => {};

function hashOf(apiKey: string): Buffer {
  return hash("sha256", apiKey, "buffer");
}
