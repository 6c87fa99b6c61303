// The request history drops the oldest requests, and formats only what it returns.
import { describe, expect, test } from "vitest";
import { createRequestHistory } from "../../src/control/request-history.js";
import { createRedactor } from "../../src/core/request/redactor.js";
import type { RequestRecord } from "../../src/server/http/record-request.js";
import { contract } from "../support/contract.js";

/** Keeps getters, so that a test sees when the history reads a member. */
function toRecord(overrides: Partial<RequestRecord>): RequestRecord {
  const record: RequestRecord = {
    id: "",
    receivedAt: new Date("2026-11-02T09:00:00Z"),
    time: new Date("2026-11-02T09:00:00Z"),
    environment: "one",
    operation: undefined,
    parameters: [],
    method: "GET",
    target: "/",
    headers: {},
    redactor: createRedactor({ placeholder: "…", contract }),
    sentBody: undefined,
    status: 200,
    responseHeaders: {},
    responseBody: undefined,
    ms: 1,
    fault: undefined,
    isMocked: false,
    rejection: { violations: [] },
  };
  return Object.defineProperties(record, Object.getOwnPropertyDescriptors(overrides));
}

function createHistory() {
  const history = createRequestHistory();
  const add = (count: number, overrides: Partial<RequestRecord> = {}) => {
    for (let index = 0; index < count; index++) history.add(toRecord(overrides));
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

describe("the oldest requests give way", () => {
  test("the 1,001st of an environment drops its first; the last 100 rejected ones outlive others", async () => {
    const { history, add, expectKept } = createHistory();
    add(102, { status: 422 });
    add(1, { environment: "other" });
    add(1000);
    await expectKept([
      [{ environment: "one", rejected: true }, range(3, 102), 2],
      [{ environment: "one", rejected: false }, range(204, 1103), 100],
      [{ environment: "other" }, [103], 0],
      [{}, [...range(3, 103), ...range(204, 1103)], 102],
      [{ after: 102, before: 205 }, [103, 204], 102],
    ]);
    history.clear("one");
    await expectKept([[{}, [103], 0]]);
  });

  test("of rejected requests alone, too, as without a key", async () => {
    const { add, expectKept } = createHistory();
    add(1001, { status: 401, environment: undefined });
    await expectKept([[{ rejected: true }, range(2, 1001), 1]]);
  });

  test("the 10,001st of all drops the first of the environment with the most", async () => {
    const { history, add, expectKept } = createHistory();
    for (let index = 0; index < 9; index++) add(1000, { environment: `other-${index}` });
    add(999);
    add(2, { environment: "new" });
    await expectKept([
      [{ environment: "other-0" }, range(2, 1000), 1],
      [{ environment: "other-1" }, range(1001, 2000), 0],
      [{ environment: "one" }, range(9001, 9999), 0],
      [{ environment: "new" }, [10_000, 10_001], 0],
    ]);
    history.clear(undefined);
    add(1);
    await expectKept([[{}, [10_002], 0]]);
  });
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
