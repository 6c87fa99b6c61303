// Values near a schema: at its bounds and just beyond them, misspellings of its examples, and what programs send by mistake. The
// schema decides which of them are valid, not this file.
import type { SchemaObject } from "../openapi-document.js";

const HEX_ID = "66e0f1a20c4b3d5e6f708101";

// The last ones are not RFC 3339, although they look like it.
const TIMES = [
  ...["T00:00:00Z", "t23:59:59.999z", "T12:00:00.123+05:30", "T00:00:00-00:00", " 00:00:00Z", "T00:00:00", ""],
  ...["T24:00:01Z", "T00:60:00Z", "T00:00Z", "T00:00:00+0100", "T00:00:00,5Z", "T00:00:00Z ", "T00:00:00Z[UTC]"],
];
const DATES = [
  ...TIMES.map((time) => `2026-06-30${time}`),
  ...["2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "yesterday", "1793523600000", "Mon, 02 Nov 2026 09:00:00 GMT"],
];

const TEXTS = [
  ...["x", "a,b", "a+b", "%", "%2F", "..", "'\"<>&", "null", "undefined", "ünï ✓ 潮"],
  ...[255, 256, 2000].map((length) => "x".repeat(length)),
];
const NUMBERS = [-1, 0, 1, 2, 10, 49, 50, 51, 100, 1000, 2 ** 31, 1.5];
const JSON_VALUES = [null, true, false, 0, 1, 1.5, "", "x", "true", [], [true], {}];

/** A bound of 20 becomes 19, 20 and 21. Whatever is no number is left out. */
export function aroundBounds(bounds: readonly unknown[]): number[] {
  return bounds.filter((bound) => typeof bound === "number").flatMap((bound) => [bound - 1, bound, bound + 1]);
}

function numbersAround(schema: SchemaObject): number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return aroundBounds([minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf]);
}

/** Texts of those lengths. */
function textsAround({ minLength, maxLength }: SchemaObject): string[] {
  return aroundBounds([minLength, maxLength]).map((length) => "x".repeat(Math.max(length, 0)));
}

/** Each value once, as JSON tells them apart. */
export function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Values of every JSON type, near a schema and its example. */
export function jsonValuesNear(schema: SchemaObject, example: unknown): unknown[] {
  const examples = (schema.examples as unknown[] | undefined) ?? [];
  return distinct([...JSON_VALUES, ...examples, ...textsNear(schema, example), ...numbersNear(schema)]);
}

/** None if the schema allows no number. */
export function numbersNear(schema: SchemaObject): number[] {
  if (!["integer", "number"].some((type) => [schema.type].flat().includes(type))) return [];
  return [...NUMBERS, ...numbersAround(schema)];
}

/** None if the schema allows no text. */
export function textsNear(schema: SchemaObject, example: unknown): unknown[] {
  if (schema.type !== undefined && schema.type !== "string") return textsAround(schema);
  const members = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  const sample = String(example ?? members[0] ?? "x");
  const variants = [sample.slice(1), `${sample}0`, `g${sample.slice(1)}`, `${sample}\n`, ` ${sample}`];
  const near = [sample, ...variants, sample.toUpperCase()];
  const misses = members.length > 0 || schema.pattern !== undefined ? near : [];
  const dates = schema.format === "date-time" || String(schema.pattern).includes("[Tt]") ? DATES : [];
  return [...members, ...misses, ...dates, ...TEXTS, HEX_ID, ...textsAround(schema)];
}
