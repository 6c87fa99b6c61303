// Seeds: committed fixtures that an environment starts from. Their times move with the present, so that they never age.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Contract } from "../contract/contract.js";
import type { EnvironmentData, Seed } from "../domain/state.js";
import { BrokenEnvironmentError, parseEnvironment } from "./environment-file.js";

/** The seeds of this package, by name. */
export const SEED_NAMES = ["demo", "empty"] as const;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Reads a seed: one of ours by name, or a file.
 * @throws BrokenEnvironmentError when it is not a valid seed.
 */
export async function loadSeed(nameOrPath: string, contract: Contract): Promise<Seed> {
  const isName = (SEED_NAMES as readonly string[]).includes(nameOrPath);
  const path = isName ? fileURLToPath(new URL(`../../data/seeds/${nameOrPath}.json`, import.meta.url)) : nameOrPath;
  const seed = parseEnvironment(await readSeed(path), path, contract);
  if (!("asOf" in seed)) throw new BrokenEnvironmentError(path, undefined, `a seed needs the member "asOf"`);
  return seed as Seed; // the schema has checked the form of asOf
}

async function readSeed(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what = code === "ENOENT" ? "there is no such seed" : `the seed cannot be read (${message})`;
    throw new BrokenEnvironmentError(path, undefined, `${what}. Give one of ${SEED_NAMES.join(", ")}, or a file.`);
  }
}

/** The environment that a seed describes, every timestamp in it moved by as much as lies between `asOf` and `now`. */
export function toEnvironment(seed: Seed, contract: Contract, name: string, now: Date): EnvironmentData {
  const { asOf, format, version, name: _name, contract: _contract, keyHash: _keyHash, ...content } = seed;
  const shift = now.getTime() - Date.parse(asOf);
  const moved = shiftTimes(content, shift) as typeof content; // the same shape: texts become texts
  return { format, version, name, contract: contract.file.digest, ...moved };
}

function shiftTimes(value: unknown, shift: number): unknown {
  if (typeof value === "string") {
    const instant = TIMESTAMP.test(value) ? Date.parse(value) : Number.NaN; // a payload may hold a 13th month
    return Number.isNaN(instant) ? value : new Date(instant + shift).toISOString();
  }
  if (Array.isArray(value)) return value.map((item) => shiftTimes(item, shift));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shiftTimes(member, shift)]));
}
