// The request history drops the oldest requests, and formats only what it returns.
import { expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { createCoverageCounter } from "../../../src/core/coverage/coverage.js";
import { createRequestHistory } from "../../../src/server/control/request-history.js";
import type { RequestRecord } from "../../../src/server/http/record-request.js";
import { createRedactor } from "../../../src/server/http/redactor.js";

const contract = await loadContract();

/** Keeps getters, so that a test sees when the history reads a member. */
function toRecord(overrides: Partial<RequestRecord>): RequestRecord {
  const record: RequestRecord = {
    id: "",
    at: new Date("2026-11-02T09:00:00Z"),
    contract,
    environment: "one",
    operation: undefined,
    method: "GET",
    target: "/",
    headers: {},
    redactor: () => createRedactor({ placeholder: "…", contract }),
    sentBody: undefined,
    status: 200,
    responseHeaders: {},
    responseBody: undefined,
    ms: 1,
    fault: undefined,
    isMocked: false,
  };
  return Object.defineProperties(record, Object.getOwnPropertyDescriptors(overrides));
}

function createHistory() {
  const history = createRequestHistory(createCoverageCounter());
  const add = (count: number, overrides: Partial<RequestRecord>) => {
    for (let index = 0; index < count; index++) history.add(toRecord(overrides));
  };
  return { history, add, list: (filter: object) => history.wait(filter, AbortSignal.abort()) };
}

test("keeps the latest thousand requests, and counts the dropped ones by environment", async () => {
  const { history, add, list } = createHistory();
  const droppedOf = () => [history.droppedOf("one"), history.droppedOf("other"), history.droppedOf(undefined)];
  add(5, {});
  expect(droppedOf()).toEqual([0, 0, 0]);
  add(1003, { environment: "other" });
  const numbers = (await list({ limit: 2000 })).map(({ number }) => number);
  expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([1000, 9, 1008]);
  expect(droppedOf()).toEqual([5, 3, 8]);
  history.clear("other");
  expect(droppedOf()).toEqual([5, 0, 5]);
  history.clear(undefined);
  expect(droppedOf()).toEqual([0, 0, 0]);
});

test("counts each request once in the coverage: when it is dropped, cleared or read; never those of the console", () => {
  const { history, add } = createHistory();
  const covered: string[] = [];
  const toOverrides = (name: string, overrides: Partial<RequestRecord> = {}) =>
    Object.defineProperty({ ...overrides }, "sentBody", { get: () => void covered.push(name), enumerable: true });
  add(2, toOverrides("dropped"));
  add(1, toOverrides("cleared", { environment: "other" }));
  expect(covered).toEqual([]);
  add(999, toOverrides("read"));
  expect(covered.splice(0)).toEqual(["dropped", "dropped"]);
  history.clear("other");
  expect(covered.splice(0, 1)).toEqual(["cleared"]);
  add(1, toOverrides("console", { headers: { "x-requested-by": "console" } }));
  history.coverage(contract);
  history.coverage(contract);
  expect([covered.length, new Set(covered)]).toEqual([999, new Set(["read"])]);
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
