// What the tables of docs/spec-review.md say is what the review says.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findChanges } from "../../../src/tools/review/changes/changes.js";
import { ROOT } from "../../support/command.js";
import { contract } from "../../support/contract.js";
import {
  all,
  change,
  drop,
  type Edit,
  editContract,
  lacking,
  listed,
  P,
  PARAMETER,
  S,
  withParameter,
  withStatus,
} from "./contract-edit.js";
import { list, update } from "./contract-edits.js";
import { reasonsOf } from "./reasons.js";

const guide = readFileSync(join(ROOT, "docs", "spec-review.md"), "utf8");
const base = contract;

/** The rows of a table, by how its head begins. */
function tableOf(head: string): string[][] {
  const [, , ...rows] =
    guide
      .split("\n\n")
      .find((block) => block.startsWith(head))
      ?.split("\n") ?? [];
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const status = (name: string) => withStatus(`LIST/responses/${name}`);
const header: Edit = change("LIST/responses/200/headers/X-New", {
  schema: { type: "string" },
  description: "New.",
  "x-decision": "D-48",
});
const NEW_RESPONSES: Readonly<Record<string, readonly Edit[]>> = {
  "a 4xx or 5xx status, if the operation has another of its class": [status("410"), status("504")],
  "an optional header": [header],
  "a success (2xx), or the first status of its class (307, where there was no 3xx)": [status("206"), status("307")],
};

const LIMIT = `${P}/limit/schema/maximum`;
const PAGE_SIZE = `${S}/NotificationPage/properties/pageSize/maximum`;
/** In the order of the table's cells: requests, then responses; what breaks clients, then implementations. */
const SIDES: readonly (readonly [cell: string, Edit])[] = [
  ["a request that was accepted is now rejected", change(LIMIT, 49)],
  ["a request that was rejected must now be accepted", change(LIMIT, 51)],
  ["a response that was impossible may now be returned", change(PAGE_SIZE, 51)],
  ["a response that was allowed is now forbidden", change(PAGE_SIZE, 49)],
];

const PAGE_REQUIRED = `${S}/NotificationPage/required`;
const major: Edit = change("info/version", "9.0.0");

/** Edits that are such a reason, with its id. */
const REASONS: Readonly<Record<string, readonly (readonly [edit: Edit, id: string])[]>> = {
  "a change breaks clients and `info.version` has no new major version": [
    [change(LIMIT, 20), `${list}:request:query.limit:maximum`],
  ],
  "it is not decided whether a change breaks somebody": [
    [change(`${P}/search/schema/pattern`, "^(?!zebra[0-9]{5}$)[^]*$"), `${list}:request:query.search:pattern`],
  ],
  "compatible changes, and `info.version` has no new minor version": [
    [withParameter(PARAMETER), "version"],
    // D-66 says so already: no contradiction.
    [change("components/headers/X-Request-Id/required", true), "version"],
  ],
  "`info.version` is not a semantic version, or lower than the version before": [
    [change("info/version", "two"), "version"],
  ],
  "the answer of a decision changed, or a decision was removed": [[drop("x-decisions/D-24"), "decision:D-24"]],
  "something that a clause or decision requires was removed, loosened, or made optional in a response": [
    [all(major, drop("LIST/responses/402")), `${list}:response:402:existence`],
    [all(major, drop(`${P}/idempotencyKey/schema/maxLength`)), `${update}:request:header.idempotency-key:maxLength`],
    // D-23 has it.
    [all(major, listed(PAGE_REQUIRED, lacking("hasMore"))), `${list}:response:200/body.hasMore:required`],
  ],
  "a description that a decision covers changed": [
    [change(`${P}/limit/description`, "Other."), "text:components/parameters/limit/description"],
  ],
  "an example violates its schema, two values differ that must match, or a link leads to a renamed operation": [
    [change(`${P}/limit/example`, 99), `lint:valid-examples:${P}/limit/example`],
    [all(major, change(LIMIT, 20)), "lint:agreements:components/schemas/NotificationPage/properties/pageSize/maximum"],
  ],
};

describe("the guide's tables", () => {
  test("each row has an edit", () => {
    expect(tableOf("| new in responses").map(([rule]) => rule)).toEqual(Object.keys(NEW_RESPONSES));
    expect(tableOf("| | breaks clients").flatMap((row) => row.slice(1))).toEqual(SIDES.map(([cell]) => cell));
    expect(tableOf("| reason to reject").map(([reason]) => reason)).toEqual([
      ...Object.keys(REASONS),
      "the contract cannot be read, or a step of the review failed",
    ]);
  });

  test.each(tableOf("| new in responses"))("%s: breaks %s", (rule = "", whom) => {
    for (const edit of NEW_RESPONSES[rule] ?? []) {
      const changes = findChanges(base, editContract(edit)).filter(({ side }) => side !== "text");
      expect(changes.map(({ breaks }) => breaks)).toEqual([whom === "nobody" ? [] : [whom]]);
    }
  });

  test.each(SIDES.map((row, index) => [...row, index % 2 === 0 ? "clients" : "implementations"] as const))(
    "%s: that breaks its column",
    (_cell, edit, whom) => {
      expect(findChanges(base, editContract(edit)).map(({ breaks }) => breaks)).toEqual([[whom]]);
    },
  );

  test.each(Object.entries(REASONS))("a reason: %s", (_reason, edits) => {
    for (const [edit, id] of edits) expect(reasonsOf(base, editContract(edit))).toContain(id);
  });
});
