// Objects: required members first, then the optional ones, then others until there are enough.
import type { SchemaNode } from "../copy-schema.js";
import { memoize } from "../memoize.js";
import type { Schema } from "../schema.js";
import {
  combine,
  findOptional,
  type IsNew,
  isAround,
  isHidden,
  leastOf,
  mostOf,
  readingOf,
  type Search,
  type Variation,
  withUnevaluated,
} from "../values/value-search.js";
import { type Conjunction, nodesOfMember, valuesOf } from "./conjunctions.js";
import { hash, textsOf } from "./scalars.js";

/** How many names are tried in vain. */
const MAX_NAMES = 200;

/** @returns undefined if a required member has no value. */
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
  const required = withDependents(parts, valuesOf<string[]>(parts, "required").flat());
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

const namesIn = (parts: Conjunction) => [...new Set(valuesOf<object>(parts, "properties").flatMap(Object.keys))];

/** Names, and those that `dependentRequired` demands with them. */
function withDependents(parts: Conjunction, names: readonly string[]): string[] {
  const all = new Set(names);
  for (const name of all)
    for (const dependents of valuesOf<Record<string, string[]>>(parts, "dependentRequired"))
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
  const isName = valuesOf<object>(parts, "propertyNames").every((names) => schema.of(names).allows(name));
  if (!isName) return undefined;
  const named = nodesOfMember(parts, name);
  return combine(schema, withUnevaluated(named, valuesOf<SchemaNode>(parts, "unevaluatedProperties"), reading));
}

/** Names beyond the required and the optional members: of patterns, of `propertyNames`, of our own. */
function* furtherNames(search: Search, schema: Schema, parts: Conjunction, isNew: IsNew): Generator<string> {
  yield* namesIn(parts);
  for (const patterns of valuesOf<object>(parts, "patternProperties").map(Object.keys))
    for (const pattern of patterns) yield* textsOf(pattern);
  const names = valuesOf<object>(parts, "propertyNames");
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
