// One corpus of requests, made from the contract, at the mock and at the reference server: the answers have to agree.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { startMock } from "../../src/mock/mock-server.js";
import { type RunningServer, startServer } from "../../src/server.js";
import { type SocketAnswer, sendTo } from "../support/socket-request.js";
import { ACCEPTED_DIFFERENCES, type AcceptedDifference } from "./accepted-differences.js";
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

const contract = await loadContract();
const corpus = createCorpus(contract);

describe("mock and reference", () => {
  let mock: RunningServer;
  let reference: RunningServer;
  let outcomes: Outcome[];
  beforeAll(async () => {
    mock = await startMock({ apiKey: API_KEY });
    reference = await startServer({ apiKey: API_KEY, now: NOW, checkResponses: true });
    outcomes = await compareAll([...corpus]);
  }, 180_000);
  afterAll(async () => {
    await mock?.close();
    await reference?.close();
  });

  test("answer alike, but for the accepted differences, and keep the contract", () => {
    const differing = outcomes.filter(({ difference }) => difference !== "");
    const accepted = differing.filter((outcome) => ACCEPTED_DIFFERENCES.some((row) => isRowOf(row, outcome)));
    const agreed = outcomes.length - differing.length;
    process.stdout.write(
      `parity: ${outcomes.length} requests, ${agreed} agreements, ${accepted.length} accepted differences\n`,
    );
    const failures = [
      ...differing
        .filter((outcome) => !accepted.includes(outcome))
        .map(({ title, difference }) => `${title}: ${difference}`),
      ...outcomes.flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`)),
    ];
    expect(failures).toEqual([]);
    expect(outcomes.length, "the corpus is made from the contract").toBeGreaterThan(500);
  });

  test("every accepted difference is one still", () => {
    const stale = ACCEPTED_DIFFERENCES.filter((row) => {
      const titled = outcomes.filter(({ title }) => isTitled(row, title));
      return titled.length === 0 || !titled.every((outcome) => isRowOf(row, outcome));
    });
    expect(stale).toEqual([]);
  });

  async function compareAll(waiting: ParityRequest[]): Promise<Outcome[]> {
    const done: Outcome[] = [];
    const work = async () => {
      for (let request = waiting.shift(); request; request = waiting.shift()) done.push(await compare(request));
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    return done;
  }

  async function compare(request: ParityRequest): Promise<Outcome> {
    const [mocks, references] = await Promise.all([ask(mock, request), ask(reference, request)]);
    const faults = [
      ...violationsOf(contract, request, mocks).map((fault) => `the mock's ${fault}`),
      ...violationsOf(contract, request, references).map((fault) => `the reference's ${fault}`),
    ];
    return { title: request.title, difference: differenceOf(mocks, references), faults };
  }
});

async function ask({ url }: { url: string }, { title, first, ...request }: ParityRequest): Promise<SocketAnswer> {
  try {
    if (first) await sendTo(url, first);
    return await sendTo(url, request);
  } catch (error) {
    throw new Error(`${title}: ${url} did not answer: ${(error as Error).message}`);
  }
}

function isTitled({ title }: AcceptedDifference, sent: string): boolean {
  return typeof title === "string" ? title === sent : title.test(sent);
}

function isRowOf(row: AcceptedDifference, { title, difference }: Outcome): boolean {
  return isTitled(row, title) && row.difference === difference;
}
