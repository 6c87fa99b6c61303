// The environments of one server and the keys that open them: in a folder, one JSON file each, or only in memory.
import { createHash, timingSafeEqual } from "node:crypto";
import { copyFile, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Low } from "lowdb";
import type { Contract } from "../contract/contract.js";
import { type Clock, createAdjustableClock } from "../domain/clock.js";
import type { EnvironmentData, Seed } from "../domain/state.js";
import { takeFolder, toFolderError } from "./data-folder.js";
import { DurableJsonFile, removeDurably } from "./durable-json-file.js";
import { type ChangeLog, createEnvironment, type Environment } from "./environment.js";
import { BrokenEnvironmentError, parseEnvironment } from "./environment-file.js";
import { ENVIRONMENT_NAME } from "./environment-schema.js";
import { createEnvironmentState } from "./environment-state.js";
import { toEnvironmentText } from "./environment-text.js";
import { toEnvironment, toRecentEnvironment } from "./seed.js";

export const DEFAULT_ENVIRONMENT = "default";

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
}

export interface NewEnvironment {
  name: string;
  /** Opens it. */
  apiKey: string;
  seed: Seed;
  /** The instant that becomes the seed's `asOf`. Default: the present, to a minute. */
  now?: Date;
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
export async function openStore({ contract, folder, apiKey, seed, clock }: StoreOptions): Promise<Store> {
  const opened: { environment: Environment; keyHash: Buffer }[] = [];
  const creating = new Set<string>();
  const unlock = folder === undefined ? () => {} : await takeFolder(folder);

  async function open(name: string, db: EnvironmentFile | undefined, fresh?: EnvironmentData): Promise<Environment> {
    const data = fresh ?? (await readEnvironment(db));
    if (fresh && db) await writeEnvironment(db, fresh);
    const environment = createEnvironment({
      name,
      state: createEnvironmentState(data),
      log: toChangeLog(db),
      clock: createAdjustableClock(clock),
      isDurable: db !== undefined,
    });
    const keyHash = name === DEFAULT_ENVIRONMENT ? hashOf(apiKey) : Buffer.from(data.keyHash ?? "", "hex");
    opened.push({ environment, keyHash });
    return environment;
  }

  const store: Store = {
    get environments() {
      return opened.map(({ environment }) => environment);
    },
    hasFolder: folder !== undefined,
    environmentOf(key) {
      const hash = hashOf(key);
      return opened.find(({ keyHash }) => timingSafeEqual(keyHash, hash))?.environment;
    },
    async create({ name, apiKey: key, seed: from, now, isDurable }) {
      if (!ENVIRONMENT_NAME.test(name)) throw new Error(`"${name}" cannot be the name of an environment`);
      const isTaken = creating.has(name) || opened.some(({ environment }) => environment.name === name);
      if (isTaken) throw new EnvironmentTakenError(`There already is an environment ${name}`);
      if (store.environmentOf(key)) throw new EnvironmentTakenError(`The key of ${name} opens another environment`);
      const content = now ? toEnvironment(from, contract, name, now) : toRecentEnvironment(from, contract, name, clock);
      const data = { ...content, keyHash: hashOf(key).toString("hex") };
      creating.add(name);
      return open(name, isDurable ? fileOf(contract, folder, name) : undefined, data).finally(() =>
        creating.delete(name),
      );
    },
    async remove(environment) {
      const index = opened.findIndex((candidate) => candidate.environment === environment);
      if (index === -1) return;
      opened.splice(index, 1);
      await environment.drain();
      if (folder !== undefined && environment.isDurable) await removeDurably(pathOf(folder, environment.name));
    },
    async close() {
      await Promise.all(opened.map(({ environment }) => environment.drain()));
      unlock();
    },
  };

  try {
    const names = folder === undefined ? [] : await findEnvironments(folder);
    for (const name of names) await open(name, fileOf(contract, folder, name));
    if (!names.includes(DEFAULT_ENVIRONMENT)) {
      const fresh = toEnvironment(await seed(), contract, DEFAULT_ENVIRONMENT, clock.now());
      await open(DEFAULT_ENVIRONMENT, fileOf(contract, folder, DEFAULT_ENVIRONMENT), fresh);
    }
    return store;
  } catch (error) {
    unlock();
    throw folder === undefined ? error : toFolderError(folder, error);
  }
}

/**
 * Puts the default environment of a folder back to a seed. The file it replaces is kept beside it as `.bak`.
 * @returns the path of the kept file, or undefined when there was none.
 * @throws FolderInUseError while a server runs on the folder, or FolderUnusableError.
 */
export async function resetFolder(
  folder: string,
  seed: Seed,
  contract: Contract,
  now: Date,
): Promise<string | undefined> {
  const unlock = await takeFolder(folder);
  try {
    const path = pathOf(folder, DEFAULT_ENVIRONMENT);
    const kept = `${path}.bak`;
    const isKept = await copyFile(path, kept).then(() => true, ignoreMissing);
    const db = fileOf(contract, folder, DEFAULT_ENVIRONMENT);
    if (db) await writeEnvironment(db, toEnvironment(seed, contract, DEFAULT_ENVIRONMENT, now));
    return isKept ? kept : undefined;
  } catch (error) {
    throw toFolderError(folder, error);
  } finally {
    unlock();
  }
}

type EnvironmentFile = Low<EnvironmentData | null>;

function fileOf(contract: Contract, folder: string | undefined, name: string): EnvironmentFile | undefined {
  if (folder === undefined) return undefined;
  const path = pathOf(folder, name);
  const fromBytes = (bytes: Buffer) => {
    try {
      const data = parseEnvironment(bytes, path, contract);
      assertBelongs(data, name, path);
      return data;
    } catch (error) {
      throw error instanceof BrokenEnvironmentError ? error.withWayOut(wayOutOf(folder, name)) : error;
    }
  };
  const toText = (data: EnvironmentData | null) => toEnvironmentText(data ?? {});
  return new Low<EnvironmentData | null>(
    new DurableJsonFile<EnvironmentData | null>(path, { toText, fromBytes }),
    null,
  );
}

async function readEnvironment(db: EnvironmentFile | undefined): Promise<EnvironmentData> {
  await db?.read();
  if (!db?.data) throw new Error("an environment that was listed is gone");
  return db.data;
}

async function writeEnvironment(db: EnvironmentFile, data: EnvironmentData): Promise<void> {
  db.data = data;
  await db.write();
}

/** A file that was copied or renamed by hand would open with a key of another, or with none. */
function assertBelongs(data: EnvironmentData, name: string, path: string): void {
  if (data.name !== name) throw new BrokenEnvironmentError(path, undefined, `its member "name" must be "${name}"`);
  if (name !== DEFAULT_ENVIRONMENT && data.keyHash === undefined) {
    throw new BrokenEnvironmentError(path, undefined, 'it needs the member "keyHash", or no key opens it');
  }
}

function wayOutOf(folder: string, name: string): string {
  if (name !== DEFAULT_ENVIRONMENT) return "Mend the file, or move it out of the folder.";
  return `Mend the file, or put it back to a seed (it is kept as .bak): notifications-contract reset --data ${folder}`;
}

/** Rewrites the file for each commit. One commit is written at a time (see environment.ts). */
function toChangeLog(db: EnvironmentFile | undefined): ChangeLog {
  return { append: async (_changes, next) => (db ? writeEnvironment(db, next()) : undefined) };
}

/** The names of a folder's environments. What a killed process left half-written is removed. */
async function findEnvironments(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  const halfWritten = files.filter((file) => file.endsWith(".json.tmp"));
  await Promise.all(halfWritten.map((file) => rm(join(folder, file))));
  return files.filter((file) => file.endsWith(".json")).map((file) => basename(file, ".json"));
}

function pathOf(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}

function hashOf(apiKey: string): Buffer {
  return createHash("sha256").update(apiKey).digest();
}

function ignoreMissing(error: NodeJS.ErrnoException): false {
  if (error.code === "ENOENT") return false;
  throw error;
}
