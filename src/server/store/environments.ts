// The environments of one server and the keys that open them: in a folder, one JSON file each, or in memory. For a
// folder with ann.json alone, openStore
//   locks the folder for this process
//   opens ann
//   creates the default environment from the seed
// If one of these fails, it unlocks the folder and rejects.

import { hash, timingSafeEqual } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Contract } from "../../contract/contract.js";
import { type Clock, createAdjustableClock } from "../../core/domain/clock.js";
import { type MemoryData, type Seed, toMemory } from "../../core/domain/state.js";
import {
  CannotStoreError,
  createMemoryEnvironment,
  DEFAULT_ENVIRONMENT,
  ENVIRONMENT_NAME,
  type Environment,
  InvalidEnvironmentError,
} from "../../core/state/environment.js";
import { type ChangingState, createEnvironmentState } from "../../core/state/environment-state.js";
import { createFromSeed, createInitialContents } from "../../core/state/seed.js";
import {
  createDurableEnvironment,
  createFiles,
  createFormat,
  type DurableEnvironment,
  EnvironmentFiles,
  finishRemoval,
  journalPathOf,
  type Notify,
  openFiles,
} from "./durable-environment.js";
import { takeFolder, translateFolderError } from "./folder-lock.js";
import { hashKey } from "./key-hash.js";

export interface StoreOptions {
  contract: Contract;
  /** The folder of the files; undefined keeps everything in memory. */
  folder: string | undefined;
  /** Opens the default environment. */
  apiKey: string;
  /** Loads the seed for the default environment, if the folder has none. */
  seed: () => Promise<Seed>;
  /** The clock of every environment, unless its own is adjusted. */
  clock: Clock;
  /** Receives what people should know about the files. */
  report?: Notify;
}

export interface NewEnvironment {
  name: string;
  /** Opens it. */
  apiKey: string;
  seed: Seed;
  /** The instant to which the seed's `asOf` is shifted. Default: the present, to a minute. */
  now?: Date;
  /** Default: the seed's. */
  environmentId?: string;
  /** Stored on disk. Needs a store with a folder. */
  isDurable: boolean;
}

/** The name or key of a new environment belongs to another. */
export class EnvironmentTakenError extends Error {
  override name = "EnvironmentTakenError";
}

export interface Store {
  /** The default one first, then those of the folder by name, then by age. */
  readonly environments: readonly Environment[];
  /** True if environments can be stored on disk. */
  readonly hasFolder: boolean;
  /** Why files lack changes, such as one that somebody changed. */
  readonly problems: readonly string[];
  /** The environment that a key opens. Keys are compared as hashes, in constant time. */
  environmentOf(apiKey: string): Environment | undefined;
  /**
   * Adds an isolated environment with its own key.
   * @throws EnvironmentTakenError, CannotStoreError if the disk fails, or Error if the name is invalid; then there is
   * none.
   */
  create(environment: NewEnvironment): Promise<Environment>;
  /**
   * Removes an environment and its files after its writes in progress. Its key opens nothing from now on.
   * @throws CannotStoreError if the disk fails; then it stays.
   */
  remove(environment: Environment): Promise<void>;
  /** Completes the writes in progress and unlocks the folder. */
  close(): Promise<void>;
}

/**
 * Opens the environments of a folder, and creates the default one from the seed if there is none.
 * @throws FolderInUseError, FolderUnusableError or InvalidEnvironmentError; then no environment was changed.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { contract, folder, apiKey, seed, clock } = options;
  const unlock = folder === undefined ? () => {} : await takeFolder(folder, options.report);
  const registry = createRegistry(options);

  const store: Store = {
    get environments() {
      return registry.environments;
    },
    hasFolder: folder !== undefined,
    get problems() {
      return registry.problems;
    },
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
      await registry.compact();
    }
    if (!store.environmentOf(apiKey)) {
      const contents = toMemory(createFromSeed(await seed(), contract, DEFAULT_ENVIRONMENT, clock.now()));
      await registry.add(DEFAULT_ENVIRONMENT, hashKey(apiKey), () => storeNew(contents, folder, contract));
    }
    return store;
  } catch (error) {
    await store.close();
    throw folder === undefined ? error : translateFolderError(folder, error);
  }
}

/**
 * Opens an environment of a folder. For the name "ann":
 *   ann.json and ann.journal           the file with the changes of the journal applied
 *   a journal with a torn last line    the same without that line, which was never acknowledged; reported
 *   a journal that removes ann         no environment; removes the rest of its files
 *   a key that bob's file has, too     an InvalidEnvironmentError that names bob
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
  const { files, tornBytes } = opened;
  const keyHash =
    name === DEFAULT_ENVIRONMENT ? hashKey(apiKey) : Buffer.from(files.state.toData().keyHash ?? "", "hex");
  const owner = registry.nameOf(keyHash);
  if (owner !== undefined && owner !== name) {
    await files.close();
    const hint = "Move one of the two files out of the folder, or give the server another key.";
    throw new InvalidEnvironmentError(path, undefined, `the key of ${owner} opens it, too`).withHint(hint);
  }
  await registry.add(name, keyHash, async () => files);
  if (tornBytes === 0) return;
  report?.("warn", `${journalPathOf(path)}: dropped ${tornBytes} bytes of a change that was never acknowledged.`);
}

async function findEnvironments(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).flatMap((file) => /^(.+)\.(json|journal)$/.exec(file)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** What to do about a file that cannot be used. */
function hintFor(folder: string, name: string): string {
  if (name !== DEFAULT_ENVIRONMENT) return "Fix the file, or move it out of the folder.";
  return `Fix the file, or restore a seed (the file is kept as .bak): notifications-contract reset --data ${folder}`;
}

/** Removes files that a killed process left half-written. Call it once all environments are open: they are ours. */
async function clearLeftovers(folder: string, environments: readonly string[]): Promise<void> {
  for (const name of environments) await rm(join(folder, `${name}.json.tmp`), { force: true });
}

/**
 * Creates an environment. For POST /_control/environments with { "name": "ann", "apiKey": "ann-key", "durable": true }:
 *   check    name and key are free, and reserved from here on
 *   store    writes and syncs ann.json and an empty ann.journal, but not over existing files
 *   open     ann-key opens the environment
 * If the disk fails, there is neither environment nor file.
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
  const initial = createInitialContents(seed, contract, name, { clock, now });
  const contents = {
    ...initial,
    environmentId: environmentId ?? initial.environmentId,
    keyHash: keyHash.toString("hex"),
  };
  const make = () => storeNew(contents, isDurable ? folder : undefined, contract);
  return registry.add(name, keyHash, make).catch((error: unknown) => {
    throw translateStoreError(error);
  });
}

/** Stores a new environment in a folder, or keeps it in memory. */
async function storeNew(contents: MemoryData, folder: string | undefined, contract: Contract) {
  const state = createEnvironmentState(contents);
  if (folder === undefined) return state;
  const path = join(folder, `${contents.name}.json`);
  await finishRemoval(path);
  const journal = journalPathOf(path);
  const isJournal = (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (existsSync(path)) throw new EnvironmentTakenError(`The file ${path} already exists`);
  if (isJournal) throw new EnvironmentTakenError(`The file ${journal} already exists`);
  return createFiles(path, createFormat(contract, contents.name, path), state);
}

interface Entry {
  name: string;
  keyHash: Buffer;
  open?: Opened;
}

type Opened = { environment: Environment } & Partial<Omit<DurableEnvironment, "environment">>;

type EnvironmentRegistry = ReturnType<typeof createRegistry>;

interface RegistryOptions {
  /** Opens the default environment. */
  apiKey: string;
  clock: Clock;
  report?: Notify | undefined;
}

/**
 * The environments of one server, each with the hash of the key that opens it. An entry reserves name and key, even
 * before its environment is open. While an environment for ann is created:
 *   default   the hash of the server's key   open
 *   ann       the hash of ann-key            not yet: ann-key opens nothing, and a second "ann" is rejected
 * A removal closes the environment at once and drops the entry when the files are removed; if that fails, the
 * environment reopens.
 */
function createRegistry({ apiKey, clock, report = () => {} }: RegistryOptions) {
  const entries: Entry[] = [{ name: DEFAULT_ENVIRONMENT, keyHash: hashKey(apiKey) }];

  const find = (name: string) => entries.find((entry) => entry.name === name);
  // In constant time.
  const findByKey = (keyHash: Buffer) => entries.find((entry) => timingSafeEqual(entry.keyHash, keyHash));
  const drop = (entry: Entry) => entries.splice(entries.indexOf(entry), 1);

  function open(name: string, contents: EnvironmentFiles | ChangingState): Opened {
    const digest = (text: string) => hash("sha256", text, "hex");
    const parts = { name, clock: createAdjustableClock(clock), digest };
    if (contents instanceof EnvironmentFiles) return createDurableEnvironment(parts, contents, report);
    return { environment: createMemoryEnvironment({ ...parts, state: contents }) };
  }

  return {
    /** The default one first, then by age. */
    get environments(): readonly Environment[] {
      return entries.flatMap((entry) => entry.open?.environment ?? []);
    },
    environmentOf: (key: string) => findByKey(hashKey(key))?.open?.environment,
    isNameTaken: (name: string) => find(name) !== undefined,
    /** The name of the environment that a key opens, or will open. */
    nameOf: (keyHash: Buffer) => findByKey(keyHash)?.name,
    /** Adds an environment, in files or in memory, whose name and key are free, and reserves them while it is made. */
    async add(
      name: string,
      keyHash: Buffer,
      make: () => Promise<EnvironmentFiles | ChangingState>,
    ): Promise<Environment> {
      const entry: Entry = find(name) ?? { name, keyHash };
      if (!entries.includes(entry)) entries.push(entry);
      try {
        entry.open = open(name, await make());
        return entry.open.environment;
      } catch (error) {
        drop(entry);
        throw error;
      }
    },
    async remove(environment: Environment): Promise<void> {
      const entry = entries.find((candidate) => candidate.open?.environment === environment);
      if (!entry?.open) return;
      const { open } = entry;
      delete entry.open;
      try {
        await open.remove?.();
        drop(entry);
      } catch (error) {
        entry.open = open;
        throw translateStoreError(error);
      }
    },
    async compact(): Promise<void> {
      for (const { open } of entries) await open?.compact?.();
    },
    /** Why files lack changes. */
    get problems(): string[] {
      return entries.flatMap(({ open }) => open?.problem ?? []);
    },
    async close(): Promise<void> {
      for (const { open } of entries) await open?.close?.();
    },
  };
}

function translateStoreError(error: unknown): unknown {
  return error instanceof Error && "syscall" in error ? new CannotStoreError(error) : error;
}
