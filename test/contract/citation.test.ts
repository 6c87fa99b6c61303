// Violations cite the decision where the contract is narrower than the document, and its clause where it is not.

import { describe, expect, test } from "vitest";
import { citeResponse } from "../../src/contract/citation.js";
import { loadContract } from "../../src/contract/contract.js";
import type { Provenance, SchemaObject } from "../../src/contract/openapi-document.js";
import type { ViolationCode } from "../../src/contract/violation.js";
import { walkContract } from "../../src/contract/walk-contract.js";

const contract = await loadContract();

test("x-narrowed-by names keywords of the schema at its place, and decisions of the place", () => {
  const places = [...walkContract(contract)].filter(({ value }) => "x-narrowed-by" in value);
  const decisions = new Set<string>();
  for (const { pointer, value } of places) {
    const { "x-narrowed-by": narrowedBy = {}, "x-decision": own = [] } = value as Provenance;
    const schema = contract.schemaOf((value.schema ?? value) as SchemaObject);
    const keywords = Object.keys({ ...schema.flat, ...schema.items.flat, allowEmptyValue: true });
    for (const [keyword, decision] of Object.entries(narrowedBy)) {
      expect(keywords, pointer.join("/")).toContain(keyword);
      expect([own].flat(), pointer.join("/")).toContain(decision);
      decisions.add(decision);
    }
  }
  const narrowing = "D-05 D-06 D-10 D-17 D-26 D-27 D-29 D-30 D-31 D-39 D-62";
  expect([...decisions].toSorted().join(" ")).toBe(narrowing);
});

describe("a violation in a response", () => {
  const [update] = contract.operations;
  test.each([
    ["body.workflows.0.overrides.0.source", "enum", { decision: "D-06" }],
    ["body.workflows.0.overrides.0.channel", "enum", { decision: "D-06" }],
    ["body.workflows.0.overrides.0.source", "type", { clause: "§2.2" }],
    ["body.workflows.0.workflow.updatedAt", "pattern", { decision: "D-05" }],
    ["body.workflows.0.workflow.name", "type", { clause: "§2.2" }],
    ["body.workflows", "maxItems", { decision: "D-10" }],
  ])("%s, %s", (location, code, citation) => {
    expect(citeResponse(update, 200, { location, code: code as ViolationCode })).toEqual(citation);
  });
});
