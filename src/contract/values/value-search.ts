// What the search for a value passes down to members and items.
import type { Direction, SchemaNode } from "../copy-schema.js";
import type { SchemaObject } from "../openapi-document.js";
import { type Conjunction, valuesOf } from "../sample/conjunctions.js";
import type { Schema } from "../schema.js";

export interface Search {
  isSmallest: boolean;
  direction: Direction | undefined;
  /** Values are checked on their own. To check the whole once is faster, and mostly enough. */
  isChecked: boolean;
  /** Required members may be missing. */
  isPartial: boolean;
  /** The schemas around the current one, by which recursion ends. */
  parents: readonly SchemaObject[];
  /** How often the search has started again with another seed. */
  attempt: number;
  /** Values left to try, so that the search ends in a schema that allows none. */
  steps: { left: number };
  find(schema: Schema, variation: Variation, search: Search, isNew?: IsNew): unknown;
}

/** Rejects values, such as those that a list has already. */
export type IsNew = (value: unknown) => boolean;

/** Values of one schema differ by these. Texts contain the name of their member. */
export interface Variation {
  randomSeed: string;
  name: string;
}

const MAX_OPTIONAL_STEPS = 100;

/** Finds the value of a member or item that nothing requires: it is left out if it takes long. */
export function findOptional(schema: Schema, variation: Variation, search: Search, isNew?: IsNew): unknown {
  const budget = Math.min(MAX_OPTIONAL_STEPS, search.steps.left);
  const steps = { left: budget };
  const value = search.find(schema, variation, { ...search, steps }, isNew);
  search.steps.left -= budget - Math.max(steps.left, 0);
  return value;
}

const READINGS: readonly ((own: readonly SchemaNode[], unevaluated: readonly SchemaNode[]) => readonly SchemaNode[])[] =
  [
    (own, unevaluated) => (own.length > 0 ? own : unevaluated),
    (own, unevaluated) => [...own, ...unevaluated],
    (own, unevaluated) => (own.length > 0 ? own : unevaluated.filter((node) => node !== false)),
  ];

/**
 * Which members and items `unevaluatedProperties` and `unevaluatedItems` are for depends on where in the schema they
 * stand: each attempt takes another reading.
 */
export function readingOf(parts: Conjunction, keyword: string, { attempt }: Search): number {
  return parts.some((part) => keyword in part) ? attempt % READINGS.length : 0;
}

/** What a member or item matches besides its own schemas. */
export function withUnevaluated(
  own: readonly SchemaNode[],
  unevaluated: readonly SchemaNode[],
  reading: number,
): readonly SchemaNode[] {
  return READINGS[reading]?.(own, unevaluated) ?? own;
}

/** The schema of a member or item that several schemas describe. */
export function combine(schema: Schema, nodes: readonly SchemaNode[]): Schema | undefined {
  if (nodes.includes(false)) return undefined;
  const [first = true] = nodes;
  return schema.of(nodes.length > 1 ? { allOf: nodes } : first);
}

export function isHidden({ direction }: Search, member: Schema): boolean {
  return direction !== undefined && member.isHiddenIn(direction);
}

/** True if a member or the items of a list have a schema that is around them. */
export function isAround({ parents }: Search, schema: Schema): boolean {
  const { flat } = schema;
  return parents.includes(flat) || (flat.items !== undefined && parents.includes(schema.items.flat));
}

export const leastOf = (parts: Conjunction, keyword: string) => Math.max(0, ...valuesOf<number>(parts, keyword));
export const mostOf = (parts: Conjunction, keyword: string) => Math.min(Infinity, ...valuesOf<number>(parts, keyword));
