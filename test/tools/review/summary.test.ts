// The verdict and the version of a review, in a line each.
import { expect, test } from "vitest";
import { renderMarkdown } from "../../../src/pages/report/render-markdown.js";
import type { Change } from "../../../src/tools/review/changes/change.js";
import { buildDiff, nameOf } from "../../../src/tools/review/report/changes.js";
import { formatVerdict, formatVersion } from "../../../src/tools/review/report/summary.js";
import type { Review } from "../../../src/tools/review/review.js";

const EMPTY = {
  contract: { isReadable: true },
  base: { name: "base", version: "1.0.0" },
  decisions: { decisions: [], removed: [] },
};

const [NAMED, ADDED] = [{ class: "compatible", keyword: "operationId" }, { class: "compatible" }];
const NAMES = "an operationId changes, which names methods in generated clients";

test.each<[line: string, needed: string, changes: object[], isAnswered?: boolean]>([
  ["No new version is needed", "none", []],
  ["No new version is needed, but an answer of a decision changes", "none", [], true],
  ["Version 2.1.0 is high enough: only texts change", "patch", []],
  ["Version 2.1.0 is high enough: an answer of a decision changes", "patch", [], true],
  ["Version 2.1.0 is high enough: the changes are compatible for clients", "minor", [ADDED]],
  [`Version 2.1.0 is high enough: ${NAMES}`, "minor", [NAMED]],
  [`Version 2.1.0 is high enough: ${NAMES}; other changes are compatible for clients`, "minor", [NAMED, ADDED]],
  ["Version 2.1.0 is high enough: clients break", "major", [{ class: "breaking", breaks: [] }], true],
])("%s", (line, needed, changes, isAnswered = false) => {
  const decided = { id: "D-01", answer: "b", before: { answer: isAnswered ? "a" : "b" } };
  const version = { needed, lowest: "2.0.0", isEnough: true };
  const review = { ...EMPTY, contract: { version: "2.1.0" }, reasons: [], changes, version };
  const decisions = { decisions: [decided], removed: [] };
  expect(formatVersion({ ...review, decisions } as unknown as Review)).toBe(line);
});

const CHANGED = { id: "a" };
const WRONG = { id: "lint:valid-examples:a", more: ["line 7: b"] };
const FOLLOWED = { id: "b", isByEffects: true, follows: [{ id: "lint:a" }, WRONG] };

test.each<[line: string, reasons: object[], allowed: object[], isEnough?: boolean]>([
  ["Accept: no reason to reject it", [], []],
  ["Accept: 2 reasons accepted", [], [CHANGED, CHANGED]],
  ["Accepted, with 1 error and 2 wrong examples left", [], [CHANGED, FOLLOWED]],
  ["Reject: 2 reasons", [CHANGED, CHANGED], []],
  ["Reject: 2 reasons, 1 more accepted", [CHANGED, CHANGED], [CHANGED]],
  ["Reject: 2 reasons", [CHANGED, FOLLOWED], [], false],
  ["Reject: 1 error and 2 wrong examples", [FOLLOWED], []],
  ["Reject: 2 wrong examples, and 1 other reason", [CHANGED, WRONG], []],
])("%s", (line, reasons, allowed, isEnough = true) => {
  const verdict = reasons.length > 0 ? "reject" : "accept";
  const review = { verdict, reasons, allowed, version: { isEnough } };
  expect(formatVerdict(review as unknown as Review)).toBe(line);
});

test("a long diff goes on in a folded part, which says how long it is", () => {
  const lines = (length: number) => Array.from({ length }, (_, index) => `+ ${index}  a`).join("\n");
  expect(renderMarkdown(buildDiff(lines(37)))).not.toContain("details");
  expect(renderMarkdown(buildDiff(lines(38)))).toMatch(
    /\+ 29 {2}a\n```\n\n<details><summary>8 more lines.*\+ 37 {2}a/s,
  );
});

test("a default has a name of its own beside the rest of its place", () => {
  const nameAs = (keyword: string) => nameOf([{ places: ["query.limit"], keyword } as Change]);
  expect([nameAs("maximum"), nameAs("default")]).toEqual(["query.limit", "query.limit (default)"]);
});
