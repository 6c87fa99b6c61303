// The counts of a review, in a line each.
import { expect, test } from "vitest";
import { summarize } from "../../../src/tools/review/report/summary.js";
import type { Review } from "../../../src/tools/review/review.js";

const EMPTY = {
  contract: { isReadable: true },
  base: { name: "base", version: "1.0.0" },
  changes: [],
  decisions: { decisions: [], removed: [] },
  trace: [],
  examples: [],
  lint: [],
  rules: { off: {} },
};
const onImplementations = { class: "compatible", breaks: ["implementations"] };

test.each<[title: string, review: object, line: string]>([
  ["no changes", {}, "Changes: none"],
  ["unchanged decisions", {}, "Decisions: 0, unchanged"],
  ["no examples", {}, "Examples: none"],
  [
    "one change for implementations",
    { changes: [onImplementations] },
    "Changes: 1 compatible for clients; 1 breaks implementations",
  ],
  [
    "two changes for implementations",
    { changes: [onImplementations, onImplementations] },
    "Changes: 2 compatible for clients; 2 break implementations",
  ],
  [
    "decisions, of which one is new",
    { decisions: { decisions: [{ status: "new" }, { status: "unchanged" }], removed: [] } },
    "Decisions: 2; 1 new",
  ],
  [
    "examples of each outcome",
    { examples: ["matched", "accepted", "failed", "unreplayed"].map((outcome) => ({ outcome })) },
    "Examples: 2 correct, 1 not replayed; 1 wrong",
  ],
])("%s", (_title, review, line) => {
  expect(summarize({ ...EMPTY, ...review } as unknown as Review)).toContain(line);
});
