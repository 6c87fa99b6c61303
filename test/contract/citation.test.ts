// Violations cite the decision where the contract is narrower than the document, and its clause where it is not.

import { describe, expect, test } from "vitest";
import { citeResponse } from "../../src/contract/citation.js";
import { walkContract } from "../../src/contract/create-model.js";
import type { Provenance, SchemaObject } from "../../src/contract/openapi-document.js";
import type { ViolationCode } from "../../src/contract/violation.js";
import { contract } from "../support/contract.js";
import { createEditedContract } from "../support/edited-contract.js";

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
    const response = { status: 200, headers: {} };
    expect(citeResponse(update, response, { location, code: code as ViolationCode })).toEqual(citation);
  });

  test.each([
    [200, "application/json", { decision: "D-01" }],
    [200, "application/vnd.cup+json", { decision: "D-02" }],
    [200, "text/plain", { decision: "D-01" }],
    [404, "application/json", { decision: "D-03" }],
    [500, "application/json", { decision: "D-04" }],
  ])("in a %i as %s", (status, type, citation) => {
    const content = (name: string, decision: string) => ({ [name]: { schema: { "x-decision": decision } } });
    const { operations } = createEditedContract(({ paths }) => {
      const of = (...forms: object[]) => ({ description: "", content: Object.assign({}, ...forms) });
      Object.assign(Object.values(paths)[0]?.patch ?? {}, {
        responses: {
          200: of(content("application/json", "D-01"), content("application/vnd.cup+json", "D-02")),
          "4XX": of(content("application/json", "D-03")),
          default: of(content("application/json", "D-04")),
        },
      });
    });
    const response = { status, headers: { "content-type": type } };
    expect(citeResponse(operations[0], response, { location: "body" })).toEqual(citation);
  });
});
