// Values that cases send: random ones that a schema allows, most of them near its bounds or taken from the target's
// data, and those near what it allows. For `maximum: 50`, these are 49, 50 and 51; only the schema decides which are valid.
import fc, { type Arbitrary } from "fast-check";
import { distinct } from "../../../contract/json.js";
import { toList } from "../../../contract/lists.js";
import type { SchemaObject } from "../../../contract/openapi-document.js";
import { sampleOf } from "../../../contract/sample/sample.js";
import { aroundBounds, HEX_ID, INSTANTS } from "../../../contract/sample/scalars.js";
import type { Schema } from "../../../contract/schema.js";

/** @param existing values of the target; valid ones are drawn often. */
export function arbitraryOf(schema: Schema, existing: readonly unknown[] = []): Arbitrary<unknown> {
  const isValid = (value: unknown) => schema.allows(value, "request");
  const toValid = (value: unknown) =>
    isValid(value) ? value : sampleOf(schema, JSON.stringify(value), { direction: "request" });
  const generated = generatedOf(schema, existing).map(toValid);
  const valid = existing.filter(isValid);
  return valid.length === 0 ? generated : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...valid) }, generated);
}

/** Mostly valid values. */
function generatedOf(schema: Schema, existing: readonly unknown[]): Arbitrary<unknown> {
  const { type, minItems = 1, maxItems = 30 } = schema.flat;
  if (type === "object") {
    const members = [...schema.members].map(([name, member]) => [name, arbitraryOf(member, existing)]);
    const requiredKeys = schema.required.filter((name) => schema.members.has(name));
    return fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>, { requiredKeys });
  }
  if (type === "array") {
    const item = arbitraryOf(schema.items, existing);
    return fc.oneof(
      {
        weight: 4,
        arbitrary: fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(3, maxItems)) }),
      },
      fc.array(item, { minLength: maxItems, maxLength: maxItems }),
    );
  }
  return scalarOf(schema.flat);
}

const DAY_MS = 86_400_000;

/** Mostly valid values: other keywords may reject some. */
export function scalarOf(schema: SchemaObject): Arbitrary<unknown> {
  const { type, minLength = 0, maxLength = 300, minimum: min = -1000, maximum: max = 1_000_000 } = schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return fc.oneof(fc.integer({ min, max }), fc.integer({ min, max: Math.min(max, min + 5) }));
  if (type === "number") return fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
  if (type !== "string") return fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  if (schema.format === "date-time") return instants();
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  return fc.oneof(
    fc.string({ unit: "grapheme", minLength, maxLength: Math.min(20, maxLength) }),
    fc.string({ minLength: maxLength, maxLength }),
  );
}

/**
 * Instants of the last weeks in every form of RFC 3339, including a space instead of the T. None is in the future: only
 * a `before` in the future lists the records up to it (D-43).
 */
function instants(): Arbitrary<string> {
  const forms = fc.record({
    ms: fc.integer({ min: DAY_MS, max: 30 * DAY_MS }),
    offset: fc.constantFrom("Z", "z", "+00:00", "-00:00", "+05:30", "-08:00"),
    fraction: fc.constantFrom("", ".5", ".123"),
    separator: fc.constantFrom("T", "T", "t", " "),
  });
  const now = Date.now();
  return forms.map(({ ms, offset, fraction, separator }) => {
    const text = new Date(now - ms).toISOString();
    return `${text.slice(0, 10)}${separator}${text.slice(11, 19)}${fraction}${offset}`;
  });
}

const DATES = [
  ...INSTANTS,
  "2026-06-30T00:00:00",
  "2026-06-30",
  "2026-06-30T00:00Z",
  "2026-02-30T00:00:00Z",
  "yesterday",
];

const SHORT_TEXTS = ["x", "twelve-bytes", "a,b", "a+b", "%2F", "null", "ünï ✓ 潮"];
const TEXTS = [...SHORT_TEXTS, ...[255, 256, 2000].map((length) => "x".repeat(length))];
const NUMBERS = [-1, 0, 1, 2, 10, 49, 50, 51, 100, 1000, 2 ** 31, 1.5];
const JSON_VALUES = [null, true, false, 0, 1, 1.5, "", "x", "true", [], [true], {}];

function textsAround({ minLength, maxLength }: SchemaObject): string[] {
  return aroundBounds([minLength, maxLength]).map((length) => "x".repeat(Math.max(length, 0)));
}

export function jsonValuesNear(schema: SchemaObject, example: unknown): unknown[] {
  return distinct([...JSON_VALUES, ...(schema.examples ?? []), ...textsNear(schema, example), ...numbersNear(schema)]);
}

/** Empty if the schema allows no number. */
export function numbersNear(schema: SchemaObject): number[] {
  if (!["integer", "number"].some((type) => toList(schema.type).includes(type))) return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return [...NUMBERS, ...aroundBounds([minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf])];
}

/** For a schema that allows no text, only texts around its lengths. */
export function textsNear(schema: SchemaObject, example: unknown): unknown[] {
  if (schema.type !== undefined && schema.type !== "string") return textsAround(schema);
  const members = (schema.enum ?? []).map(literalTextOf);
  const sample = literalTextOf(example ?? members[0] ?? "x");
  const variants = [sample.slice(1), `${sample}0`, `g${sample.slice(1)}`, `${sample}\n`, ` ${sample}`];
  const near = [sample, ...variants, sample.toUpperCase()];
  const misses = members.length > 0 || schema.pattern !== undefined ? near : [];
  const dates = schema.format === "date-time" || String(schema.pattern).includes("[Tt]") ? DATES : [];
  return [...members, ...misses, ...dates, ...TEXTS, HEX_ID, ...textsAround(schema)];
}

const literalTextOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Names that lenient readers accept: `inApp` and `IN_APP` for `in_app`. */
export function misspell(name: string): string[] {
  const words = name.split(/_|(?=[A-Z])/).map((word) => word.toLowerCase());
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  const forms = [`${name}s`, name.toUpperCase(), words.join("_"), words.join("-"), camel, pascal];
  return [...new Set(forms)].filter((form) => form !== name);
}
