// Finds where one schema no longer allows what another does. A request breaks where the new schema is the narrower one, a
// response where the old one is.
import type { Pointer } from "../../contract/contract-file.js";
import { compareDefaults } from "./keywords/defaults.js";
import { compareEnums, finiteValues } from "./keywords/enums.js";
import { descendIntoItems } from "./keywords/items.js";
import { compareNumbers } from "./keywords/numbers.js";
import { compareOtherKeywords } from "./keywords/other-keywords.js";
import { compareProperties, descendIntoProperties } from "./keywords/properties.js";
import { compareSizes } from "./keywords/sizes.js";
import { compareStrings } from "./keywords/strings.js";
import { compareTypes } from "./keywords/types.js";
import type { Descent, Narrowing, NarrowingRule } from "./narrowing-rule.js";
import { allowsAnything, locateKeyword, memberOf, type SchemaView } from "./schema-view.js";

const RULES: readonly NarrowingRule[] = [
  compareTypes,
  compareEnums,
  compareNumbers,
  compareSizes,
  compareStrings,
  compareProperties,
  compareOtherKeywords,
  compareDefaults,
];
const DESCENTS: readonly Descent[] = [descendIntoProperties, descendIntoItems];

interface Position {
  path: readonly string[];
  /** The nearest parents, for subschemas that are written nowhere. */
  parents: readonly Pointer[];
}

export function findNarrowings(from: SchemaView, to: SchemaView): Narrowing[] {
  const narrowings: Narrowing[] = [];
  const visited = new Set<string>();
  visit(from, to, { path: [], parents: [[], []] });
  return narrowings;

  function visit(fromView: SchemaView, toView: SchemaView, { path, parents }: Position): void {
    const key = JSON.stringify([fromView, toView].map(({ conjuncts }) => conjuncts.map(({ pointer }) => pointer)));
    if (visited.has(key)) return; // a schema that contains itself
    visited.add(key);
    const rules = finiteValues(fromView) ? [compareEnums, compareDefaults] : RULES;
    const found = rules.flatMap((rule) => rule(fromView, toView));
    const here = [fromView, toView].map(({ conjuncts }, side) => conjuncts[0]?.pointer ?? parents[side] ?? []);
    // Where everything was allowed, the first narrowing implies the others.
    for (const narrowing of allowsAnything(fromView) ? found.slice(0, 1) : found) {
      const { keyword } = narrowing;
      const member = keyword === "properties" ? memberOf(fromView, String(narrowing.from)) : undefined;
      const fromPointer = member?.conjuncts[0]?.pointer ?? locateKeyword(fromView, keyword, toView) ?? here[0];
      const toPointer = locateKeyword(toView, keyword, fromView) ?? here[1];
      narrowings.push({ ...narrowing, path, fromPointer, toPointer, fromView, toView });
    }
    const visitStep = (step: string, fromPart: SchemaView, toPart: SchemaView) =>
      visit(fromPart, toPart, { path: [...path, step], parents: here });
    for (const descend of allowsAnything(fromView) ? [] : DESCENTS) descend(fromView, toView, visitStep);
    visited.delete(key); // elsewhere in the value the same pair is a narrowing of its own
  }
}
