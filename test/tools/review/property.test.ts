// Two schemas of one keyword: the review names the side that a value breaks which one of them allows alone, judges the
// mirrored pair with the sides exchanged, and calls the same what is only written in another way.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { SchemaObject } from "../../../src/contract/schema.js";
import { whoBreaks } from "../../../src/tools/review/changes/change.js";
import { findChanges } from "../../../src/tools/review/changes/changes.js";
import { SIZES } from "../../support/sizes.js";
import { loadSide, type PairVerdict, type Place, verdictOf } from "./small-pairs.js";

const PLACES = ["request", "response", "query"] as const satisfies Place[];
const bound = fc.integer({ min: 0, max: 4 });
const scalar = fc.constantFrom<unknown>("", "a", "b", "ab", "\n", 0, 1, 2, 2.5, -1, true, null);
const small = fc.constantFrom<unknown>(
  true,
  false,
  { type: "string" },
  { type: "integer" },
  { const: "a" },
  {
    type: "string",
    maxLength: 1,
  },
);
const names = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 });
const schemas = fc.array(small, { minLength: 1, maxLength: 2 });
const byName = fc.dictionary(fc.constantFrom("a", "b"), small, { maxKeys: 2 });
const pattern = fc.constantFrom("^a", "b$", ".", "^[ab]*$", "^a?b?$");
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/** By keyword: the schema around it, and its values. */
const KEYWORDS: Record<string, [around: object, values: fc.Arbitrary<unknown>]> = {
  ...Object.fromEntries(BOUNDS.map((name) => [name, [{ type: "number" }, bound]])),
  multipleOf: [{ type: "number" }, fc.constantFrom(0.5, 1, 2, 3)],
  minLength: [{ type: "string" }, bound],
  maxLength: [{ type: "string" }, bound],
  pattern: [{ type: "string" }, pattern],
  enum: [{}, fc.uniqueArray(scalar, { minLength: 1, maxLength: 3, selector: JSON.stringify })],
  const: [{}, scalar],
  type: [{}, fc.constantFrom("string", "integer", "number", "boolean", "null", "array", "object", ["string", "null"])],
  minItems: [{ type: "array" }, bound],
  maxItems: [{ type: "array" }, bound],
  uniqueItems: [{ type: "array" }, fc.boolean()],
  items: [{ type: "array" }, small],
  prefixItems: [{ type: "array" }, schemas],
  contains: [{ type: "array" }, small],
  required: [{ type: "object" }, names],
  properties: [{ type: "object" }, byName],
  additionalProperties: [{ type: "object", properties: { a: {} } }, small],
  patternProperties: [{ type: "object" }, fc.dictionary(fc.constantFrom("^a", "^b"), small, { maxKeys: 2 })],
  propertyNames: [
    { type: "object" },
    fc.constantFrom<unknown>({ enum: ["a"] }, { enum: ["a", "b"] }, { pattern: "^a" }, { maxLength: 1 }),
  ],
  minProperties: [{ type: "object" }, bound],
  maxProperties: [{ type: "object" }, bound],
  dependentRequired: [{ type: "object" }, fc.dictionary(fc.constantFrom("a", "b"), names, { maxKeys: 2 })],
  dependentSchemas: [
    { type: "object" },
    fc.dictionary(fc.constantFrom("a"), fc.constantFrom({ required: ["b"] }, { minProperties: 2 }, {})),
  ],
  anyOf: [{}, schemas],
  oneOf: [{}, schemas],
  allOf: [{}, schemas],
  not: [{}, small],
};

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    scalar,
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("any"), { maxKeys: 3 }),
  ),
})).any;

const pair = fc.constantFrom(...Object.keys(KEYWORDS)).chain((keyword) => {
  const [around, values] = KEYWORDS[keyword] as [object, fc.Arbitrary<unknown>];
  const side = fc
    .option(values, { nil: undefined })
    .map((one) => (one === undefined ? around : { ...around, [keyword]: one }));
  return fc.tuple(fc.constantFrom(...PLACES), side, side);
});

const MIRRORED: Partial<Record<PairVerdict, PairVerdict>> = { clients: "implementations", implementations: "clients" };

test("a pair of schemas of one keyword", async () => {
  await fc.assert(
    fc.asyncProperty(pair, fc.array(value, { minLength: 30, maxLength: 30 }), async ([place, before, after], drawn) => {
      const [older, newer] = [await loadSide(place, before), await loadSide(place, after)];
      const changes = findChanges(older, newer);
      const verdict = verdictOf(changes);
      const mirrored = verdictOf(findChanges(newer, older));
      expect(mirrored, "the mirrored pair").toBe(MIRRORED[verdict] ?? verdict);
      if (place === "query") return; // a query has texts alone
      const [one, other] = [older.schemaOf(before as SchemaObject), newer.schemaOf(after as SchemaObject)];
      const { lost, gained } = whoBreaks(place);
      const affected = new Set(changes.flatMap(({ breaks, undecided }) => [...breaks, ...Object.keys(undecided)]));
      for (const candidate of drawn) {
        const shown = JSON.stringify(candidate);
        if (one.allows(candidate) && !other.allows(candidate)) expect(affected, `${shown} was allowed`).toContain(lost);
        if (other.allows(candidate) && !one.allows(candidate))
          expect(affected, `${shown} is allowed`).toContain(gained);
      }
    }),
    { numRuns: SIZES.pairs },
  );
}, 3_600_000);

test("a schema that is only written in another way", async () => {
  await fc.assert(
    fc.asyncProperty(pair, fc.integer({ min: 0, max: 2 }), async ([, before], way) => {
      const reversed = Object.fromEntries(Object.entries(before).toReversed());
      const A = [{ $ref: "#/components/schemas/B" }, { allOf: [{ $ref: "#/components/schemas/B" }] }, reversed][way];
      const [older, newer] = [await loadSide("schemas", { A: before }), await loadSide("schemas", { A, B: before })];
      expect(verdictOf(findChanges(older, newer))).toBe("same");
    }),
    { numRuns: SIZES.pairs },
  );
}, 3_600_000);
