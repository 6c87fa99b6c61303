// Random values that a schema allows, most of them near its bounds or taken from the target's data.
import fc, { type Arbitrary } from "fast-check";
import type { SchemaObject } from "../../../contract/openapi-document.js";
import { sampleOf } from "../../../contract/sample/sample.js";
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
