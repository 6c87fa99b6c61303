// A target must not reject a request because of a part that its case is not about.
import { expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { buildRequestSpec } from "../../../src/contract/request.js";
import { sampleMembers } from "../../../src/tools/verify/cases/places.js";

const contract = await loadContract();

test("every reserved character of a query is encoded, the apostrophe too", () => {
  const { target } = buildRequestSpec({ method: "get", path: "/" }, { query: { search: "O'Neil (a)!*" } }, "key");
  expect(target).toBe("/?search=O%27Neil%20%28a%29%21%2A");
});

const THEN = "then"; // as a literal name it would look like a promise's
const BASE = {
  type: "object",
  required: ["kind"],
  properties: {
    kind: { type: "string", enum: ["timed"] },
    from: { type: "integer", minimum: 3 },
    note: { type: "string" },
  },
};

const isKind = (kind: string) => ({ properties: { kind: { const: kind } } });
const needs = (name: string) => ({ required: [name] });

test.each<[title: string, conditions: object, names: string[]]>([
  ["no condition", {}, ["kind"]],
  ["a condition that holds", { if: isKind("timed"), [THEN]: needs("from") }, ["kind", "from"]],
  ["one that does not hold", { if: isKind("other"), [THEN]: needs("from") }, ["kind"]],
  [
    "one with an alternative",
    { if: needs("note"), [THEN]: needs("from"), else: needs("note") },
    ["kind", "note", "from"],
  ],
])("members beside a value › %s", (_title, conditions, names) => {
  const members = sampleMembers(contract.schemaOf({ ...BASE, ...conditions }));
  expect(Object.keys(members)).toEqual(names);
});
