// What the build or this process has checked, a start takes as it is: the very same text alone.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { readBuildRecord, writeBuildRecord } from "../../src/contract/build-record.js";
import { loadCheckedValue } from "../../src/contract/checked-contract.js";
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
  const built: CheckedContract = await load("contract/checked-contract.js");
  const text = loadContractText(CONTRACT_PATH);
  expect(built.loadCheckedValue(text)).toEqual(toContractFile(text, undefined).value);
  expect(built.loadCheckedValue({ ...text, digest: "0".repeat(64) })).toBeUndefined();
});

describe("what this process has checked", () => {
  const CONTRACT = "openapi: 3.1.0\ninfo: { title: small, version: 1.0.0 }\npaths: {}\ncomponents: { schemas: {} }\n";

  test("is not checked again; whoever changes the value changes nobody else's", async () => {
    const path = join(await createTemporaryFolder(), "small.yaml");
    await writeFile(path, CONTRACT);
    expect(loadCheckedValue(loadContractText(path))).toBeUndefined();
    const [first, second] = [await loadContract(path), await loadContract(path)];
    expect(loadCheckedValue(loadContractText(path))).toEqual(first.document);
    first.document.info.title = "changed";
    second.document.info.title = "changed as well";
    expect((await loadContract(path)).document.info.title).toBe("small");
  });

  test("a text that is not whole is not remembered", async () => {
    const path = join(await createTemporaryFolder(), "broken.yaml");
    await writeFile(path, `${CONTRACT}x: { $ref: "#/nowhere" }\n`);
    for (let time = 0; time < 2; time++) await expect(loadContract(path)).rejects.toThrow("leads nowhere");
  });

  test("is forgotten when four others have been checked since", async () => {
    const path = join(await createTemporaryFolder(), "small.yaml");
    const check = async (number: number) => {
      await writeFile(path, `${CONTRACT}x-number: ${number}\n`);
      const text = loadContractText(path);
      const known = loadCheckedValue(text);
      await loadContract(path);
      return known !== undefined;
    };
    for (const number of [1, 2, 3, 4]) expect(await check(number)).toBe(false);
    for (const number of [1, 2, 3, 4]) expect(await check(number)).toBe(true);
    expect([await check(5), await check(4), await check(1)]).toEqual([false, true, false]);
  });
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
  await mkdir(`${path}.${process.pid}.tmp`); // what it writes first cannot be written
  expect(() => writeBuildRecord(place, "after")).toThrow("EISDIR");
  expect(readBuildRecord(place)).toBe("before");
});
