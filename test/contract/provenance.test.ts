// Each statement of the contract cites a clause or a decision. clauses.test.ts shows that each clause is cited and tested.
import { describe, expect, test } from "vitest";
import { change, editContract, P, S } from "../tools/review/contract-edit.js";
import { findGaps, findWrongExamples } from "./provenance.js";

const CONTRACT = editContract();
const NEW_DECISION = { question: "x", clause: "§6", answer: "x", basis: "judgement" };

describe("the contract", () => {
  test("cites a clause or decision everywhere, and every decision is used", () => {
    expect(findGaps(CONTRACT)).toEqual([]);
  });

  test("has an example wherever the mock needs one, and none where it would be in the way", () => {
    expect(findWrongExamples(CONTRACT)).toEqual([]);
    const added = findWrongExamples(editContract(change(`${S}/NotificationPage/examples`, [{}])));
    expect(added).toEqual([expect.stringContaining("NotificationPage has an example, which Prism would prefer")]);
    expect(findWrongExamples(editContract(change(`${S}/Channel/examples`, [])))).toEqual([
      "components › schemas › Channel has no example",
    ]);
  });
});

test.each<[string, string, unknown, string]>([
  ["a parameter without a source", `${P}/search`, { name: "search", in: "query" }, "search has neither"],
  ["a member without a source", `${S}/Notification/properties/tags`, {}, "tags has neither"],
  ["a clause that does not exist", "LIST/x-source", "§9.7", "§9.7, which the document does not"],
  ["a decision that does not exist", "LIST/x-decision", "D-99", "D-99, which x-decisions does not"],
  ["a decision that is not used", "x-decisions/D-98", NEW_DECISION, "D-98 is not used"],
  ["a decision without an answer", "x-decisions/D-60/answer", "", "D-60 has no answer"],
])("%s is a gap", (_title, place, value, words) => {
  expect(findGaps(editContract(change(place, value))).join("; ")).toContain(words);
});
