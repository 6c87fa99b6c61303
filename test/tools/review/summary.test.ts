// The counts of a review, in a line each.
import { expect, test } from "vitest";
import { summarize } from "../../../src/tools/review/report/sections.js";
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
