// One corpus of requests, made from the contract, at the fetch handler and at the reference server: the responses have to agree. A sample in the quick suite, all of them in the full one.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import { loadContract } from "../../../src/contract/contract.js";
import { startServer } from "../../../src/server/server.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import { isFull, SIZES } from "../../support/sizes.js";
import { type SocketResponse, sendTo } from "../../support/socket-request.js";
import { startBridge } from "../fetch/bridge.js";
import { type AcceptedDifference, FETCH_DIFFERENCES, isExpressible } from "./accepted-differences.js";
import { differenceOf, violationsOf } from "./comparison.js";
import { createCorpus } from "./corpus.js";
import { API_KEY, type ParityRequest } from "./parity-request.js";

const CONCURRENCY = 8;
const NOW = new Date("2026-11-02T09:00:00Z"); // the demo seed's present

interface Outcome {
  title: string;
  /** Empty when the two agree. */
  difference: string;
  /** What is wrong with either response by the contract. */
  violations: string[];
}

interface Running {
  url: string;
  close(): Promise<void>;
}

const contract = await loadContract();
const corpus = createCorpus(contract)
  .filter((_request, index) => index % SIZES.everyParityRequest === 0)
  .filter(isExpressible);
const servers: Running[] = [];
const outcomes: Outcome[] = [];

async function startFetchHandler(): Promise<Running> {
  const seed = await loadSeed("demo", contract);
  return startBridge(createFetchHandler({ seed, apiKey: API_KEY, now: NOW }).handle);
}

beforeAll(async () => {
  const reference = await startServer({ apiKey: API_KEY, now: NOW, checkResponses: true });
  const handler = await startFetchHandler();
  servers.push(reference, handler);
  const waiting = [...corpus];
  const work = async () => {
    for (let request = waiting.shift(); request; request = waiting.shift()) {
      outcomes.push(await compare(request, reference, handler));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}, 180_000);
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function compare(request: ParityRequest, reference: Running, handler: Running): Promise<Outcome> {
  const [expected, response] = await Promise.all([send(reference, request), send(handler, request)]);
  return {
    title: request.title,
    difference: differenceOf(response, expected),
    violations: [
      ...violationsOf(contract, request, expected).map((violation) => `the reference's ${violation}`),
      ...violationsOf(contract, request, response).map((violation) => `the fetch handler's ${violation}`),
    ],
  };
}

test("fetch handler and reference respond alike, but for the accepted differences, and keep the contract", () => {
  const differing = outcomes.filter(({ difference }) => difference !== "");
  const accepted = differing.filter((outcome) => FETCH_DIFFERENCES.some((row) => isRowOf(row, outcome)));
  const agreed = outcomes.length - differing.length;
  process.stdout.write(
    `parity: ${outcomes.length} requests, ${agreed} agreements, ${accepted.length} accepted differences\n`,
  );
  const failures = [
    ...differing
      .filter((outcome) => !accepted.includes(outcome))
      .map(({ title, difference }) => `${title}: ${difference}`),
    ...outcomes.flatMap(({ title, violations }) => violations.map((violation) => `${title}: ${violation}`)),
  ];
  expect(failures).toEqual([]);
  expect(outcomes.length, "the corpus is made from the contract").toBeGreaterThan(isFull ? 1500 : 190);
});

test.runIf(isFull)("every accepted difference is one still", () => {
  const stale = FETCH_DIFFERENCES.filter((row) => {
    const titled = outcomes.filter(({ title }) => isTitled(row, title));
    return titled.length === 0 || !titled.every((outcome) => isRowOf(row, outcome));
  });
  expect(stale).toEqual([]);
});

async function send({ url }: { url: string }, { title, first, ...request }: ParityRequest): Promise<SocketResponse> {
  try {
    if (first) await sendTo(url, first);
    return await sendTo(url, request);
  } catch (error) {
    throw new Error(`${title}: ${url} did not respond: ${(error as Error).message}`);
  }
}

function isTitled({ title }: AcceptedDifference, request: string): boolean {
  return typeof title === "string" ? title === request : title.test(request);
}

function isRowOf(row: AcceptedDifference, { title, difference }: Outcome): boolean {
  return isTitled(row, title) && row.difference === difference;
}
