// Samples of schemas: valid by a separate Ajv, the same each time, and never endless.
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import type { OpenApiDocument, SchemaObject } from "../../src/contract/openapi-document.js";
import { sampleValue } from "../../src/contract/values/example.js";

const SEEDS = ["", "66e0f1a20c4b3d5e6f708101", "66e0f1a20c4b3d5e6f708102", "GET /v2/subscribers/a b/preferences"];

const components = {
  schemas: {
    Id: { type: "string", pattern: "^[0-9a-f]{24}$" },
    Tree: { type: "object", required: ["left"], properties: { left: { $ref: "#/components/schemas/Tree" } } },
    Node: {
      type: "object",
      required: ["value", "children"],
      properties: {
        value: { type: "integer" },
        next: { $ref: "#/components/schemas/Node" },
        children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
      },
    },
    Link: {
      anyOf: [
        { type: "object", required: ["next"], properties: { next: { $ref: "#/components/schemas/Link" } } },
        { type: "null" },
      ],
    },
    Even: { allOf: [{ $ref: "#/components/schemas/Even" }, { type: "integer", multipleOf: 2 }] },
  },
};

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more }) as SchemaObject;

const VALID: Readonly<Record<string, object>> = {
  "an empty schema": {},
  "an enum with a type that excludes one": { type: "string", enum: [1, "b"] },
  "an example that is wrong": { type: "integer", example: "x", examples: ["y"], default: null },
  "bounds of an integer": { type: "integer", exclusiveMinimum: 3.5, maximum: 4 },
  "bounds of a number": { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.01 },
  "only an upper bound": { type: "integer", maximum: -7 },
  "a multiple in floating point": { type: "number", minimum: 0.06, maximum: 0.08, multipleOf: 0.01 },
  "a text of some length": { type: "string", minLength: 40, maxLength: 40 },
  "a text of no length": { type: "string", maxLength: 0 },
  "a text of characters beyond the BMP": { type: "string", pattern: "^\\p{Extended_Pictographic}{2}$" },
  "a pattern of an identifier": ref("Id"),
  "a pattern and a length": { type: "string", pattern: "^[A-Z]+(-[A-Z]+)*$", minLength: 9, maxLength: 12 },
  "a pattern with a look-ahead": { type: "string", pattern: "^(?!text)[a-z]+-[0-9]+$" },
  "a format and a pattern": { type: "string", format: "date-time", pattern: "Z$" },
  "a list of unique values": { type: "array", items: { enum: ["a", "b", "c"] }, minItems: 3, uniqueItems: true },
  "a list that contains": { type: "array", items: { type: "string" }, contains: { minLength: 30 } },
  "an object with required members": object({ a: { type: "integer" }, b: ref("Id") }, { required: ["a", "b", "c"] }),
  "a closed object": object({ a: { type: "null" } }, { additionalProperties: false }),
  "an object of a size": { type: "object", minProperties: 3, additionalProperties: { type: "boolean" } },
  "members that depend on each other": object({ a: {}, b: {} }, { dependentRequired: { a: ["b", "d"] } }),
  "one of several": {
    oneOf: [{ type: "string", const: "card" }, object({ kind: { const: "b" } }, { required: ["kind"] })],
  },
  "one of several, with more around it": object(
    { kind: { type: "string" }, iban: { type: "string", minLength: 15 } },
    {
      required: ["kind"],
      oneOf: [
        { properties: { kind: { const: "iban" } }, required: ["iban"] },
        { properties: { kind: { const: "cash" } }, not: { required: ["iban"] } },
      ],
    },
  ),
  "only one branch is possible": { type: "integer", anyOf: [{ type: "string" }, { minimum: 1000 }] },
  "two patterns": { allOf: [{ type: "string", pattern: "^[a-z]" }, { pattern: "[0-9]$" }] },
  "two alternatives at once": {
    allOf: [{ oneOf: [{ required: ["a"] }, { required: ["b"] }] }, { anyOf: [{ required: ["c"] }] }],
    type: "object",
  },
  "a condition": object(
    { country: { enum: ["DE", "US"] }, zip: { type: "string" } },
    {
      required: ["country", "zip"],
      if: { properties: { country: { const: "DE" } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { zip: { pattern: "^[0-9]{5}$" } } },
      else: { properties: { zip: { pattern: "^[0-9]{5}-[0-9]{4}$" } } },
    },
  ),
  "what it must not be": { type: "integer", minimum: 0, not: { maximum: 5 } },
  nullable: { type: ["null", "string"], format: "email" },
  "a recursive object": ref("Node"),
  "a recursive object that ends in null": ref("Link"),
  "a schema that is a part of itself": ref("Even"),
  "a required member without a schema": { type: "object", required: ["__proto__", "constructor"] },
};

const document = { components, paths: {} } as unknown as OpenApiDocument;

/** @returns a function that compiles a schema of the document, to one that lists what is wrong with a value. */
function createCompile(whole: object): (schema: object) => (value: unknown) => unknown {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  ajvFormats.default(ajv);
  ajv.addSchema(whole, "whole");
  return (schema) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"whole#/')));
    return (value) => (validate(value) ? [] : validate.errors);
  };
}

describe("sampleValue", () => {
  const compile = createCompile(document);
  const cases = Object.entries(VALID).filter(([title]) => title !== "a schema that is a part of itself");
  test.each(cases)("%s › valid and the same each time", (_title, keywords) => {
    const schema = keywords as SchemaObject;
    const violationsOf = compile(schema);
    for (const seed of SEEDS) {
      for (const isSmallest of [false, true]) {
        const value = sampleValue(document, schema, seed, { isSmallest });
        expect(value, seed).toBeDefined();
        expect(violationsOf(value), JSON.stringify(value)).toEqual([]);
        expect(sampleValue(structuredClone(document), structuredClone(schema), seed, { isSmallest })).toEqual(value);
      }
    }
  });

  const requiring = (a: object) => object({ a }, { required: ["a"] });
  const impossible: [string, object][] = [
    ["nothing is allowed", { not: {} }],
    ["bounds exclude each other", { type: "integer", minimum: 2, maximum: 1 }],
    ["types exclude each other", { allOf: [{ type: "string" }, { type: "object" }] }],
    ["an endless object", ref("Tree")],
    ["an impossible member", requiring(requiring(requiring(requiring({ not: {} }))))],
  ];
  test.each(impossible)("%s › undefined", (_title, schema) => {
    expect(sampleValue(document, schema as SchemaObject, "a")).toBeUndefined();
  });

  test("a member has the value that the schema names, in the order example, default, const", () => {
    const schema = object({
      a: { type: "string", example: "e", default: "d" },
      b: { type: "string", examples: ["f"], enum: ["d", "f"], default: "d" },
      c: { type: "integer", default: 7 },
      d: { const: null },
    });
    expect(sampleValue(document, schema, "x")).toEqual({ a: "e", b: "f", c: 7, d: null });
  });

  test("values differ by seed, and texts say which member they are", () => {
    const schema = object({
      title: { type: "string" },
      rank: { type: "integer" },
      at: { type: "string", format: "date-time" },
    });
    const values = Array.from({ length: 20 }, (_, index) => sampleValue(document, schema, `record ${index}`));
    for (const name of ["title", "rank", "at"] as const)
      expect(new Set(values.map((value) => (value as Record<string, unknown>)[name])).size, name).toBeGreaterThan(10);
    expect((values[0] as { title: string }).title).toMatch(/^title \d+$/);
  });

  test("a list has no item twice that can have only one value, unless it has to", () => {
    const list = { type: "array", items: { type: "object", required: ["id"], properties: { id: { example: "a" } } } };
    expect(sampleValue(document, list)).toEqual([{ id: "a" }]);
    expect(sampleValue(document, { ...list, minItems: 2 })).toEqual([{ id: "a" }, { id: "a" }]);
  });

  test("every schema of the contract", async () => {
    const contract = await loadContract();
    const compileOwn = createCompile(contract.document);
    for (const [name, schema] of Object.entries(contract.document.components.schemas)) {
      const value = sampleValue(contract.document, schema, "a");
      expect(compileOwn(schema)(value), name).toEqual([]);
    }
  });
});
