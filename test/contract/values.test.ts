// Samples of schemas: valid by a separate Ajv, the same each time, and never endless.
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { nearestSampleOf, sampleOf } from "../../src/contract/sample/sample.js";
import { createSchemas, type Schema } from "../../src/contract/schema.js";
import { createSchemaChecker } from "../../src/contract/schema-checker.js";
import { contract } from "../support/contract.js";
import { isWeekly, SIZES } from "../support/sizes.js";
import { createRandomSchema, keywordsOf } from "./random-schemas.js";

const SEEDS = ["", "GET /v2/subscribers/a b/preferences"];

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
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

const VALID: Readonly<Record<string, object>> = {
  "an empty schema": {},
  "an enum with a type that excludes one": { type: "string", enum: [1, "b"] },
  "an example that is wrong": { type: "integer", example: "x", examples: ["y"], default: null },
  "bounds of an integer": { type: "integer", exclusiveMinimum: 3.5, maximum: 4 },
  "bounds of a number": { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.01 },
  "a multiple in floating point": { type: "number", minimum: 0.06, maximum: 0.08, multipleOf: 0.01 },
  "a text of some length": { type: "string", minLength: 40, maxLength: 40 },
  "a text of no length": { type: "string", maxLength: 0 },
  "a text of characters beyond the BMP": { type: "string", pattern: "^\\p{Extended_Pictographic}{2}$" },
  "a pattern of an identifier": ref("Id"),
  "a pattern and a length": { type: "string", pattern: "^[A-Z]+(-[A-Z]+)*$", minLength: 9, maxLength: 12 },
  "a pattern with a look-ahead": { type: "string", pattern: "^(?!text)[a-z]+-[0-9]+$" },
  "a format and a pattern": { type: "string", format: "date-time", pattern: "Z$" },
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
  "names of Object's own members": object(
    { toString: { type: "integer" }, valueOf: {}, __proto__: {} },
    { required: ["valueOf"] },
  ),
  "members of a pattern only": {
    type: "object",
    minProperties: 2,
    patternProperties: { "^x-": { type: "integer" } },
    additionalProperties: false,
  },
  "names of a form": {
    type: "object",
    minProperties: 2,
    propertyNames: { pattern: "^[a-z]{2}$" },
    additionalProperties: { type: "integer" },
  },
  "no more members than that": object({ a: {}, b: {}, c: {} }, { maxProperties: 2, required: ["c"] }),
  "a tuple": { type: "array", minItems: 2, prefixItems: [{ type: "integer" }, { type: "string" }], items: false },
  "a list that contains several": {
    type: "array",
    items: { type: "integer" },
    contains: { minimum: 50 },
    minContains: 2,
    maxContains: 2,
    minItems: 4,
  },
  "unique objects": {
    type: "array",
    minItems: 3,
    uniqueItems: true,
    items: object({ id: { type: "integer" } }, { required: ["id"] }),
  },
  "a schema of objects with a member": object(
    { a: { const: 1 } },
    { dependentSchemas: { a: { required: ["b"], properties: { b: { const: 2 } } } } },
  ),
  "members that exclude each other": object({ a: {}, b: {} }, { not: { required: ["a", "b"] }, minProperties: 1 }),
  "not a value of a member": object(
    { kind: { enum: ["a", "b"] } },
    { required: ["kind"], not: { properties: { kind: { const: "a" } } } },
  ),
  "not a type": { not: { type: ["string", "object", "array", "null", "boolean"] } },
  "neither of two": { type: "integer", minimum: 0, not: { anyOf: [{ maximum: 10 }, { multipleOf: 2 }] } },
  "multiples of two numbers": { type: "number", minimum: 1, allOf: [{ multipleOf: 0.4 }, { multipleOf: 0.6 }] },
  "exclusive bounds between integers": { type: "number", exclusiveMinimum: 3, exclusiveMaximum: 4 },
  "a format and a length": { type: "string", format: "email", maxLength: 6 },
  "a pattern of an unknown format": { type: "string", format: "of-our-own", pattern: "^[A-Z]{3}-[0-9]{4}$" },
  "only what the branches name": {
    type: "object",
    oneOf: [object({ a: { type: "integer" } }, { required: ["a"] }), object({ b: {} }, { required: ["b"] })],
    unevaluatedProperties: false,
  },
};

const document = { components };

/** The schema of the document. */
function schemaOf(node: object, of: object = document): Schema {
  const { errorsOf } = createSchemaChecker(of);
  return createSchemas({ document: of, pointerOf: () => undefined, errorsOf })(node);
}

/** @returns a function that compiles a schema of the document, to one that lists what is wrong with a value. */
function createCompile(whole: object): (schema: object) => (value: unknown) => unknown {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    ownProperties: true,
    multipleOfPrecision: 9, // in floating point, 0.07 is no multiple of 0.01
  });
  ajvFormats.default(ajv);
  ajv.addSchema(whole, "whole");
  return (schema) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"whole#/')));
    return (value) => (validate(value) ? [] : validate.errors);
  };
}

describe("sampleOf", () => {
  const compile = createCompile(document);
  const cases = Object.entries(VALID).filter(([title]) => title !== "a schema that is a part of itself");
  test.each(cases)("%s › valid and the same each time", (_title, keywords) => {
    const violationsOf = compile(keywords);
    const [schema, copy] = [schemaOf(keywords), schemaOf(structuredClone(keywords), structuredClone(document))];
    for (const seed of SEEDS) {
      for (const isSmallest of [false, true]) {
        const value = sampleOf(schema, seed, { isSmallest });
        expect(value, seed).toBeDefined();
        expect(violationsOf(value), JSON.stringify(value)).toEqual([]);
        expect(sampleOf(copy, seed, { isSmallest })).toEqual(value);
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
    expect(sampleOf(schemaOf(schema), "a")).toBeUndefined();
  });

  const nearest: [string, object, unknown][] = [
    ["a member", object({ a: { const: 1 }, b: { not: {} } }, { required: ["a", "b"] }), { a: 1 }],
    [
      "a member of a member",
      requiring(object({ b: { not: {} }, c: { const: 2 } }, { required: ["b", "c"] })),
      { a: { c: 2 } },
    ],
    ["an optional member", object({ a: { const: 1 }, b: { not: {} } }), { a: 1 }],
    [
      "a text that nobody finds",
      object({ a: { const: 1 }, b: { type: "string", pattern: "^(?=.*q{9})(?=.*w{9}).*$" } }, { required: ["a", "b"] }),
      { a: 1 },
    ],
  ];
  test.each(nearest)("%s without a value costs no other one", (_title, schema, value) => {
    expect(nearestSampleOf(schemaOf(schema))).toEqual(value);
  });

  const secrets = object(
    {
      id: { const: 1, readOnly: true },
      password: { const: "p", writeOnly: true },
      name: { const: "n", readOnly: false, writeOnly: false },
    },
    { required: ["id", "password"] },
  );
  test.each([
    [undefined, { id: 1, password: "p", name: "n" }],
    ["request", { password: "p", name: "n" }],
    ["response", { id: 1, name: "n" }],
  ] as const)("direction %s: only the members of its messages", (direction, value) => {
    const schema = schemaOf(secrets);
    expect(sampleOf(schema, "a", direction ? { direction } : {})).toEqual(value);
    expect(schema.allows(value, direction)).toBe(true);
    expect(schema.allows({ id: 1, password: "p" }, direction)).toBe(direction === undefined);
  });

  test("a member has the value that the schema names, in the order example, default, const", () => {
    const schema = object({
      a: { type: "string", example: "e", default: "d" },
      b: { type: "string", examples: ["f"], enum: ["d", "f"], default: "d" },
      c: { type: "integer", default: 7 },
      d: { const: null },
    });
    expect(sampleOf(schemaOf(schema), "x")).toEqual({ a: "e", b: "f", c: 7, d: null });
  });

  test("values differ by seed, and texts say which member they are", () => {
    const schema = object({
      title: { type: "string" },
      rank: { type: "integer" },
      at: { type: "string", format: "date-time" },
    });
    const values = Array.from({ length: 20 }, (_, index) => sampleOf(schemaOf(schema), `record ${index}`));
    for (const name of ["title", "rank", "at"] as const)
      expect(new Set(values.map((value) => (value as Record<string, unknown>)[name])).size, name).toBeGreaterThan(10);
    expect((values[0] as { title: string }).title).toMatch(/^title \d+$/);
  });

  test("a list has no item twice that can have only one value, unless it has to", () => {
    const list = { type: "array", items: { type: "object", required: ["id"], properties: { id: { example: "a" } } } };
    expect(sampleOf(schemaOf(list))).toEqual([{ id: "a" }]);
    expect(sampleOf(schemaOf({ ...list, minItems: 2 }))).toEqual([{ id: "a" }, { id: "a" }]);
  });

  test("every schema of the contract", async () => {
    const compileOwn = createCompile(contract.document);
    for (const [name, schema] of Object.entries(contract.document.components.schemas)) {
      const value = sampleOf(contract.schemaOf(schema), "a");
      expect(compileOwn(schema)(value), name).toEqual([]);
    }
  });
});

test.each([false, { type: "integer" }])(
  "unevaluatedItems: %j is for no items that a branch is for",
  (unevaluatedItems) => {
    const texts = { items: { type: "string" } };
    const schema = schemaOf({ type: "array", anyOf: [texts, { minItems: 9 }], unevaluatedItems });
    expect([["a", "b"], [true]].map((value) => schema.allows(value))).toEqual([true, false]);
  },
);

test.each([false, { type: "integer" }])(
  "unevaluatedProperties: %j is for no members that a branch is for",
  (others) => {
    const branch = { properties: { a: { type: "string" } }, required: ["a"] };
    const whole = { type: "object", anyOf: [branch, { minProperties: 9 }], unevaluatedProperties: others };
    for (const schema of [
      schemaOf(whole),
      schemaOf({ allOf: [whole] }),
      schemaOf({ ...whole, anyOf: [{ allOf: [branch] }, {}] }),
    ])
      expect([{ a: "b" }, { a: "b", c: "d" }].map((value) => schema.allows(value))).toEqual([true, false]);
  },
);

/** Keywords that the dialect decides by. */
const KEYWORDS = `
  type const enum allOf anyOf oneOf not if then else $ref minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
  minLength maxLength pattern format items prefixItems minItems maxItems uniqueItems contains minContains maxContains
  unevaluatedItems properties patternProperties additionalProperties required minProperties maxProperties
  propertyNames dependentRequired dependentSchemas unevaluatedProperties`
  .trim()
  .split(/\s+/);

test(`of ${SIZES.randomSchemas} random schemas that allow a value, 99 % get one`, () => {
  const missed: number[] = [];
  const keywords = new Set<string>();
  for (let seed = 0; seed < SIZES.randomSchemas; seed += 1) {
    const random = createRandomSchema(seed);
    for (const keyword of keywordsOf(random)) keywords.add(keyword);
    const schema = schemaOf(random.schema, { components: random.components });
    expect(schema.check(random.witness), `schema ${seed}`).toEqual([]);
    const value = sampleOf(schema, "a");
    if (value === undefined) missed.push(seed);
    else expect(schema.check(value), `schema ${seed}`).toEqual([]);
  }
  expect(missed.length / SIZES.randomSchemas, `schemas without a value: ${missed}`).toBeLessThanOrEqual(0.01);
  if (isWeekly) expect([...keywords]).toEqual(expect.arrayContaining(KEYWORDS));
}, 900_000);
