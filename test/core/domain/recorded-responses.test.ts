import { expect, test } from "vitest";
import type { RecordedResponse } from "../../../src/core/domain/state.js";
import { recordResponse } from "../../../src/core/state/environment-state.js";

const toRecord = (key: string, recordedAt: string): RecordedResponse => {
  return { key, recordedAt, fingerprint: "f", status: 200, headers: {}, body: {} };
};

test("recording a response drops expired ones only (D-60)", () => {
  const responses = new Map<string, RecordedResponse>();
  const record = (key: string, recordedAt: string) => recordResponse(responses, toRecord(key, recordedAt));
  record("a", "2026-11-02T09:00:00.000Z");
  record("b", "2026-11-02T09:00:00.001Z");
  record("a", "2026-11-02T10:00:00.000Z");
  record("c", "2026-11-03T09:00:00.001Z");
  expect([...responses.keys()]).toEqual(["a", "c"]);
});

test("the oldest of ten thousand responses makes room; recording one again makes it the newest (D-60)", () => {
  const responses = new Map<string, RecordedResponse>();
  const record = (number: number) => {
    const recordedAt = new Date(Date.UTC(2026, 0, 1) + number).toISOString();
    recordResponse(responses, toRecord(`${number % 10_002}`, recordedAt));
  };
  for (let number = 1; number <= 10_001; number += 1) record(number);
  expect([responses.size, [...responses.keys()][0], [...responses.keys()].at(-1)]).toEqual([10_000, "2", "10001"]);
  record(10_002 + 5_000);
  expect([responses.size, [...responses.keys()][0], [...responses.keys()].at(-1)]).toEqual([10_000, "2", "5000"]);
});
