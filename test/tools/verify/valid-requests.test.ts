// Requests from the contract: valid in each part that their case is not about, and on both sides of each bound.
import { expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { buildRequestSpec } from "../../../src/contract/request.js";
import { createKeywordCases } from "../../../src/tools/verify/cases/keyword-cases.js";
import { sampleMembers } from "../../../src/tools/verify/cases/places.js";

const contract = await loadContract();

test("every reserved character of a query is encoded, the apostrophe too", () => {
  const { target } = buildRequestSpec({ method: "get", path: "/" }, { query: { search: "O'Neil (a)!*" } }, "key");
  expect(target).toBe("/?search=O%27Neil%20%28a%29%21%2A");
});

test("there are cases on both sides of each bound, for each keyword", () => {
  const ids = createKeywordCases(contract).map(({ id }) => id.replace(/^\w+ › /, ""));
  const ofLists = ["query.channels", "query.templates", "query.emails", "query.subscriberIds"];
  const startOf = (id: string, length: number) =>
    ids.filter((one) => one.startsWith(id) && one.endsWith(`(${length})`));
  for (const place of ofLists) {
    expect(startOf(`${place} › accepts`, 20), place).not.toEqual([]);
    expect(startOf(`${place} › maxItems`, 21), place).not.toEqual([]);
  }
  expect(startOf("header.idempotency-key › accepts", 255)).not.toEqual([]);
  expect(startOf("header.idempotency-key › maxLength", 256)).not.toEqual([]);
  const sides = [
    ...['query.limit › minimum › "0"', 'query.limit › accepts › "1"', 'query.limit › accepts › "50"'],
    ...['query.limit › maximum › "51"', 'query.limit › type › "1.5"', "query.limit › allowEmptyValue"],
    ...['query.page › minimum › "-1"', 'query.page › accepts › "0"', 'query.page › type › "x"'],
    ...['query.channels[] › enum › "mail"', 'query.channels[] › enum › "EMAIL"', 'body.workflowId › minLength › ""'],
    ...['query.templates[] › pattern › "6e0f1a20c4b3d5e6f708101"', 'query.templates[] › accepts › "66E0F1A2'],
    ...["body › type › null", "body.channels › type › []", 'body.channels.push › type › "true"'],
    ...[
      "body.channels › required",
      "body › additionalProperties",
      "query.after › format",
      "body.workflowId › type › null",
    ],
  ];
  expect(sides.filter((side) => !ids.some((one) => one.startsWith(side)))).toEqual([]);
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
