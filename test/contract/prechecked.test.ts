// What the build has checked in full, a start takes as it is: the very same bytes alone.
import { hash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { CONTRACT_PATH, CONTROL_CONTRACT_PATH, toContractFile } from "../../src/contract/contract-file.js";
import { isPrechecked, readPrechecked } from "../../src/contract/prechecked.js";
import { InvalidEnvironmentError } from "../../src/store/format/invalid-environment-error.js";
import { loadSeed, SEED_NAMES, toSeed, toSeedPath } from "../../src/store/seeds/seed.js";
import { loadContractText } from "../support/contract-text.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

describe.each([CONTRACT_PATH, CONTROL_CONTRACT_PATH])("the contract %s", (path) => {
  test("has the value of its text, another one for each reader", () => {
    const text = loadContractText(path);
    const value = readPrechecked(text.digest);
    expect(value).toEqual(toContractFile(text).value);
    expect(readPrechecked(text.digest)).not.toBe(value);
  });
});

test("another text of a contract is checked, however often it is loaded", async () => {
  const path = join(await createTemporaryFolder(), "openapi.yaml");
  const { text } = loadContractText();
  await writeFile(path, `${text}x: { $ref: "#/nowhere" }\n`);
  expect(isPrechecked(loadContractText(path).digest)).toBe(false);
  for (let time = 0; time < 2; time++) await expect(loadContract(path)).rejects.toThrow("leads nowhere");
});

describe.each(SEED_NAMES)("the seed %s", (name) => {
  test("is inside the contract, and recorded as checked", async () => {
    const contract = await loadContract();
    const bytes = await readFile(toSeedPath(name));
    expect(isPrechecked(hash("sha256", bytes))).toBe(true);
    expect(await loadSeed(name, contract)).toEqual(toSeed(bytes, name, contract));
  });

  test("is checked anew where it differs, or the contract does", async () => {
    const contract = await loadContract();
    const text = await readFile(toSeedPath(name), "utf8");
    const path = join(await createTemporaryFolder(), "seed.json");
    await writeFile(path, text.replace('"notifications":', '"surplus": 1, "notifications":'));
    await expect(loadSeed(path, contract)).rejects.toThrow(InvalidEnvironmentError);
    const strict = { ...contract.schemas, checkBy: () => [{ location: "x", message: "is checked" }] };
    const otherContract = { ...contract, schemas: strict, file: { ...contract.file, digest: "0".repeat(64) } };
    await expect(loadSeed(name, otherContract)).rejects.toThrow("x is checked");
  });
});
