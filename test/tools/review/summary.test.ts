// The counts of a review and the duties of implementers, in a line each.
import { expect, test } from "vitest";
import type { Change } from "../../../src/tools/review/changes/change.js";
import { summarize } from "../../../src/tools/review/report/sections.js";
import { findDuties } from "../../../src/tools/review/report/summary.js";
import type { Review } from "../../../src/tools/review/review.js";

const EMPTY = {
  contract: { isReadable: true },
  base: { name: "base", version: "1.0.0" },
  decisions: { decisions: [], removed: [] },
  trace: [],
  examples: [],
  lint: [],
  rules: { off: {} },
};

test.each<[title: string, review: object, line: string]>([
  ["unchanged decisions", {}, "Decisions: 0, unchanged"],
  ["no examples", {}, "Examples: none"],
  [
    "decisions, of which one is new",
    { decisions: { decisions: [{ status: "new" }, { status: "unchanged" }], removed: [] } },
    "Decisions: 1 new",
  ],
  [
    "examples of each outcome",
    { examples: ["matched", "accepted", "failed", "unreplayed"].map((outcome) => ({ outcome })) },
    "Examples: 1 wrong",
  ],
])("%s", (_title, review, line) => {
  expect(summarize({ ...EMPTY, ...review } as unknown as Review)).toContain(line);
});

test.each<[title: string, change: object, duty: string]>([
  ["a removed member", { side: "response", after: undefined }, "listNotifications: stop returning: `query.x`"],
  ["a changed one", { side: "response", after: 7 }, "listNotifications: return as declared now: `query.x`"],
  ["a narrower request", { side: "request", after: 7 }, "listNotifications: accept what is valid now: `query.x`"],
])("implementers have to do: %s", (_title, change, duty) => {
  const own = { operation: "listNotifications", breaks: ["implementations"], places: ["query.x"], ...change };
  expect(findDuties([own as unknown as Change])).toEqual([duty]);
});
