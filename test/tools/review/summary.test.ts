// The counts of a review and the duties of implementers, in a line each.
import { expect, test } from "vitest";
import { renderMarkdown } from "../../../src/pages/report/render-markdown.js";
import type { Change } from "../../../src/tools/review/changes/change.js";
import { buildDiff, nameOf } from "../../../src/tools/review/report/changes.js";
import { summarize } from "../../../src/tools/review/report/sections.js";
import {
  findClientDuties,
  findDuties,
  formatIdle,
  formatVerdict,
  formatVersion,
} from "../../../src/tools/review/report/summary.js";
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
  ["a removed member", { side: "response", after: undefined }, "listNotifications: stop returning: `query.x` (is y)"],
  ["a changed one", { side: "response", after: 7 }, "listNotifications: return as declared now: `query.x` (is y)"],
  [
    "a new member of a request that is required",
    { side: "request", before: undefined, after: 7, breaks: ["clients", "implementations"] },
    "listNotifications: require: `query.x` (is y)",
  ],
  [
    "a narrower request",
    { side: "request", after: 7 },
    "listNotifications: accept what is valid now: `query.x` (is y)",
  ],
])("implementers have to do: %s", (_title, change, duty) => {
  const own = {
    operation: "listNotifications",
    breaks: ["implementations"],
    before: 7,
    places: ["query.x"],
    sentence: "is `y`.",
    ...change,
  };
  expect(findDuties([own as unknown as Change])).toEqual([duty]);
});

test.each<[change: object, duty: string]>([
  [{ side: "request", after: undefined }, "no longer send: `query.x`"],
  [{ side: "request", keyword: "default" }, "send, to keep what it means: `query.x` (is y)"],
  [{ side: "request", counterexamples: { clients: { violation: "query.x is less" } } }, "send: `query.x` is less"],
  [{ side: "response" }, "handle: `query.x` (is y)"],
  [{ side: "response", breaks: [], renamedFrom: "query.w" }, "read: `query.x` in place of `w`"],
  [
    { side: "response", breaks: ["implementations"], keyword: "properties", after: undefined },
    "no longer sent: `query.x`",
  ],
])("client teams have to do: %j", (change, duty) => {
  const own = { breaks: ["clients"], before: 7, after: 7, places: ["query.x"], sentence: "is `y`.", at: [], ...change };
  expect(findClientDuties([own as unknown as Change])).toEqual([`all operations: ${duty}`]);
});

test("of a renamed member, client teams have one duty", () => {
  const about = { side: "response", keyword: "properties", sentence: "", breaks: [], at: [], after: 7 };
  const renamed = [
    { ...about, places: ["w"], after: undefined },
    { ...about, places: ["x"], renamedFrom: "w" },
  ];
  expect(findClientDuties(renamed as unknown as Change[])).toEqual(["all operations: read: `x` in place of `w`"]);
});

test("of a renamed operation, client teams have to know the method's new name", () => {
  const named = { keyword: "operationId", side: "text", sentence: "`a` is `b` now" };
  expect(findClientDuties([named as Change])).toEqual(["generated clients: `a` is `b` now"]);
});

const QUERY = { side: "request", breaks: ["implementations"], undecided: {}, places: ["x"], sentence: "", at: [] };
const TEXT = { side: "text", undecided: {} };

test.each<[line: string | undefined, changes: object[], reason?: object]>([
  ["Client teams: nothing to do.", [QUERY]],
  ["Client teams and implementers: nothing to do.", [TEXT]],
  [undefined, []],
  [undefined, [TEXT], { isRewording: true }],
  [undefined, [{ ...QUERY, keyword: "deprecated" }]],
  [undefined, [{ ...QUERY, undecided: { clients: "unknown" } }]],
])("who has nothing to do: %s", (line, changes, reason = {}) => {
  expect(formatIdle({ ...EMPTY, changes, reasons: [reason] } as unknown as Review)).toBe(line);
});

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
const WRONG = { id: "example:a", more: ["line 7: b"] };
const FOLLOWED = { id: "b", isByEffects: true, follows: [{ id: "lint:a" }, WRONG] };

test.each<[line: string, reasons: object[], allowed: object[], isEnough?: boolean]>([
  ["Accept: no reason to reject it", [], []],
  ["Accept: 2 reasons accepted", [], [CHANGED, CHANGED]],
  ["Accepted, with 1 lint error and 2 wrong examples left", [], [CHANGED, FOLLOWED]],
  ["Reject: 2 reasons", [CHANGED, CHANGED], []],
  ["Reject: 2 reasons, 1 more accepted", [CHANGED, CHANGED], [CHANGED]],
  ["Reject: 2 reasons", [CHANGED, FOLLOWED], [], false],
  ["Reject: 1 lint error and 2 wrong examples", [FOLLOWED], []],
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
