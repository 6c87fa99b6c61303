// Seeds, the fixtures that environments start from: loaded and checked. core/state/seed.ts makes environments of
// them.
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Contract } from "../../contract/contract.js";
import { isPrechecked } from "../../contract/contract-file.js";
import { readRegularFile } from "../../contract/regular-file.js";
import type { Seed } from "../../core/domain/state.js";
import { InvalidEnvironmentError } from "../../core/state/environment.js";
import { parseEnvironment } from "./format.js";

export const SEED_NAMES = ["demo", "empty"] as const;

/** @throws InvalidEnvironmentError */
export async function loadSeed(nameOrPath: string, contract: Contract): Promise<Seed> {
  const path = findSeedPath(nameOrPath);
  const bytes = await readRegularFile(path).catch(({ code, message }: NodeJS.ErrnoException) => {
    const reason = code === "ENOENT" ? "there is no such seed" : `the seed cannot be read (${message})`;
    throw new InvalidEnvironmentError(path, undefined, `${reason}. Use ${SEED_NAMES.join(", ")}, or a file.`);
  });
  return parseSeed(bytes, path, contract);
}

/** Names a seed that is checked under a contract, for the build's record. */
export function digestSeed(bytes: Buffer, { file }: Contract): string {
  return createHash("sha256").update(file.digest).update(bytes).digest("hex");
}

/** The file of a seed of this package; any other text is a path. */
export function findSeedPath(nameOrPath: string): string {
  const isName = (SEED_NAMES as readonly string[]).includes(nameOrPath);
  return isName ? fileURLToPath(new URL(`../../../data/seeds/${nameOrPath}.json`, import.meta.url)) : nameOrPath;
}

/**
 * @param path how errors name the seed
 * @throws InvalidEnvironmentError
 */
export async function parseSeed(bytes: Buffer, path: string, contract: Contract): Promise<Seed> {
  const isChecked = isPrechecked(digestSeed(bytes, contract));
  // The schema has checked `asOf`, if it is there.
  const seed = (isChecked ? JSON.parse(bytes.toString()) : parseEnvironment(bytes, path, contract)) as Seed;
  if (!seed.asOf) throw new InvalidEnvironmentError(path, undefined, `a seed needs the member "asOf"`);
  return seed;
}

const MAX_CACHED_RECORDS = 10_000;

/**
 * Creates the function that loads the server's seed. It loads it once, so that environments share its records; but a
 * large seed each time, since it takes more memory than the environment made of it, and an invalid one until it is
 * fixed.
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
