// What the build has checked in full, a start takes as it is: the very same bytes alone.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { CONTRACT_PATH, CONTROL_CONTRACT_PATH, toContractFile } from "../../src/contract/contract-file.js";
import { isPrechecked, readPrechecked } from "../../src/contract/prechecked.js";
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
