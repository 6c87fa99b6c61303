// What docs/spec-review.md says of new responses is what the review says of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findChanges } from "../../src/review/changes/find-changes.js";
import { ROOT } from "../support/command.js";
import { type Edit, editContract } from "./contract-edit.js";
import { change } from "./contract-edits.js";

const guide = readFileSync(join(ROOT, "docs", "spec-review.md"), "utf8");
const [, table = ""] = /\| new in responses \| breaks \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(guide) ?? [];
const rows = table
  .trim()
  .split("\n")
  .map((line) =>
    line
      .split("|")
      .slice(1, 3)
      .map((cell) => cell.trim()),
  );

const status = (name: string): Edit => change(`LIST/responses/${name}`, { description: "New.", "x-decision": "D-48" });
const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  "a 4xx status, if the operation has another one": [status("410"), status("418")],
  "a 5xx status, if the operation has another one": [status("504")],
  "an optional header": [
    change("LIST/responses/200/headers/X-New", {
      schema: { type: "string" },
      description: "New.",
      "x-decision": "D-48",
    }),
  ],
  "a success (2xx), or the first status of its hundred (307, where there was no 3xx)": [status("206"), status("307")],
};

describe("the guide's rules of new responses", () => {
  test("each has an edit", () => expect(rows.map(([rule]) => rule)).toEqual(Object.keys(EDITS)));

  test.each(rows)("%s: breaks %s", (rule = "", whom) => {
    for (const edit of EDITS[rule] ?? []) {
      const changes = findChanges(editContract(), editContract(edit)).filter(({ side }) => side !== "text");
      expect(changes.map(({ breaks }) => breaks)).toEqual([whom === "nobody" ? [] : [whom]]);
    }
  });
});
