// Seeds: committed fixtures that an environment starts from, and the server's own, held or read again. What is made of them is in
// seed-environment.ts.
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
  const bytes = await readRegularFile(path).catch(({ code, message }: NodeJS.ErrnoException) => {
    const reason = code === "ENOENT" ? "there is no such seed" : `the seed cannot be read (${message})`;
    throw new InvalidEnvironmentError(path, undefined, `${reason}. Give one of ${SEED_NAMES.join(", ")}, or a file.`);
  });
  return toSeed(bytes, path, contract);
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

const MAX_CACHED_RECORDS = 10_000;

interface SeedSourceOptions {
  /** A seed's name or file. */
  seed: string;
  /** Read the file again after each save. */
  watch: boolean;
  /** The contract that is served at this moment. */
  contract: () => Contract;
  log: Logger;
}

/** The server's own seed, for its default environment and for those that the control plane makes. */
export function createSeedSource({ seed: name, watch, contract, log }: SeedSourceOptions) {
  let opening: Promise<WatchedFile<Seed>> | undefined;
  return {
    /**
     * The seed, read when it is first needed. Environments that are made of one value share their records. A large seed takes more room
     * than the environment that is made of it, so it is read each time.
     * @throws InvalidEnvironmentError; the next to ask reads it again.
     */
    async seed(): Promise<Seed> {
      const load = () => loadSeed(name, contract());
      opening ??= openWatchedFile({ path: toSeedPath(name), load, isWatched: watch, log });
      try {
        const { value } = await opening;
        const isLarge = value.subscribers.length + value.notifications.length > MAX_CACHED_RECORDS;
        if (isLarge && !watch) opening = undefined;
        return value;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    close: async () => (await opening?.catch(() => undefined))?.close(), // one that did not open has told whoever asked
  };
}
