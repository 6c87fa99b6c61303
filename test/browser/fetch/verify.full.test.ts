// The fetch handler conforms to the contract: `verify` against it, over a bridge to node:http.
import { expect, test } from "vitest";
import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/declared-target.js";
import { groupFailures } from "../../../src/tools/verify/report/causes.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { contract } from "../../support/contract.js";
import { SIZES } from "../../support/sizes.js";
import { startBridge } from "./bridge.js";

test("the fetch handler conforms to the contract", async () => {
  const { handle } = createFetchHandler({ seed: await loadSeed("demo", contract) });
  const bridge = await startBridge(handle);
  try {
    const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(bridge.url), apiKey: "demo-key" };
    const report = await verify({ contract, target, seed: 1, runs: SIZES.verifyRequests });
    expect(groupFailures(report).map(({ first, alike }) => [first.id, first.failure, alike.length])).toEqual([]);
    expect(report.results.filter(({ outcome }) => outcome === "error")).toEqual([]);
  } finally {
    await bridge.close();
  }
});
