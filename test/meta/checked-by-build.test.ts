// What the build has checked, a start takes as it is: the very same text alone.
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { readBuildRecord, writeBuildRecord } from "../../src/contract/build-record.js";
import { loadContract } from "../../src/contract/contract.js";
import { CONTRACT_PATH, loadContractText, toContractFile } from "../../src/contract/contract-file.js";
import { SEED_NAMES, toSeedPath } from "../../src/store/seed.js";
import { ROOT } from "../support/command.js";
import { buildIfStale } from "../support/fresh-build.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

type CheckedSeeds = typeof import("../../src/store/checked-seeds.js");
type CheckedContract = typeof import("../../src/contract/checked-contract.js");

const load = (module: string) => import(pathToFileURL(join(ROOT, "dist", module)).href);
const contract = await loadContract();

beforeAll(buildIfStale);

describe.each(SEED_NAMES)("the seed %s", (name) => {
  test("is known as checked; another text, or another contract, is not", async () => {
    const { isCheckedSeed }: CheckedSeeds = await load("store/checked-seeds.js");
    const bytes = await readFile(toSeedPath(name));
    expect(isCheckedSeed(bytes, contract)).toBe(true);
    expect(isCheckedSeed(Buffer.concat([bytes, Buffer.from("\n")]), contract)).toBe(false);
    const changed = { ...contract, file: { ...contract.file, digest: "0".repeat(64) } };
    expect(isCheckedSeed(bytes, changed)).toBe(false);
  });
});

test("the contract is known as checked, with its value; another text is not", async () => {
  const { loadCheckedValue }: CheckedContract = await load("contract/checked-contract.js");
  const text = loadContractText(CONTRACT_PATH);
  expect(loadCheckedValue(text)).toEqual(toContractFile(text, undefined).value);
  expect(loadCheckedValue({ ...text, digest: "0".repeat(64) })).toBeUndefined();
});

test("run from the sources, nothing is taken as checked", async () => {
  const { isCheckedSeed }: CheckedSeeds = await import("../../src/store/checked-seeds.js");
  expect(isCheckedSeed(await readFile(toSeedPath("demo")), contract)).toBe(false);
});

test("a build that is stopped while it writes leaves what was there before", async () => {
  const path = join(await createTemporaryFolder(), "checked.json");
  const place = pathToFileURL(path);
  expect(readBuildRecord(place)).toBeUndefined();
  writeBuildRecord(place, "before");
  await mkdir(`${path}.tmp`); // what it writes first cannot be written
  expect(() => writeBuildRecord(place, "after")).toThrow("EISDIR");
  expect(readBuildRecord(place)).toBe("before");
});
