// Seeds: committed fixtures that an environment starts from. What is made of them is in seed-environment.ts.
import { fileURLToPath } from "node:url";
import type { Contract } from "../../contract/contract.js";
import { readRegularFile } from "../../contract/contract-source.js";
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

/**
 * Creates the function that gives a seed, by its name or file, for the default environment and for those that the control plane makes. It
 * is read when it is first needed, and environments that are made of one value share their records. A large one takes more room than the
 * environment that is made of it, so it is read each time; so is one that was invalid.
 */
export function createSeedSource(nameOrPath: string, contract: () => Contract): () => Promise<Seed> {
  let loading: Promise<Seed> | undefined;
  return async function seed() {
    loading ??= loadSeed(nameOrPath, contract());
    let isCached = false;
    try {
      const value = await loading;
      isCached = value.subscribers.length + value.notifications.length <= MAX_CACHED_RECORDS;
      return value;
    } finally {
      if (!isCached) loading = undefined;
    }
  };
}
