import { expect, test } from "vitest";
import type { RecordedResponse } from "../../../src/core/domain/state.js";
import { recordResponse } from "../../../src/core/state/environment-state.js";

test("recording a response drops those that have expired by then, and no other (D-60)", () => {
  const responses = new Map<string, RecordedResponse>();
  const record = (key: string, recordedAt: string) =>
    recordResponse(responses, { key, recordedAt, fingerprint: "f", status: 200, headers: {}, body: {} });
  record("a", "2026-11-02T09:00:00.000Z");
  record("b", "2026-11-02T09:00:00.001Z");
  record("a", "2026-11-02T10:00:00.000Z");
  record("c", "2026-11-03T09:00:00.001Z");
  expect([...responses.keys()]).toEqual(["a", "c"]);
});

test("of ten thousand responses the oldest makes way for the next, and one that is recorded again is the newest (D-60)", () => {
  const responses = new Map<string, RecordedResponse>();
  const record = (number: number) => {
    const recordedAt = new Date(Date.UTC(2026, 0, 1) + number).toISOString();
    recordResponse(responses, {
      key: `${number % 10_002}`,
      recordedAt,
      fingerprint: "f",
      status: 200,
      headers: {},
      body: {},
    });
  };
  for (let number = 1; number <= 10_001; number += 1) record(number);
  expect([responses.size, [...responses.keys()][0], [...responses.keys()].at(-1)]).toEqual([10_000, "2", "10001"]);
  record(10_002 + 5_000);
  expect([responses.size, [...responses.keys()][0], [...responses.keys()].at(-1)]).toEqual([10_000, "2", "5000"]);
});
