// Seeds: committed fixtures that an environment starts from. Their times move with the present, so that they never age.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Contract } from "../contract/contract.js";
import type { Clock } from "../domain/clock.js";
import type { EnvironmentData, Seed } from "../domain/state.js";
import { BrokenEnvironmentError } from "./broken-environment.js";
import { isCheckedSeed } from "./checked-seeds.js";
import { parseEnvironment } from "./environment-file.js";

/** The seeds of this package, by name. */
export const SEED_NAMES = ["demo", "empty"] as const;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIMESTAMP_LENGTH = 24;

/**
 * Reads a seed: one of ours by name, or a file.
 * @throws BrokenEnvironmentError when it is not a valid seed.
 */
export async function loadSeed(nameOrPath: string, contract: Contract): Promise<Seed> {
  const path = toSeedPath(nameOrPath);
  const bytes = await readSeed(path);
  const isOurs = path !== nameOrPath;
  if (!isOurs || !isCheckedSeed(bytes, contract)) return toSeed(bytes, path, contract);
  return JSON.parse(bytes.toString()) as Seed; // proven by the build
}

/** The file of one of our seeds; any other text is a path itself. */
export function toSeedPath(nameOrPath: string): string {
  const isName = (SEED_NAMES as readonly string[]).includes(nameOrPath);
  return isName ? fileURLToPath(new URL(`../../data/seeds/${nameOrPath}.json`, import.meta.url)) : nameOrPath;
}

/**
 * The seed in a text; `path` is how errors name it.
 * @throws BrokenEnvironmentError when it is not a valid seed.
 */
export function toSeed(bytes: Buffer, path: string, contract: Contract): Seed {
  const seed = parseEnvironment(bytes, path, contract);
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

type Content = Omit<EnvironmentData, "format" | "version" | "name" | "contract" | "keyHash">;

/** The environment that a seed describes, every timestamp in it moved by as much as lies between `asOf` and `now`. */
export function toEnvironment(seed: Seed, contract: Contract, name: string, now: Date): EnvironmentData {
  return withContent(seed, contract, name, moveContent(seed, now));
}

const RECENT_MS = 60_000;
const recent = new WeakMap<Seed, { now: number; content: Content }>();

/**
 * The same for the present, to a minute: environments made from one seed within a minute share their records, so that
 * hundreds of them cost little more than one.
 */
export function toRecentEnvironment(seed: Seed, contract: Contract, name: string, clock: Clock): EnvironmentData {
  const now = clock.now();
  const known = recent.get(seed);
  const age = known ? now.getTime() - known.now : Number.POSITIVE_INFINITY;
  const made = known && age >= 0 && age < RECENT_MS ? known : { now: now.getTime(), content: moveContent(seed, now) };
  recent.set(seed, made);
  return withContent(seed, contract, name, made.content);
}

function withContent(seed: Seed, contract: Contract, name: string, content: Content): EnvironmentData {
  return { format: seed.format, version: seed.version, name, contract: contract.file.digest, ...content };
}

function moveContent(seed: Seed, now: Date): Content {
  const { asOf, format: _f, version: _v, name: _n, contract: _c, keyHash: _k, ...content } = seed;
  return shiftTimes(content, now.getTime() - Date.parse(asOf)) as Content; // the same shape: texts become texts
}

function shiftTimes(value: unknown, shift: number): unknown {
  if (typeof value === "string") return shiftTime(value, shift);
  if (Array.isArray(value)) return value.map((item) => shiftTimes(item, shift));
  if (typeof value !== "object" || value === null) return value;
  const shifted: Record<string, unknown> = { ...value }; // of a large seed, a copy whose members are replaced is made soonest
  for (const name of Object.keys(shifted)) shifted[name] = shiftTimes(shifted[name], shift);
  return shifted;
}

function shiftTime(text: string, shift: number): string {
  if (text.length !== TIMESTAMP_LENGTH || !TIMESTAMP.test(text)) return text;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? text : new Date(instant + shift).toISOString(); // a payload may hold a 13th month
}
