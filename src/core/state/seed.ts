// Creates environments from seeds. Timestamps are shifted to the present once, when the environment is created.
import type { Clock } from "../domain/clock.js";
import { type EnvironmentData, type MemoryData, type Seed, toMemory } from "../domain/state.js";
import { InvalidEnvironmentError } from "./environment.js";

/** Provides the digest that an environment records. */
type ContractDigest = { file: { digest: string } };

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIMESTAMP_LENGTH = 24;

/**
 * Creates the environment of a seed, with all timestamps shifted by the time between `asOf` and `now`.
 * @throws InvalidEnvironmentError if one would leave the years that RFC 3339 can write.
 */
export function createFromSeed(seed: Seed, contract: ContractDigest, name: string, now: Date): EnvironmentData {
  const { asOf: _asOf, $schema: _schema, keyHash: _hash, ...records } = shiftSeed(seed, now);
  return { ...records, name, contract: contract.file.digest };
}

/** Shifts all timestamps by the time between `asOf` and another instant. */
export function shiftSeed(seed: Seed, asOf: Date): Seed {
  return shiftTimes(seed, asOf.getTime() - Date.parse(seed.asOf)) as Seed; // texts stay texts
}

/** Creates a seed from the current environment, without key and recorded responses, which belong to its clients. */
export function exportSeed(contents: MemoryData, now: Date): MemoryData & { asOf: string } {
  const { format, version, name, keyHash: _keyHash, contract: _contract, ...records } = contents;
  return { format, version, name, asOf: now.toISOString(), ...records, recordedResponses: [] };
}

const RECENT_MS = 60_000;
const recent = new WeakMap<Seed, { madeAt: number; contents: MemoryData }>();

/**
 * Creates the environment of a seed as in memory. Without an exact `now`, environments created from one seed within a
 * minute share its records, so that hundreds of them cost little more than one.
 */
export function createInitialContents(
  seed: Seed,
  contract: ContractDigest,
  name: string,
  { clock, now: exact }: { clock: Clock; now?: Date | undefined },
): MemoryData {
  if (exact) return toMemory(createFromSeed(seed, contract, name, exact));
  const now = clock.now();
  let entry = recent.get(seed);
  const age = entry === undefined ? RECENT_MS : now.getTime() - entry.madeAt;
  if (entry === undefined || age < 0 || age >= RECENT_MS) {
    entry = { madeAt: now.getTime(), contents: toMemory(createFromSeed(seed, contract, name, now)) };
    recent.set(seed, entry);
  }
  return { ...entry.contents, name, contract: contract.file.digest };
}

function shiftTimes(value: unknown, shift: number, isPayload = false): unknown {
  if (typeof value === "string") return shiftTime(value, shift, isPayload);
  if (Array.isArray(value)) return value.map((item) => shiftTimes(item, shift, isPayload));
  if (typeof value !== "object" || value === null) return value;
  const shifted: Record<string, unknown> = { ...value }; // for a large seed, the fastest way to copy
  for (const name of Object.keys(shifted)) {
    shifted[name] = shiftTimes(shifted[name], shift, isPayload || name === "payload");
  }
  return shifted;
}

const FIRST = Date.parse("0000-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

function shiftTime(text: string, shift: number, isPayload: boolean): string {
  if (text.length !== TIMESTAMP_LENGTH || !TIMESTAMP.test(text)) return text;
  const instant = Date.parse(text) + shift;
  if (instant >= FIRST && instant <= LAST) return new Date(instant).toISOString();
  if (isPayload || Number.isNaN(instant)) return text; // such as a 13th month, or the year 9999 for "never"
  const reason = `${text} would leave the years 0 to 9999 with its other times`;
  throw new InvalidEnvironmentError("The seed", undefined, reason);
}
