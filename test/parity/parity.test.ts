// One corpus of requests, made from the contract, at the mock, at the fetch handler and at the reference server: the responses
// have to agree. A sample in the quick suite, all of them in the full one.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { createFetchHandler } from "../../src/fetch/fetch-handler.js";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/server.js";
import { loadSeed } from "../../src/store/seeds/seed.js";
import { startBridge } from "../fetch/bridge.js";
import { isFull, SIZES } from "../support/sizes.js";
import { type SocketResponse, sendTo } from "../support/socket-request.js";
import { type AcceptedDifference, FETCH_DIFFERENCES, isExpressible, MOCK_DIFFERENCES } from "./accepted-differences.js";
import { differenceOf, violationsOf } from "./comparison.js";
import { createCorpus } from "./corpus.js";
import { API_KEY, type ParityRequest } from "./parity-request.js";

const CONCURRENCY = 8;
const NOW = new Date("2026-11-02T09:00:00Z"); // the demo seed's present

interface Outcome {
  title: string;
  /** Empty when the two agree. */
  difference: string;
  faults: string[];
}

interface Running {
  url: string;
  close(): Promise<void>;
}

const contract = await loadContract();
const corpus = createCorpus(contract).filter((_request, index) => index % SIZES.everyParityRequest === 0);

const OTHERS = {
  mock: { start: () => startMock({ apiKey: API_KEY }), accepted: MOCK_DIFFERENCES, isComparable: () => true },
  "fetch handler": { start: startFetchHandler, accepted: FETCH_DIFFERENCES, isComparable: isExpressible },
};

async function startFetchHandler(): Promise<Running> {
  const seed = await loadSeed("demo", contract);
  return startBridge(createFetchHandler({ seed, apiKey: API_KEY, now: NOW }).handle);
}

const servers: Running[] = [];
const outcomes = new Map<string, Outcome[]>(Object.keys(OTHERS).map((name) => [name, []]));
const outcomesOf = (name: string) => outcomes.get(name) ?? [];

beforeAll(async () => {
  const starts = [
    startServer({ apiKey: API_KEY, now: NOW, checkResponses: true }),
    ...Object.values(OTHERS).map(({ start }) => start()),
  ];
  const [reference, ...others] = (await Promise.all(starts)) as [Running, ...Running[]];
  servers.push(reference, ...others);
  const waiting = [...corpus];
  const work = async () => {
    for (let request = waiting.shift(); request; request = waiting.shift()) await compare(request, reference, others);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}, 180_000);
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function compare(request: ParityRequest, reference: Running, others: readonly Running[]): Promise<void> {
  const [expected, ...responses] = (await Promise.all(
    [reference, ...others].map((server) => send(server, request)),
  )) as [SocketResponse, ...SocketResponse[]];
  const ownFaults = violationsOf(contract, request, expected).map((fault) => `the reference's ${fault}`);
  for (const [index, [name, { isComparable }]] of Object.entries(OTHERS).entries()) {
    if (!isComparable(request)) continue;
    const response = responses[index] as SocketResponse; // there is one for each
    const faults = violationsOf(contract, request, response).map((fault) => `the ${name}'s ${fault}`);
    const difference = differenceOf(response, expected);
    outcomesOf(name).push({ title: request.title, difference, faults: [...faults, ...ownFaults] });
  }
}

describe.each(Object.entries(OTHERS))("%s and reference", (name, { accepted: rows }) => {
  test("respond alike, but for the accepted differences, and keep the contract", () => {
    const all = outcomesOf(name);
    const differing = all.filter(({ difference }) => difference !== "");
    const acceptedOutcomes = differing.filter((outcome) => rows.some((row) => isRowOf(row, outcome)));
    const agreed = all.length - differing.length;
    process.stdout.write(
      `parity: ${all.length} requests, ${agreed} agreements, ${acceptedOutcomes.length} accepted differences\n`,
    );
    const failures = [
      ...differing
        .filter((outcome) => !acceptedOutcomes.includes(outcome))
        .map(({ title, difference }) => `${title}: ${difference}`),
      ...all.flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`)),
    ];
    expect(failures).toEqual([]);
    expect(all.length, "the corpus is made from the contract").toBeGreaterThan(isFull ? 2000 : 250);
  });

  test.runIf(isFull)("every accepted difference is one still", () => {
    const stale = rows.filter((row) => {
      const titled = outcomesOf(name).filter(({ title }) => isTitled(row, title));
      return titled.length === 0 || !titled.every((outcome) => isRowOf(row, outcome));
    });
    expect(stale).toEqual([]);
  });
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
