// The stateless mock conforms to the contract, within its declared capabilities, whatever the seed (VERIFY_RUNS).
import { expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { startMock } from "../../src/mock/mock-server.js";
import { groupFailures } from "../../src/verify/report.js";
import { DEMO_DATA, TARGETS } from "../../src/verify/target.js";
import { verify } from "../../src/verify/verify.js";
import { SIZES } from "../support/sizes.js";

const SEEDS = Array.from({ length: SIZES.verifyRuns }, (_, index) => 1 + index);

test.each(SEEDS)("the mock conforms to the contract, seed %i", async (seed) => {
  const mock = await startMock();
  try {
    const target = { ...DEMO_DATA, ...TARGETS.mock, url: new URL(mock.url), apiKey: mock.apiKey };
    const report = await verify({ contract: await loadContract(), target, seed, runs: SIZES.verifyRequests });
    expect(groupFailures(report).map(({ first, alike }) => [first.id, first.failure, alike.length])).toEqual([]);
    expect(report.results.filter(({ outcome }) => outcome === "error")).toEqual([]);
  } finally {
    await mock.close();
  }
});
