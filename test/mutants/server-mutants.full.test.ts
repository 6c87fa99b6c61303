// Each deliberately wrong server fails a case that cites what it violates.
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { loadSeed } from "../../src/store/seeds/seed.js";
import { createSuite } from "../../src/verify/suite.js";
import { HTTP_MUTANTS } from "./http-mutants.js";
import { findKiller } from "./mutant-server.js";

const contract = await loadContract();
const judge = { contract, suite: createSuite(contract), seed: await loadSeed("demo", contract) };

describe("wrong servers", () => {
  test.each(HTTP_MUTANTS)("%s: %s", async (cite, _title, mutation, ...only) => {
    const cases = only.length > 0 ? only : [cite];
    expect(await findKiller(judge, cases, mutation)).toBeDefined();
  });

  test("the same cases pass where nothing is wrong", async () => {
    const cites = HTTP_MUTANTS.flatMap(([cite, , , ...only]) => (only.length > 0 ? only : [cite]));
    expect(await findKiller(judge, [...new Set(cites)])).toBeUndefined();
  });
});
