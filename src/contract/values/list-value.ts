// Lists: as many items as `contains` and the bounds demand, each as its place demands.
import type { SchemaNode } from "../copy-schema.js";
import { mapDefined } from "../lists.js";
import { memoize } from "../memoize.js";
import { type Conjunction, valuesOf } from "../sample/conjunctions.js";
import type { Schema } from "../schema.js";
import {
  combine,
  findOptional,
  leastOf,
  mostOf,
  readingOf,
  type Search,
  type Variation,
  withUnevaluated,
} from "./value-search.js";

/** @returns undefined if a required item has no value. */
export function listOf(
  search: Search,
  schema: Schema,
  parts: Conjunction,
  { randomSeed, name }: Variation,
): unknown[] | undefined {
  const [least, most] = [leastOf(parts, "minItems"), mostOf(parts, "maxItems")];
  const length = Math.max(least, Math.min(most, usualLength(search, schema, parts)));
  const isUnique = valuesOf<boolean>(parts, "uniqueItems").includes(true);
  const wanted = findWanted(schema, parts);
  const reading = readingOf(parts, "unevaluatedItems", search);
  const longest = wanted.reduce((sum, { min }) => sum + min, Math.max(length, prefixOf(parts)));
  const list: unknown[] = [];
  const known = new Set<string>();
  while (list.length < length || (isNeeded() && list.length < Math.min(most, longest))) {
    const value = nextItem();
    if (value === undefined) return isNeeded() ? undefined : list;
    const text = JSON.stringify(value);
    if (known.has(text) && !isNeeded()) break;
    known.add(text);
    list.push(value);
  }
  return isNeeded() ? undefined : list;

  function isNeeded(): boolean {
    return list.length < least || wanted.some(isMissing);
  }

  function countOf({ contains }: Wanted): number {
    return list.filter((value) => contains.allows(value)).length;
  }

  function isMissing(one: Wanted): boolean {
    return countOf(one) < one.min;
  }

  /** An item that a `contains` lacks, if it can stand here, else any. */
  function nextItem(): unknown {
    const nodesOf = (some: Wanted[]): SchemaNode[][] => some.map(({ contains }) => [contains.node]);
    const full = wanted.filter((one) => countOf(one) >= one.max);
    const excluded = full.map(({ contains }) => ({ not: contains.node }));
    const others = wanted.filter((one) => !isMissing(one));
    for (const nodes of [...nodesOf(wanted.filter(isMissing)), [], ...nodesOf(others)]) {
      const item = itemOf(schema, parts, { place: list.length, reading, contained: nodes, excluded });
      const isNew = (value: unknown) => !isUnique || !known.has(JSON.stringify(value));
      const variation = { randomSeed: `${randomSeed}/${list.length}`, name };
      const find = isNeeded() ? search.find : findOptional;
      const value = item && find(item, variation, search, isNew);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

function usualLength(search: Search, schema: Schema, parts: Conjunction): number {
  const first = itemOf(schema, parts, { place: 0, reading: 0, contained: [], excluded: [] });
  if (search.isSmallest || (first && search.parents.includes(first.flat))) return 0;
  return Math.max(prefixOf(parts), search.parents.length > 3 ? 1 : 2);
}

/** How many items have to match a schema. */
interface Wanted {
  contains: Schema;
  min: number;
  max: number;
}

function findWanted(schema: Schema, parts: Conjunction): Wanted[] {
  return mapDefined(parts, ({ contains, minContains = 1, maxContains = Infinity }) =>
    contains === undefined
      ? undefined
      : { contains: schema.of(contains), min: Number(minContains), max: Number(maxContains) },
  );
}

interface Item {
  place: number;
  reading: number;
  /** The schema of a `contains` that it matches, which may exempt it from `unevaluatedItems`. */
  contained: readonly SchemaNode[];
  excluded: readonly SchemaNode[];
}

const itemsOf = memoize((_parts: Conjunction) => new Map<string, Schema | undefined>());

/** The schema of an item; undefined if the list must not have it. */
function itemOf(schema: Schema, parts: Conjunction, item: Item): Schema | undefined {
  const known = itemsOf(parts);
  const key = JSON.stringify({ ...item, place: Math.min(item.place, prefixOf(parts)) });
  if (!known.has(key)) known.set(key, findItem(schema, parts, item));
  return known.get(key);
}

const prefixOf = (parts: Conjunction) =>
  Math.max(0, ...valuesOf<unknown[]>(parts, "prefixItems").map((items) => items.length));

function findItem(
  schema: Schema,
  parts: Conjunction,
  { place, reading, contained, excluded }: Item,
): Schema | undefined {
  const own = mapDefined(parts, ({ prefixItems, items }) => {
    const prefix = (prefixItems as SchemaNode[] | undefined) ?? [];
    return place < prefix.length ? (prefix[place] as SchemaNode) : items;
  });
  const isEvaluated = contained.length > 0 && reading > 1;
  const nodes = isEvaluated ? own : withUnevaluated(own, valuesOf<SchemaNode>(parts, "unevaluatedItems"), reading);
  return combine(schema, [...nodes, ...contained, ...excluded]);
}
