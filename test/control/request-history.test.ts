// The request history drops the oldest requests, and formats only what it returns.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { createRequestHistory } from "../../src/control/request-history.js";
import { createCoverageCounter } from "../../src/core/coverage/coverage.js";
import { createRedactor } from "../../src/core/operations/redactor.js";
import type { RequestRecord, Served } from "../../src/server/http/record-request.js";

const contract = await loadContract();

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Keeps getters, so that a test sees when the history reads a member. */
function toRecord(overrides: Partial<RequestRecord>): RequestRecord {
  const record: RequestRecord = {
    id: "",
    at: new Date("2026-11-02T09:00:00Z"),
    environment: "one",
    operation: undefined,
    parameters: [],
    method: "GET",
    target: "/",
    headers: {},
    redactor: createRedactor({ placeholder: "…", contract }),
    sentBody: undefined,
    status: 200,
    responseBody: [],
    responseBytes: 0,
    ms: 1,
    fault: undefined,
    isMocked: false,
    rejection: { violations: [] },
  };
  return Object.defineProperties(record, Object.getOwnPropertyDescriptors(overrides));
}

function createHistory(counter = createCoverageCounter()) {
  const history = createRequestHistory(counter);
  const add = (count: number, overrides: Partial<RequestRecord> = {}, served: Partial<Served> = {}) => {
    for (let index = 0; index < count; index++)
      history.add(toRecord(overrides), { contract, responseHeaders: {}, body: undefined, ...served });
  };
  const list = (filter: object) => history.wait({ limit: 9_999, ...filter }, AbortSignal.abort());
  const expectKept = async (rows: readonly (readonly [filter: object, numbers: number[], dropped: number])[]) => {
    for (const [filter, numbers, dropped] of rows) {
      const kept = (await list(filter)).map(({ number }) => number);
      expect([kept, history.countDropped(filter)], JSON.stringify(filter)).toEqual([numbers, dropped]);
    }
  };
  return { history, add, list, expectKept };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("each environment keeps its latest thousand requests, and its rejected ones apart", () => {
  test("an invalid request of one, and 1,001 valid ones of another", async () => {
    const { add, expectKept } = createHistory();
    add(1, { status: 422 });
    add(1001, { environment: "other" });
    await expectKept([
      [{ environment: "one", rejected: true }, [1], 0],
      [{ environment: "other" }, range(3, 1002), 1],
      [{ environment: "other", rejected: true }, [], 0],
      [{}, [1, ...range(3, 1002)], 1],
    ]);
  });

  test("an invalid request, 1,003 valid ones, and 1,001 invalid ones without a key", async () => {
    const { history, add, expectKept } = createHistory();
    add(1, { status: 404 });
    add(1003, { status: 503 });
    add(1001, { status: 401, environment: undefined });
    await expectKept([
      [{ environment: "one", rejected: true }, [1], 0],
      [{ environment: "one", rejected: false }, range(5, 1004), 3],
      [{ rejected: true }, [1, ...range(1006, 2005)], 1],
      [{ after: 1003, before: 1007 }, [1004, 1006], 4],
    ]);
    history.clear("one");
    await expectKept([[{}, range(1006, 2005), 1]]);
    history.clear(undefined);
    await expectKept([[{}, [], 0]]);
  });

  const text = "x".repeat(1_000_000);
  test.each<[part: string, request: Partial<RequestRecord>, served: Partial<Served>]>([
    ["bodies", { responseBody: [text] }, {}],
    ["headers of requests", { headers: { "x-large": text } }, {}],
    ["headers of responses", {}, { responseHeaders: { "x-large": text } }],
  ])(
    "all together are bounded by the bytes of %s: the largest give way to the latest",
    async (_part, large, served) => {
      const { add, expectKept } = createHistory();
      add(2, { ...large, status: 422 }, served);
      add(31, { ...large, environment: "other" }, served);
      await expectKept([
        [{ environment: "one" }, [1, 2], 0],
        [{ environment: "other" }, range(5, 33), 2],
      ]);
    },
  );
});

test("keeps text alone: neither the contract nor the response that a request was served", async () => {
  const { add, list } = createHistory();
  const served = { contract: { ...contract }, body: { data: [] } };
  const kept = [new WeakRef(served.contract), new WeakRef(served.body)];
  add(1, {}, served);
  Object.assign(served, { contract: undefined, body: undefined });
  await new Promise(setImmediate); // a WeakRef holds its target until the end of the task
  collectGarbage();
  expect(kept.map((reference) => reference.deref())).toEqual([undefined, undefined]);
  expect(await list({})).toHaveLength(1);
});

test("counts each request once in the coverage; never those of the console", () => {
  const counted: string[] = [];
  const { history, add } = createHistory({
    ...createCoverageCounter(),
    add: (_contract, { target }) => void counted.push(target),
  });
  add(1, { target: "/one" });
  add(1, { target: "/two", headers: { "x-requested-by": "console" } });
  history.coverage(contract);
  history.clear(undefined);
  expect(counted).toEqual(["/one"]);
});

test("formats the requests of a page, and each searched request once", async () => {
  const { add, list } = createHistory();
  const formatted: string[] = [];
  for (let number = 1; number <= 8; number++) {
    const read = { get: () => void formatted.push(String(number)), enumerable: true };
    add(1, Object.defineProperty({ target: `/${number}` }, "fault", read));
  }
  const expectFormatted = async (filter: object, expected: string[]) => {
    await list({ responseBodies: false, ...filter });
    expect(formatted.splice(0), JSON.stringify(filter)).toEqual(expected);
  };
  await expectFormatted({ limit: 2 }, ["7", "8"]);
  await expectFormatted({ limit: 3, search: "GET /" }, ["6"]);
  await expectFormatted({ after: 2, limit: 2 }, ["3", "4"]);
  await expectFormatted({ search: "/1" }, ["5", "2", "1"]);
});
