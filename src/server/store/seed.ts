// Seeds: committed fixtures that an environment starts from, and the server's own, held or read again. What is made of them is in
// seed-environment.ts.
import { access, constants } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Contract } from "../../contract/contract.js";
import { readRegularFile } from "../../contract/regular-file.js";
import { openWatchedFile, type WatchedFile } from "../../contract/watched-file.js";
import type { Seed } from "../../core/domain/state.js";
import { InvalidEnvironmentError } from "../../core/state/environment.js";
import { parseEnvironment } from "./format/parse-environment.js";

/** The seeds of this package, by name. */
export const SEED_NAMES = ["demo", "empty"] as const;

/**
 * Reads a seed: one of ours by name, or a file.
 * @throws InvalidEnvironmentError when it is not a valid seed.
 */
export async function loadSeed(nameOrPath: string, contract: Contract): Promise<Seed> {
  const path = toSeedPath(nameOrPath);
  return toSeed(await readSeed(path), path, contract);
}

/** The file of one of our seeds; any other text is a path itself. */
export function toSeedPath(nameOrPath: string): string {
  const isName = (SEED_NAMES as readonly string[]).includes(nameOrPath);
  return isName ? fileURLToPath(new URL(`../../../data/seeds/${nameOrPath}.json`, import.meta.url)) : nameOrPath;
}

/**
 * The seed in a text; `path` is how errors name it.
 * @throws InvalidEnvironmentError when it is not a valid seed.
 */
export function toSeed(bytes: Buffer, path: string, contract: Contract): Seed {
  const seed = parseEnvironment(bytes, path, contract);
  if (!("asOf" in seed)) throw new InvalidEnvironmentError(path, undefined, `a seed needs the member "asOf"`);
  return seed as Seed; // the schema has checked the form of asOf
}

async function readSeed(path: string): Promise<Buffer> {
  return readRegularFile(path).catch((error) => toUnreadable(path, error));
}

/**
 * Checks that a seed can be read without reading it: a large one takes seconds.
 * @throws InvalidEnvironmentError when there is no such seed.
 */
export async function assertSeedExists(nameOrPath: string): Promise<void> {
  const path = toSeedPath(nameOrPath);
  await access(path, constants.R_OK).catch((error) => toUnreadable(path, error));
}

function toUnreadable(path: string, { code, message }: NodeJS.ErrnoException): never {
  const reason = code === "ENOENT" ? "there is no such seed" : `the seed cannot be read (${message})`;
  throw new InvalidEnvironmentError(path, undefined, `${reason}. Give one of ${SEED_NAMES.join(", ")}, or a file.`);
}

/** The server's own seed, for its default environment and for those that the control plane makes. */
export interface SeedSource {
  /**
   * The seed, read when it is first needed. Environments that are made of one value share their records.
   * @throws InvalidEnvironmentError; the next to ask reads it again.
   */
  seed(): Promise<Seed>;
  /** Lets go of a large seed, which takes more room than the environment that was made of it, until it is needed again. */
  release(): Promise<void>;
  close(): Promise<void>;
}

const MAX_CACHED_RECORDS = 10_000;

export interface SeedSourceOptions {
  /** A seed's name or file. */
  seed: string;
  /** Read the file again after each save. */
  watch: boolean;
  /** The contract that is served at this moment. */
  contract: () => Contract;
  log: Logger;
}

export function createSeedSource({ seed: name, watch, contract, log }: SeedSourceOptions): SeedSource {
  let opening: Promise<WatchedFile<Seed>> | undefined;
  const open = () =>
    openWatchedFile({ path: toSeedPath(name), load: () => loadSeed(name, contract()), isWatched: watch, log });
  return {
    async seed() {
      opening ??= open();
      try {
        return (await opening).value;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    async release() {
      if (watch || !opening) return; // what is watched has to be there when the next save is broken
      const { subscribers, notifications } = (await opening).value;
      if (subscribers.length + notifications.length > MAX_CACHED_RECORDS) opening = undefined;
    },
    close: async () =>
      opening?.then(
        (file) => file.close(),
        () => {},
      ), // one that did not open has told whoever asked
  };
}
