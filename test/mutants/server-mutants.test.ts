// Each deliberately wrong server fails a case that cites what it violates: what the second backend (test/verify) cannot express,
// since it has no Prefer, citations or further headers. A sample in the quick suite, all of them in the full one.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { countOutcomes } from "../../src/verify/report.js";
import { createSuite } from "../../src/verify/suite.js";
import { DEMO_DATA, TARGETS } from "../../src/verify/target.js";
import { verify } from "../../src/verify/verify.js";
import { isFull, SIZES } from "../support/sizes.js";
import { HTTP_MUTANTS } from "./http-mutants.js";
import { findKiller, type Judge } from "./judge.js";
import { openMutableServer } from "./mutable-server.js";

const CHOSEN = HTTP_MUTANTS.filter((_mutant, index) => index % SIZES.everyMutant === 0);

let judge: Judge;

beforeAll(async () => {
  const contract = await loadContract();
  judge = { contract, suite: createSuite(contract), server: await openMutableServer(contract) };
});
afterAll(() => judge.server.close());

describe(`wrong servers (${CHOSEN.length} of ${HTTP_MUTANTS.length})`, () => {
  test("the true server passes", async () => {
    const only = isFull ? [] : ["§4.1"]; // test/verify/reference.test.ts runs all cases against a true server
    const { close, ...keys } = await judge.server.start((request, { forward }) => forward(request));
    const target = { ...DEMO_DATA, ...TARGETS.reference, ...keys };
    const { contract } = judge;
    const report = await verify({ contract, target, seed: 1, runs: 40, only }).finally(close);
    expect(countOutcomes(report)).toMatchObject({ fail: 0, error: 0 });
  });

  test.each(CHOSEN)("%s: %s", async (cite, _title, mutation, ...only) => {
    expect(await findKiller(judge, mutation, only.length > 0 ? only : [cite])).toBeDefined();
  });
});
