// Each deliberately wrong server fails a case that cites what it violates. A sample in the quick suite, all of them in the full one.
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { loadSeed } from "../../src/store/seeds/seed.js";
import { createSuite } from "../../src/verify/suite.js";
import { SIZES } from "../support/sizes.js";
import { HTTP_MUTANTS } from "./http-mutants.js";
import { findKiller } from "./mutant-server.js";

const CHOSEN = HTTP_MUTANTS.filter((_mutant, index) => index % SIZES.everyServerMutant === 0);
const contract = await loadContract();
const judge = { contract, suite: createSuite(contract), seed: await loadSeed("demo", contract) };

describe(`wrong servers (${CHOSEN.length} of ${HTTP_MUTANTS.length})`, () => {
  test.each(CHOSEN)("%s: %s", async (cite, _title, mutation, ...only) => {
    const cases = only.length > 0 ? only : [cite];
    expect(await findKiller(judge, cases, mutation)).toBeDefined();
  });

  test("the same cases pass where nothing is wrong", async () => {
    const cites = CHOSEN.flatMap(([cite, , , ...only]) => (only.length > 0 ? only : [cite]));
    expect(await findKiller(judge, [...new Set(cites)])).toBeUndefined();
  });
});
