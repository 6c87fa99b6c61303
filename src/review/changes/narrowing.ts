// Where one schema no longer allows what another does. For a request this is asked from the old contract to the new one,
// for an answer from the new one to the old: a narrowing breaks in both.
import type { Pointer } from "../../contract/contract-file.js";
import { compareDefaults } from "./keywords/defaults.js";
import { compareItems } from "./keywords/items.js";
import { compareMembers } from "./keywords/members.js";
import { compareNumbers } from "./keywords/numbers.js";
import { compareRemaining } from "./keywords/remaining.js";
import { compareSizes } from "./keywords/sizes.js";
import { compareTexts } from "./keywords/texts.js";
import { compareTypes } from "./keywords/types.js";
import { compareValues, finiteValues } from "./keywords/values.js";
import { isOpen, memberOf, placeOf, type SchemaView } from "./schema-view.js";

export interface Narrowing {
  /** Steps into the value: names, EACH_ITEM, EACH_MEMBER. */
  path: readonly string[];
  keyword: string;
  /** What both say; undefined for nothing. */
  from: unknown;
  to: unknown;
  fromPlace: Pointer | undefined;
  toPlace: Pointer | undefined;
  fromView: SchemaView;
  toView: SchemaView;
  /** False where only a witness can tell, as between two patterns. */
  isCertain: boolean;
  /** Values that may show it, made of the one that stands there. */
  mutate(current: unknown): unknown[];
}

/** What a rule says; the walk adds the path and the places. */
export type RuleFinding = Pick<Narrowing, "keyword" | "from" | "to" | "mutate"> & { isCertain?: boolean };

/** Compares one group of keywords at one place. */
export type NarrowingRule = (from: SchemaView, to: SchemaView) => RuleFinding[];

/** Compares what is below a place: `go` walks into a part of both. */
export type Descent = (
  from: SchemaView,
  to: SchemaView,
  go: (step: string, from: SchemaView, to: SchemaView) => void,
) => void;

const RULES: readonly NarrowingRule[] = [
  compareTypes,
  compareValues,
  compareNumbers,
  compareSizes,
  compareTexts,
  compareMembers.rule,
  compareRemaining,
  compareDefaults,
];
const DESCENTS: readonly Descent[] = [compareMembers.descend, compareItems];

interface Way {
  path: readonly string[];
  near: readonly Pointer[];
}

export function findNarrowings(from: SchemaView, to: SchemaView): Narrowing[] {
  const found: Narrowing[] = [];
  const seen = new Set<string>();
  walk(from, to, { path: [], near: [[], []] });
  return found;

  /** `near` is where the nearest parents are written, for parts that stand nowhere. */
  function walk(here: SchemaView, there: SchemaView, { path, near }: Way): void {
    const key = JSON.stringify([here, there].map(({ conjuncts }) => conjuncts.map(({ pointer }) => pointer)));
    if (seen.has(key)) return; // a schema that contains itself
    seen.add(key);
    const rules = finiteValues(here) ? [compareValues, compareDefaults] : RULES;
    const findings = rules.flatMap((rule) => rule(here, there));
    const parents = [here, there].map(({ conjuncts }, side) => conjuncts[0]?.pointer ?? near[side] ?? []);
    // Where everything was allowed, the first finding says it all.
    for (const finding of isOpen(here) ? findings.slice(0, 1) : findings) {
      const { keyword, isCertain = true } = finding;
      const member = keyword === "properties" ? memberOf(here, String(finding.from)) : undefined;
      const fromPlace = member?.conjuncts[0]?.pointer ?? placeOf(here, keyword, there) ?? parents[0];
      const toPlace = placeOf(there, keyword, here) ?? parents[1];
      found.push({ ...finding, isCertain, path, fromPlace, toPlace, fromView: here, toView: there });
    }
    const go = (step: string, one: SchemaView, other: SchemaView) =>
      walk(one, other, { path: [...path, step], near: parents });
    for (const descend of isOpen(here) ? [] : DESCENTS) descend(here, there, go);
    seen.delete(key); // elsewhere in the value the same pair is a finding of its own
  }
}
