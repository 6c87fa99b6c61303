// Wrong servers that break promises of our own server alone, citations in errors and further headers, fail the suite;
// test/tools/verify/planted-bugs.ts breaks those of all servers.
import { expect, test } from "vitest";
import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import { loadContract } from "../../../src/contract/contract.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import { isSelected } from "../../../src/tools/verify/case-run.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/declared-target.js";
import { createSuite } from "../../../src/tools/verify/suite.js";
import { startBridge } from "../../browser/fetch/bridge.js";
import { findFailingCase } from "../../support/failing-case.js";

/** Changes a response in place. `error` is the body of an error. */
type Mutation = (headers: Headers, error: Record<string, unknown> | undefined) => void;

const contract = await loadContract();
const seed = await loadSeed("demo", contract);
const apiKey = "demo-key";

/** Returns the id of the first case that fails; undefined if the mutant survives. */
async function findKiller(cite: string, mutate: Mutation): Promise<string | undefined> {
  const { handle } = createFetchHandler({ seed, apiKey });
  const { url, close } = await startBridge(async (request) => {
    const response = await handle(request);
    const { status, headers } = response;
    const text = await response.text();
    const error = status >= 400 && text !== "" ? JSON.parse(text) : undefined;
    mutate(headers, error);
    return new Response(text === "" ? null : error ? JSON.stringify(error) : text, { status, headers });
  });
  const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(url), apiKey };
  const cases = createSuite(contract).filter((one) => isSelected(one, cite));
  return findFailingCase(cases, { contract, target, random: { seed: 1, runs: 40 } }).finally(close);
}

/** Each breaks a promise, which must fail a case that cites it. */
const SERVERS: [cite: string, title: string, mutate: Mutation][] = [
  ["§4.2", "no ctx in errors", (_headers, error) => delete error?.ctx],
  ["§4.2", "an unknown decision", (_headers, error) => error && Object.assign(error, { ctx: { decision: "D-99" } })],
  ["§4.2", "no X-Request-Id", (headers) => headers.delete("x-request-id")],
  ["D-66", "X-Request-Id is always the same", (headers) => headers.set("x-request-id", "1")],
  ["§4.2", "RateLimit-Remaining alone", (headers) => headers.set("ratelimit-remaining", "5")],
  ["§4.2", "a header that is not declared", (headers) => headers.set("x-powered-by", "Express")],
];

test.each(SERVERS)("%s: %s", async (cite, _title, mutate) => {
  expect(await findKiller(cite, mutate)).toBeDefined();
});
