// What a request has besides the value that a case is about must not be the reason for which a target rejects it.
import { expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import type { SchemaObject } from "../../../src/contract/openapi-document.js";
import { toRequestSpec } from "../../../src/contract/request-spec.js";
import { sampleMembers } from "../../../src/tools/verify/cases/places.js";

const contract = await loadContract();

test("every reserved character of a query is encoded, the apostrophe too", () => {
  const { target } = toRequestSpec({ method: "get", path: "/" }, { query: { search: "O'Neil (a)!*" } }, "key");
  expect(target).toBe("/?search=O%27Neil%20%28a%29%21%2A");
});

const BASE: SchemaObject = {
  type: "object",
  required: ["kind"],
  properties: {
    kind: { type: "string", enum: ["timed"] },
    from: { type: "integer", minimum: 3 },
    note: { type: "string" },
  },
};

/** Conditions as a file has them. */
test.each<[title: string, conditions: string, names: string[]]>([
  ["no condition", "{}", ["kind"]],
  [
    "a condition that holds",
    '{ "if": { "properties": { "kind": { "const": "timed" } } }, "then": { "required": ["from"] } }',
    ["kind", "from"],
  ],
  [
    "one that does not hold",
    '{ "if": { "properties": { "kind": { "const": "other" } } }, "then": { "required": ["from"] } }',
    ["kind"],
  ],
  [
    "one with an alternative",
    '{ "if": { "required": ["note"] }, "then": { "required": ["from"] }, "else": { "required": ["note"] } }',
    ["kind", "note"],
  ],
])("members beside a value › %s", (_title, conditions, names) => {
  const members = sampleMembers(contract, { ...BASE, ...JSON.parse(conditions) });
  expect(Object.keys(members)).toEqual(names);
});
