// The request history is bounded by number and by memory; the oldest requests go first. Reading it costs what it returns.
import { expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { createCoverageCounter } from "../../../src/core/coverage/coverage.js";
import { createRequestHistory } from "../../../src/server/control/request-history.js";
import type { RequestRecord } from "../../../src/server/http/record-request.js";
import { createRedactor } from "../../../src/server/http/redactor.js";

const contract = await loadContract();
const FROM_CONSOLE = { headers: { "x-requested-by": "console" } };

/** Getters stay getters: a test sees when the history reads a member. */
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
    rawHeaders: [],
    redactor: () => createRedactor({ placeholder: "…", contract }),
    sentBody: undefined,
    status: 200,
    responseHeaders: {},
    responseBody: undefined,
    bytes: 2048,
    ms: 1,
    fault: undefined,
    isMocked: false,
  };
  return Object.defineProperties(record, Object.getOwnPropertyDescriptors(overrides));
}

function fill(count: number, toOverrides: (index: number) => Partial<RequestRecord>): number[] {
  const history = createRequestHistory(createCoverageCounter());
  for (let index = 0; index < count; index++) history.add(toRecord(toOverrides(index)));
  return history.find({ limit: 2000 }).map(({ number }) => number);
}

test("keeps the latest thousand requests", () => {
  const numbers = fill(1200, () => ({}));
  expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([1000, 201, 1200]);
});

test("keeps at most 16 MiB, and after one that is larger, the next", () => {
  const numbers = fill(600, () => ({ bytes: 64 * 1024 }));
  expect([numbers.length, numbers.at(-1)]).toEqual([256, 600]);
  expect(fill(3, () => ({ bytes: 17 * 1024 * 1024 }))).toEqual([]);
});

test("requests of the console push out none of the others", () => {
  const numbers = fill(3000, (index) => (index >= 10 ? FROM_CONSOLE : {}));
  expect([numbers.length, numbers.slice(0, 10), numbers[10]]).toEqual([1000, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 2011]);
});

test("counts the requests that it has dropped, by environment, but for the console's", () => {
  const history = createRequestHistory(createCoverageCounter());
  const add = (count: number, overrides: Partial<RequestRecord>) => {
    for (let index = 0; index < count; index++) history.add(toRecord(overrides));
  };
  const droppedOf = () => [history.droppedOf("one"), history.droppedOf("other"), history.droppedOf(undefined)];
  add(5, {});
  add(1010, FROM_CONSOLE);
  expect(droppedOf()).toEqual([0, 0, 0]);
  add(1003, { environment: "other" });
  expect(droppedOf()).toEqual([5, 3, 8]);
  history.clear("other");
  expect(droppedOf()).toEqual([5, 0, 5]);
  history.clear(undefined);
  expect(droppedOf()).toEqual([0, 0, 0]);
});

test("covers each request once: when it is dropped or cleared, or the coverage is read; never those of the console", () => {
  const history = createRequestHistory(createCoverageCounter());
  const covered: string[] = [];
  const add = (count: number, name: string, overrides: Partial<RequestRecord> = {}) => {
    const read = {
      get sentBody() {
        covered.push(name);
        return undefined;
      },
    };
    const descriptors = { ...Object.getOwnPropertyDescriptors(overrides), ...Object.getOwnPropertyDescriptors(read) };
    for (let index = 0; index < count; index++) history.add(toRecord(Object.defineProperties({}, descriptors)));
  };
  add(2, "dropped");
  add(1, "cleared", { environment: "other" });
  expect(covered).toEqual([]);
  add(999, "read");
  expect(covered.splice(0)).toEqual(["dropped", "dropped"]);
  history.clear("other");
  expect(covered.splice(0, 1)).toEqual(["cleared"]);
  add(1, "console", FROM_CONSOLE);
  history.coverage(contract);
  history.coverage(contract);
  expect([covered.length, new Set(covered)]).toEqual([999, new Set(["read"])]);
});

test("a page formats its own requests and a search each request once; response bodies are formatted if wanted", () => {
  const history = createRequestHistory(createCoverageCounter());
  const formatted: string[] = [];
  for (let number = 1; number <= 8; number++) {
    history.add(
      toRecord({
        target: `/${number}`,
        get at() {
          formatted.push(String(number));
          return new Date("2026-11-02T09:00:00Z");
        },
        get responseBody() {
          formatted.push("body");
          return undefined;
        },
      }),
    );
  }
  const expectFormatted = (filter: Parameters<typeof history.find>[0], expected: string[]) => {
    history.find({ responseBodies: false, ...filter });
    expect(formatted.splice(0), JSON.stringify(filter)).toEqual(expected);
  };
  expectFormatted({ limit: 2 }, ["7", "8"]);
  expectFormatted({ limit: 3, search: "GET /" }, ["6"]);
  expectFormatted({ after: 2, limit: 2 }, ["3", "4"]);
  expectFormatted({ search: "/1" }, ["5", "2", "1"]);
  expectFormatted({ search: "/1", responseBodies: true }, ["body"]);
});
