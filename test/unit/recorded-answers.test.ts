import { expect, test } from "vitest";
import { recordAnswer } from "../../src/domain/recorded-answers.js";
import type { RecordedAnswer } from "../../src/domain/state.js";

test("recording an answer drops those that have expired by then, and no other (D-60)", () => {
  const answers = new Map<string, RecordedAnswer>();
  const record = (key: string, recordedAt: string) =>
    recordAnswer(answers, { key, recordedAt, fingerprint: "f", status: 200, headers: {}, body: {} });
  record("a", "2026-11-02T09:00:00.000Z");
  record("b", "2026-11-02T09:00:00.001Z");
  record("a", "2026-11-02T10:00:00.000Z");
  record("c", "2026-11-03T09:00:00.001Z");
  expect([...answers.keys()]).toEqual(["a", "c"]);
});
