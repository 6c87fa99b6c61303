// The keywords of a schema as phrases: `at most 50`. The docs and the review share them.
import { toList } from "../../contract/lists.js";

const PHRASES: Readonly<Record<string, (value: string) => string>> = {
  type: (value) => `of type ${value}`,
  const: (value) => `always ${value}`,
  enum: (value) => `one of ${value}`,
  format: (value) => `of the format ${value}`,
  pattern: (value) => `matching ${value}`,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minLength: (value) => (value === "1" ? "not empty" : `at least ${value} characters`),
  maxLength: (value) => `at most ${value} characters`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  uniqueItems: (value) => (value === "true" ? "without duplicates" : "with or without duplicates"),
  minProperties: (value) => `at least ${value} members`,
  maxProperties: (value) => `at most ${value} members`,
  default: (value) => `${value} by default`,
};

/** In the order in which they are shown. */
export const PHRASED_KEYWORDS: readonly string[] = Object.keys(PHRASES);

export function describeConstraint(keyword: string, value: unknown): string {
  const values = toList(value).map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  const name = keyword === "enum" && values.length === 1 ? "const" : keyword;
  const text = values.join(", ");
  return PHRASES[name]?.(text) ?? `${name} ${text}`;
}
