// Values near those that a schema allows: at its bounds and beyond, misspelled examples, and common mistakes. For
// `maximum: 50`, these are 49, 50 and 51. Only the schema decides which of them are valid.
import { distinct } from "../../../contract/json.js";
import { toList } from "../../../contract/lists.js";
import type { SchemaObject } from "../../../contract/openapi-document.js";
import { aroundBounds, HEX_ID, INSTANTS } from "../../../contract/sample/scalars.js";

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
