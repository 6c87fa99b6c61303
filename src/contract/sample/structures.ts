// Objects and lists for a schema, and what the search for a value passes down to members and items.

import { mapDefined } from "../lists.js";
import { memoize } from "../memoize.js";
import type { SchemaObject } from "../openapi-document.js";
import type { Schema } from "../schema.js";
import type { Direction, SchemaNode } from "../schema-node.js";
import { type Conjunction, keywordValues, nodesOfMember } from "./conjunctions.js";
import { hash, textsOf } from "./scalars.js";

/** How many names are tried in vain. */
const MAX_NAMES = 200;

/**
 * Required members first, then the optional ones, then others until there are enough.
 * @returns undefined if a required member has no value.
 */
export function objectOf(
  search: Search,
  schema: Schema,
  parts: Conjunction,
  { randomSeed }: Variation,
): object | undefined {
  const object = new Map<string, unknown>();
  const [least, most] = [leastOf(parts, "minProperties"), mostOf(parts, "maxProperties")];
  const reading = readingOf(parts, "unevaluatedProperties", search);
  const schemaOf = (name: string) => memberOf(schema, parts, { name, reading });
  const required = withDependents(parts, keywordValues<string[]>(parts, "required").flat());
  for (const name of required) {
    const member = schemaOf(name);
    if (member && isHidden(search, member)) continue;
    if (!add(name) && !search.isPartial) return undefined;
  }
  for (const name of optionalNames()) {
    const added = withDependents(parts, [name]).filter((one) => !object.has(one));
    if (object.size + added.length > most || !added.every(mayHave)) continue;
    const values = added.map((one) => [one, sampleMember(one, findOptional)] as const);
    if (values.every(([, value]) => value !== undefined)) for (const [one, value] of values) object.set(one, value);
  }
  const tried = new Set<unknown>(object.keys());
  if (object.size < least)
    for (const name of furtherNames(search, schema, parts, (one) => !tried.has(one))) {
      if (object.size >= least || tried.size > least + MAX_NAMES) break;
      tried.add(name);
      if (!object.has(name) && mayHave(name)) add(name);
    }
  return toObject(object);

  function mayHave(name: string): boolean {
    const member = schemaOf(name);
    return member !== undefined && !isHidden(search, member);
  }

  function sampleMember(name: string, find = search.find): unknown {
    const member = schemaOf(name);
    return member && find(member, { randomSeed: `${randomSeed}/${name}`, name }, search);
  }

  function add(name: string): boolean {
    const value = sampleMember(name);
    if (value !== undefined) object.set(name, value);
    return value !== undefined;
  }

  /** In later attempts some of them, since members may exclude each other. */
  function optionalNames(): string[] {
    if (search.isSmallest) return [];
    const names = namesIn(parts).filter((name) => !object.has(name));
    const isChosen = (name: string) => search.attempt < 3 || hash(`${randomSeed}/${name}`) % 2 === 0;
    return names.filter((name) => {
      const member = schemaOf(name);
      return member !== undefined && !isAround(search, member) && isChosen(name);
    });
  }
}

/** An assignment to `__proto__` would add no member. */
function toObject(members: ReadonlyMap<string, unknown>): object {
  const object = {};
  for (const [name, value] of members)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

const namesIn = (parts: Conjunction) => [...new Set(keywordValues<object>(parts, "properties").flatMap(Object.keys))];

/** Names, and those that `dependentRequired` demands with them. */
function withDependents(parts: Conjunction, names: readonly string[]): string[] {
  const all = new Set(names);
  for (const name of all)
    for (const dependents of keywordValues<Record<string, string[]>>(parts, "dependentRequired"))
      if (Object.hasOwn(dependents, name)) for (const other of dependents[name] ?? []) all.add(other);
  return [...all];
}

interface Member {
  name: string;
  reading: number;
}

const membersOf = memoize((_parts: Conjunction) => new Map<string, Schema | undefined>());

/** The schema of a member; undefined if the object must not have it. */
function memberOf(schema: Schema, parts: Conjunction, member: Member): Schema | undefined {
  const known = membersOf(parts);
  const key = `${member.reading} ${member.name}`;
  if (!known.has(key)) known.set(key, findMember(schema, parts, member));
  return known.get(key);
}

function findMember(schema: Schema, parts: Conjunction, { name, reading }: Member): Schema | undefined {
  const isName = keywordValues<object>(parts, "propertyNames").every((names) => schema.of(names).allows(name));
  if (!isName) return undefined;
  const named = nodesOfMember(parts, name);
  return combine(schema, withUnevaluated(named, keywordValues<SchemaNode>(parts, "unevaluatedProperties"), reading));
}

/** Names beyond the required and the optional members: of patterns, of `propertyNames`, and invented ones. */
function* furtherNames(search: Search, schema: Schema, parts: Conjunction, isNew: IsNew): Generator<string> {
  yield* namesIn(parts);
  for (const patterns of keywordValues<object>(parts, "patternProperties").map(Object.keys))
    for (const pattern of patterns) yield* textsOf(pattern);
  const names = keywordValues<object>(parts, "propertyNames");
  const ofNames = combine(schema, [{ type: "string" }, ...names]);
  for (let index = 1; ; index += 1) {
    const name =
      names.length === 0
        ? `member${index}`
        : ofNames && search.find(ofNames, { randomSeed: `${index}`, name: "name" }, search, isNew);
    if (typeof name !== "string") return;
    yield name;
  }
}

/**
 * As many items as `contains` and the bounds demand, each as its place demands.
 * @returns undefined if a required item has no value.
 */
export function listOf(
  search: Search,
  schema: Schema,
  parts: Conjunction,
  { randomSeed, name }: Variation,
): unknown[] | undefined {
  const [least, most] = [leastOf(parts, "minItems"), mostOf(parts, "maxItems")];
  const usual = Math.max(least, Math.min(most, usualLength(search, schema, parts)));
  const wanted = findWanted(schema, parts);
  const longest = wanted.reduce((sum, { min }) => sum + min, Math.max(usual, prefixOf(parts)));
  const reading = readingOf(parts, "unevaluatedItems", search);
  const isUnique = keywordValues<boolean>(parts, "uniqueItems").includes(true);
  const list: unknown[] = [];
  const known = new Set<string>();
  const isNew = (value: unknown) => !isUnique || !known.has(JSON.stringify(value));
  for (;;) {
    const counted = wanted.map((one) => ({ ...one, count: list.filter((value) => one.contains.allows(value)).length }));
    const missing = counted.filter(({ count, min }) => count < min);
    const isNeeded = list.length < least || missing.length > 0;
    const end = isNeeded ? Math.max(usual, Math.min(most, longest)) : usual;
    const result = isNeeded ? undefined : list;
    if (list.length >= end) return result;
    // An item that a `contains` lacks, if it can stand here, else any.
    const enough = counted.filter(({ count, min }) => count >= min);
    const choices = [
      ...missing.map(({ contains }) => [contains.node]),
      [],
      ...enough.map(({ contains }) => [contains.node]),
    ];
    const excluded = counted.filter(({ count, max }) => count >= max).map(({ contains }) => ({ not: contains.node }));
    const find = isNeeded ? search.find : findOptional;
    let value: unknown;
    for (const contained of choices) {
      const item = itemOf(schema, parts, { place: list.length, reading, contained, excluded });
      value = item && find(item, { randomSeed: `${randomSeed}/${list.length}`, name }, search, isNew);
      if (value !== undefined) break;
    }
    const text = JSON.stringify(value);
    if (value === undefined || (known.has(text) && !isNeeded)) return result;
    known.add(text);
    list.push(value);
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
  Math.max(0, ...keywordValues<unknown[]>(parts, "prefixItems").map((items) => items.length));

function findItem(
  schema: Schema,
  parts: Conjunction,
  { place, reading, contained, excluded }: Item,
): Schema | undefined {
  const stated = mapDefined(parts, ({ prefixItems, items }) => {
    const prefix = (prefixItems as SchemaNode[] | undefined) ?? [];
    return place < prefix.length ? (prefix[place] as SchemaNode) : items;
  });
  const isEvaluated = contained.length > 0 && reading > 1;
  const nodes = isEvaluated
    ? stated
    : withUnevaluated(stated, keywordValues<SchemaNode>(parts, "unevaluatedItems"), reading);
  return combine(schema, [...nodes, ...contained, ...excluded]);
}

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
function findOptional(schema: Schema, variation: Variation, search: Search, isNew?: IsNew): unknown {
  const budget = Math.min(MAX_OPTIONAL_STEPS, search.steps.left);
  const steps = { left: budget };
  const value = search.find(schema, variation, { ...search, steps }, isNew);
  search.steps.left -= budget - Math.max(steps.left, 0);
  return value;
}

const READINGS: readonly ((
  stated: readonly SchemaNode[],
  unevaluated: readonly SchemaNode[],
) => readonly SchemaNode[])[] = [
  (stated, unevaluated) => (stated.length > 0 ? stated : unevaluated),
  (stated, unevaluated) => [...stated, ...unevaluated],
  (stated, unevaluated) => (stated.length > 0 ? stated : unevaluated.filter((node) => node !== false)),
];

/**
 * Which members and items `unevaluatedProperties` and `unevaluatedItems` are for depends on where in the schema they
 * stand: each attempt takes another reading.
 */
function readingOf(parts: Conjunction, keyword: string, { attempt }: Search): number {
  return parts.some((part) => keyword in part) ? attempt % READINGS.length : 0;
}

/** What a member or item matches besides its own schemas. */
function withUnevaluated(
  stated: readonly SchemaNode[],
  unevaluated: readonly SchemaNode[],
  reading: number,
): readonly SchemaNode[] {
  return READINGS[reading]?.(stated, unevaluated) ?? stated;
}

/** The schema of a member or item that several schemas describe. */
function combine(schema: Schema, nodes: readonly SchemaNode[]): Schema | undefined {
  if (nodes.includes(false)) return undefined;
  const [first = true] = nodes;
  return schema.of(nodes.length > 1 ? { allOf: nodes } : first);
}

function isHidden({ direction }: Search, member: Schema): boolean {
  return direction !== undefined && member.isHiddenIn(direction);
}

/** True if a member or the items of a list have a schema that is around them. */
function isAround({ parents }: Search, schema: Schema): boolean {
  const { flat } = schema;
  return parents.includes(flat) || (flat.items !== undefined && parents.includes(schema.items.flat));
}

const leastOf = (parts: Conjunction, keyword: string) => Math.max(0, ...keywordValues<number>(parts, keyword));
const mostOf = (parts: Conjunction, keyword: string) => Math.min(Infinity, ...keywordValues<number>(parts, keyword));
