// Values at the bounds of a schema and just beyond them. Whether one is valid is decided by the schema, not here.
import type { SchemaObject } from "../openapi-document.js";

/** A bound of 20 becomes 19, 20 and 21. Whatever is no number is left out. */
export function aroundBounds(bounds: readonly unknown[]): number[] {
  return bounds.filter((bound) => typeof bound === "number").flatMap((bound) => [bound - 1, bound, bound + 1]);
}

export function numbersAround(schema: SchemaObject): number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return aroundBounds([minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf]);
}

/** Texts of those lengths. */
export function textsAround({ minLength, maxLength }: SchemaObject): string[] {
  return aroundBounds([minLength, maxLength]).map((length) => "x".repeat(Math.max(length, 0)));
}

/** Each value once, as JSON tells them apart. */
export function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
