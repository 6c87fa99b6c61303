// What the build has checked, a start takes as it is: the very same text alone.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { CONTRACT_PATH, loadContractText, toContractFile } from "../../src/contract/contract-file.js";
import { SEED_NAMES, toSeedPath } from "../../src/store/seed.js";
import { ROOT } from "../support/command.js";
import { buildIfStale } from "../support/fresh-build.js";

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
