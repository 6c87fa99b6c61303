// The first line of each report.
import { expect, test } from "vitest";
import type { Change } from "../../../src/tools/review/changes/change.js";
import type { RejectionReason } from "../../../src/tools/review/reasons.js";
import { decideVerdict } from "../../../src/tools/review/verdict.js";

const CHANGES = {
  limit: { class: "breaking", breaks: ["clients"], places: ["query.limit"], brief: "at most 20, was 50" },
  colour: {
    ...{ class: "breaking", breaks: ["clients"], places: ["200 body.colour"], sentence: "may appear now. The old" },
    ...{ side: "response", keyword: "properties" },
  },
  status: { class: "compatible", breaks: ["implementations"], places: ["query.status"], sentence: "is new" },
  page: { class: "editorial", side: "text", keyword: "text", places: ["components › parameters › page › description"] },
};

const reason = (kind: RejectionReason["kind"], id: string, more: object = {}): RejectionReason => {
  return { id, kind, message: `${id} changed.\nIt did.`, line: 7, ...more };
};
const wrong = reason("correction", "lint:valid-examples:a");
const unchanged = ["§4.2", "D-27"];
type Name = keyof typeof CHANGES;

test.each<
  [
    headline: string,
    changes: Name[],
    reasons: RejectionReason[],
    needs?: string | undefined,
    allowed?: RejectionReason[],
  ]
>([
  ["Accept", [], []],
  ["Accept: 1 error left (line 7)", [], [], undefined, [wrong, reason("decision", "decision:D-02")]],
  [
    "Accept: clients break in 3.0.0; 2 errors left (line 7, and 1 more)",
    ["limit"],
    [],
    undefined,
    [reason("breaking", "limit", { follows: [wrong, wrong] })],
  ],
  ["Accept", ["status"], []],
  ["Accept: clients break in 3.0.0", ["limit", "status"], []],
  ["Accept: clients that reject unknown members break in 3.0.0", ["colour"], []],
  [
    "Reject: breaks clients (query.limit at most 20, was 50); needs 4.0.0",
    ["limit"],
    [reason("breaking", "limit")],
    "4.0.0",
  ],
  [
    "Reject: breaks clients (query.limit at most 20, was 50, and 1 more); needs 4.0.0",
    ["limit", "colour"],
    [reason("breaking", "limit", { follows: [wrong] }), reason("breaking", "colour")],
    "4.0.0",
  ],
  ["Reject: needs 3.1.0 (query.status is new)", ["status"], [reason("version", "version")], "3.1.0"],
  [
    "Reject: 2 errors to correct (line 7, and 1 more)",
    ["status"],
    [reason("correction", "status", { follows: [wrong, wrong] })],
  ],
  ["Reject: 1 error to correct (line 7); clients break in 3.0.0", ["limit"], [wrong]],
  [
    "Reject: contradicts §4.2 and D-27 (query.status is new)",
    ["status"],
    [reason("contradiction", "status", { unchanged })],
  ],
  [
    "Reject: rewords what D-29 says (page.description)",
    ["page"],
    [reason("rewording", "page", { unchanged: ["D-29"] })],
  ],
  ["Reject: changes D-02 and D-50", [], [reason("decision", "decision:D-02"), reason("decision", "decision:D-50")]],
  ["Reject: not decided whom it breaks (query.status is new)", ["status"], [reason("undecided", "status")]],
  ["Reject: review:linting changed.", [], [reason("failure", "review:linting")]],
])("%s", (headline, names, reasons, lowest, allowed = []) => {
  const changes = names.map((id) => ({ id, ...CHANGES[id] }) as Change);
  const version =
    lowest === undefined ? undefined : { needed: "major" as const, lowest, isEnough: false, error: undefined };
  expect(decideVerdict({ changes, reasons, allowed, version, contract: { version: "3.0.0" } })).toEqual({
    verdict: headline.startsWith("Accept") ? "accept" : "reject",
    headline,
    breaks: ["clients", "implementations"].filter((side) =>
      changes.some(({ breaks = [] }) => `${breaks}`.includes(side)),
    ),
  });
});
