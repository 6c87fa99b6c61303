// One plausible value of a schema: one that it names (example, default, const, enum), else a generated one, checked by
// the schema. The same schema and seed result in the same value everywhere: for an integer from 1 to 5 called
// `priority` and the seed "66e0f1a2", that is 4. And a given value, fitted to a schema.

import { typeOfKeyword } from "../grammar.js";
import { isObject } from "../json.js";
import { mapDefined } from "../lists.js";
import { memoize } from "../memoize.js";
import type { Schema } from "../schema.js";
import type { Direction } from "../schema-node.js";
import { type Conjunction, conjunctionsOf, literalsOf, partsOf, typesOf } from "./conjunctions.js";
import { hash, numbers, rotate, texts } from "./scalars.js";
import { type IsNew, listOf, objectOf, type Search, type Variation } from "./structures.js";

export interface SampleOptions {
  /** Omits optional members and prefers short lists and texts. */
  isSmallest?: boolean;
  /** A request has no read-only members, a response no write-only ones. */
  direction?: Direction;
}

/**
 * @param randomSeed makes values differ where the schema permits: the id of their record, for example.
 * @returns a valid value; undefined if none was found.
 */
export function sampleOf(schema: Schema, randomSeed = "", options: SampleOptions = {}): unknown {
  const { direction = "none" } = options;
  if (hopeless(schema).has(direction)) return undefined;
  const likely = search(schema, randomSeed, options, { isChecked: false });
  if (likely !== undefined && schema.allows(likely, options.direction)) return likely;
  const value = search(schema, randomSeed, options);
  if (value === undefined) hopeless(schema).add(direction);
  return value;
}

/** The same; where there is no valid value, one without the members that have none. Its check names them. */
export function nearestSampleOf(schema: Schema, randomSeed = "", options: SampleOptions = {}): unknown {
  return sampleOf(schema, randomSeed, options) ?? search(schema, randomSeed, options, { isPartial: true });
}

/** The directions for which a schema has no value. To find that out takes long. */
const hopeless = memoize((_schema: Schema) => new Set<string>());

const MAX_STEPS = 2000;
const MAX_REPETITIONS = 3;
const MAX_DEPTH = 20;

function search(schema: Schema, randomSeed: string, options: SampleOptions, more: Partial<Search> = {}): unknown {
  const { isSmallest = false, direction } = options;
  const start = { isSmallest, direction, isChecked: true, isPartial: false, parents: [], attempt: 0, find: findValue };
  return findValue(schema, { randomSeed, name: "text" }, { ...start, steps: { left: MAX_STEPS }, ...more });
}

function findValue(schema: Schema, variation: Variation, state: Search, isNew: IsNew = () => true): unknown {
  const { parents, steps, direction, isChecked, isPartial } = state;
  const { flat } = schema;
  if (parents.length > MAX_DEPTH || parents.filter((parent) => parent === flat).length > MAX_REPETITIONS)
    return undefined;
  let nearest: unknown;
  for (const value of candidates({ ...state, parents: [...parents, flat] }, schema, variation)) {
    steps.left -= 1;
    if (steps.left < 0) break;
    if (value === undefined || !isNew(value)) continue;
    if (!isChecked || schema.allows(value, direction)) return value;
    if (typeof value === "object" && value !== null) nearest ??= value;
  }
  return isPartial ? nearest : undefined;
}

const ATTEMPTS = 8;
const MAX_WAYS = 100;

/** Likely values, the best first; some are invalid. */
function* candidates(search: Search, schema: Schema, { randomSeed, name }: Variation): Generator<unknown> {
  const isRecursive = search.parents.indexOf(schema.flat) < search.parents.length - 1;
  if (isRecursive) yield* [null, []];
  const common = partsOf(schema);
  yield* namedValues(common, search, randomSeed);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const variation = { randomSeed: attempt === 0 ? randomSeed : `${randomSeed}#${attempt}`, name };
    const state = { ...search, attempt: Math.max(search.attempt, attempt) };
    for (const parts of firstOf(conjunctionsOf(schema), MAX_WAYS / (attempt + 1))) {
      const branches = parts.filter((part) => !common.includes(part));
      if (attempt === 0) yield* namedValues(branches, search, randomSeed);
      if (!literalsOf(parts)) yield* generated(state, schema, parts, variation);
    }
  }
  if (search.isSmallest) yield* namedValues(common, { ...search, isSmallest: false }, randomSeed);
}

function* firstOf<T>(items: Iterable<T>, count: number): Generator<T> {
  let left = count;
  for (const item of items) {
    left -= 1;
    if (left < 0) return;
    yield item;
  }
}

/** The values that schemas name. The smallest object is none of the examples, which have optional members. */
function* namedValues(parts: Conjunction, { isSmallest }: Search, randomSeed: string): Generator<unknown> {
  const examples = parts.flatMap(({ example, examples: more = [], default: usual }) => [example, ...more, usual]);
  yield* examples.filter((value) => !isSmallest || !isObject(value));
  const literals = literalsOf(parts);
  if (literals) yield* rotate(literals, isSmallest ? "" : randomSeed);
}

function* generated(search: Search, schema: Schema, parts: Conjunction, variation: Variation): Generator<unknown> {
  const { attempt } = search;
  const randomSeed = search.isSmallest && attempt === 0 ? "" : variation.randomSeed;
  const types = typesOf(parts);
  const implied = isTyped(parts) ? types : impliedTypes(parts, types, attempt);
  for (const type of implied) {
    if (type === "object") {
      yield objectOf(search, schema, parts, variation);
      yield objectOf({ ...search, isSmallest: true }, schema, parts, variation);
    } else if (type === "array") {
      yield listOf(search, schema, parts, variation);
      yield listOf({ ...search, isSmallest: true }, schema, parts, variation);
    } else if (type === "string") yield* texts(parts, variation.name, randomSeed);
    else if (type === "boolean") yield (hash(variation.randomSeed) + attempt) % 2 === 0;
    else if (type !== "null") yield* numbers(parts, type === "integer" ? 1 : undefined, randomSeed);
  }
  if (implied.includes("null")) yield null;
}

const isTyped = (parts: Conjunction) => parts.some((part) => "type" in part);

/** The type that the keywords are for; if its values are invalid, others. */
function impliedTypes(parts: Conjunction, types: readonly string[], attempt: number): string[] {
  const implied = parts.flatMap(Object.keys).map(typeOfKeyword);
  const meant = ["object", "array", "number"].find((type) => implied.includes(type)) ?? "string";
  return attempt === 0 ? [meant] : types.toSorted((one, other) => Number(other === meant) - Number(one === meant));
}

/** Decides which samples are added, so that they stay the same. */
export interface SampleSource {
  /** The parameters of the path, such as the subscriber. */
  path: string;
  /** Method and target, for values without path and record. */
  request: string;
  /** The value's schema in the implemented contract. */
  implemented?: Schema | undefined;
}

/**
 * Fits a value to a schema: adds required members that it lacks as samples, and removes members that a closed schema
 * lacks. Everything else stays, valid or not.
 */
export function fitValue(schema: Schema, value: unknown, { path, request, implemented }: SampleSource): unknown {
  return adapt(schema, value, { place: path || request, path, implemented });
}

/** True if a member that the handler leaves out may be `null`: a sample would say that there is a value. */
export function isAbsentAsNull(schema: Schema, implemented: Schema | undefined, name: string): boolean {
  return implemented?.members.has(name) === true && schema.member(name)?.allows(null) === true;
}

interface SamplePlace {
  /** Identifies the value: its samples are generated from it. */
  place: string;
  path: string;
  implemented: Schema | undefined;
}

function adapt(schema: Schema, value: unknown, { place, path, implemented }: SamplePlace): unknown {
  if (typeof value !== "object" || value === null) return value;
  const branch = branchOf(schema, value);
  if (Array.isArray(value)) {
    const implementedItem = implemented?.flat.items ? implemented.items : undefined;
    return value.map((item, index) =>
      adapt(branch.item(index), item, { place: `${place}/${index}`, path, implemented: implementedItem }),
    );
  }
  const record = (value as { _id?: unknown })._id;
  const owner = typeof record === "string" ? `${path} ${record}` : place;
  const memberOf = (name: string) => {
    const member = branch.member(name);
    return member?.isHiddenIn("response") ? undefined : member;
  };
  const entries = mapDefined(Object.entries(value), ([name, member]) => {
    const memberSchema = memberOf(name);
    const inner = { place: `${owner}/${name}`, path, implemented: implemented?.members.get(name) };
    return memberSchema ? [name, adapt(memberSchema, member, inner)] : undefined;
  });
  const missing = branch.required.filter((name) => !Object.hasOwn(value, name));
  const added = mapDefined(missing, (name) => {
    const memberSchema = memberOf(name);
    if (memberSchema && isAbsentAsNull(branch, implemented, name)) return [name, null];
    // An example would be the same for all.
    if (name === "id" && record !== undefined && memberSchema?.allows(record)) return [name, record];
    const sample = memberSchema && sampleOf(memberSchema, `${owner}/${name}`, { direction: "response" });
    return sample === undefined ? undefined : [name, sample];
  });
  return Object.fromEntries([...entries, ...added]);
}

/** The first alternative whose types and constants a value has. */
function branchOf(schema: Schema, value: object): Schema {
  return schema.alternatives.find((alternative) => isFitting(alternative, value)) ?? schema;
}

function isFitting(schema: Schema, value: object): boolean {
  if (!schema.types.includes(Array.isArray(value) ? "array" : "object")) return false;
  return [...schema.members].every(([name, member]) => {
    const { enum: values } = member.flat;
    return (
      !Array.isArray(values) || !Object.hasOwn(value, name) || values.includes((value as Record<string, unknown>)[name])
    );
  });
}
