// The JSON Schema of seed files, which editors use, agrees with the loader.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { toSeedSchema } from "../../../src/build/seed-schema.js";
import { loadContract } from "../../../src/contract/contract.js";
import { InvalidEnvironmentError } from "../../../src/core/state/environment.js";
import { toEnvironment } from "../../../src/core/state/seed-environment.js";
import { SEED_NAMES, toSeed, toSeedPath } from "../../../src/server/store/seed.js";

const contract = await loadContract();
const ajv = new Ajv2020({ strictTypes: false });
ajvFormats.default(ajv, { mode: "full" });
const validate = ajv.compile(toSeedSchema(contract.document)); // it refers to nothing else

const readSeed = (name: (typeof SEED_NAMES)[number]) => JSON.parse(readFileSync(toSeedPath(name), "utf8"));

/** The demo seed with one record of each list: those with the most members. */
function createOneOfEach() {
  const seed = readSeed("demo");
  const lists = Object.entries(seed).filter(([, value]) => Array.isArray(value)) as [string, object[]][];
  const sizeOf = (record: object) => JSON.stringify(record).length;
  const longest = (records: object[]) => records.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, 1);
  const response = { key: "k", fingerprint: "f", recordedAt: seed.asOf, status: 200, headers: {}, body: {} };
  const all = { ...seed, ...Object.fromEntries(lists.map(([name, records]) => [name, longest(records)])) };
  return { ...all, $schema: "./seed.schema.json", recordedResponses: [response] };
}

function isLoaded(seed: unknown): boolean {
  try {
    toSeed(Buffer.from(JSON.stringify(seed)), "seed.json", contract);
    return true;
  } catch (error) {
    if (error instanceof InvalidEnvironmentError) return false;
    throw error;
  }
}

/** The path of each member and item in a value. */
function findPaths(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [name],
    ...findPaths(member).map((path) => [name, ...path]),
  ]);
}

const REPLACEMENTS = {
  "is missing": undefined,
  "is null": null,
  "is a number": 7,
  "is another text": "2026-13-01T00:00:00.000Z",
  "is an object": {},
  "is one too many": "colour",
};

describe("the schema of seed files", () => {
  test.each(SEED_NAMES)("accepts the seed %s", (name) => {
    expect(validate(readSeed(name)), ajv.errorsText(validate.errors)).toBe(true);
  });

  test("the demo seed has nothing that old clients cannot parse (D-75)", () => {
    const jobs = readSeed("demo").notifications.flatMap(({ jobs = [] }) => jobs);
    expect(jobs.length).toBeGreaterThan(100);
    expect(jobs.filter(({ type }: { type: string }) => type === "throttle")).toEqual([]);
    for (const { providerId, executionDetails } of jobs) {
      for (const detail of executionDetails) expect(detail.providerId).toBe(providerId);
    }
  });

  test.each(Object.entries(REPLACEMENTS))("agrees with the loader on a member that %s", (_title, replacement) => {
    const original = createOneOfEach();
    expect([validate(original), isLoaded(original)]).toEqual([true, true]);
    let rejected = 0;
    for (const path of findPaths(original)) {
      const holder = path.slice(0, -1).reduce((value, name) => value[name], original);
      const name = replacement === "colour" ? "colour" : (path.at(-1) ?? "");
      const isThere = Object.hasOwn(holder, name);
      const before = holder[name];
      holder[name] = replacement;
      const changed = JSON.parse(JSON.stringify(original));
      const isValid = isLoaded(changed);
      expect(validate(changed), [...path, name].join(".")).toBe(isValid);
      if (!isValid) rejected += 1;
      if (isThere) holder[name] = before;
      else delete holder[name];
    }
    expect(rejected).toBeGreaterThan(10);
  });

  test("an environment does not keep where its seed has the schema", () => {
    expect(toEnvironment(createOneOfEach(), contract, "default", new Date())).not.toHaveProperty("$schema");
  });
});
