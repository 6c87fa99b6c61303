// One plausible value of a schema: one that it names (example, default, const, enum), else a generated one. The same schema and
// seed result in the same value everywhere: for an integer from 1 to 5 called `priority` and the seed "66e0f1a2", that is 4.
import { memoize } from "../memoize.js";
import type { OpenApiDocument, SchemaObject } from "../openapi-document.js";
import { createSchemas, type Schema } from "../schema.js";
import { createSchemaChecker } from "../schema-checker.js";
import { hash, numbers, rotate, texts } from "./scalars.js";

/**
 * @param seed makes values differ where the schema permits: the id of their record, for example.
 * @param options.isSmallest omits optional members and prefers short lists and texts.
 * @returns a valid value; undefined if none was found.
 */
export function sampleOf(schema: Schema, seed = "", { isSmallest = false } = {}): unknown {
  return findValue({ isSmallest, parents: [], steps: { left: MAX_STEPS } }, schema, { seed, name: "text" });
}

/** @deprecated use sampleOf */
export function sampleValue(
  document: OpenApiDocument,
  schema: SchemaObject,
  seed = "",
  options: { isSmallest?: boolean } = {},
): unknown {
  return sampleOf(schemasOf(document)(schema), seed, options);
}

/** A small valid value; a text if none was found. */
export function smallestValue(document: OpenApiDocument, schema: unknown): unknown {
  return sampleValue(document, (schema ?? true) as SchemaObject, "", { isSmallest: true }) ?? "text";
}

const schemasOf = memoize((document: OpenApiDocument) => {
  const { errorsOf } = createSchemaChecker(document);
  return createSchemas({ document, pointerOf: () => undefined, errorsOf });
});

interface Sampling {
  isSmallest: boolean;
  /** The schemas around the current one, by which recursion ends. */
  parents: readonly Schema[];
  /** Values left to try, so that the search ends in a schema that allows none. */
  steps: { left: number };
}

/** Values of one schema differ by these. Texts contain the name of their member. */
interface Variation {
  seed: string;
  name: string;
}

const MAX_STEPS = 5000;
const MAX_REPETITIONS = 3;

function findValue(
  sampling: Sampling,
  schema: Schema,
  variation: Variation,
  isNew: (value: unknown) => boolean = () => true,
): unknown {
  const { parents, steps } = sampling;
  if (parents.filter((parent) => parent.flat === schema.flat).length > MAX_REPETITIONS) return undefined;
  for (const value of candidates({ ...sampling, parents: [...parents, schema] }, schema, variation)) {
    steps.left -= 1;
    if (steps.left < 0) return undefined;
    if (value !== undefined && isNew(value) && schema.allows(value)) return value;
  }
  return undefined;
}

/** Likely values, the best first; some are invalid. */
function* candidates(sampling: Sampling, place: Schema, variation: Variation): Generator<unknown> {
  const { parents } = sampling;
  const schema = place.flat;
  if (parents.findIndex(({ flat }) => flat === schema) < parents.length - 1) yield* [null, []]; // it contains itself
  const { example, examples, default: usual } = schema;
  const members = "const" in schema ? [schema.const] : schema.enum;
  yield example;
  if (examples) yield* examples;
  yield usual;
  if (members) yield* rotate(members, sampling.isSmallest ? "" : variation.seed);
  for (const combination of combinationsOf(schema)) yield* candidates(sampling, place.of(combination), variation);
  if (members) return;
  yield* generated(sampling, place, variation);
  if ([schema.type].flat().includes("null")) yield null;
}

/** The schema with each of its alternatives and conditions. Memoized, since recursion is detected by identity. */
const combinationsOf = memoize((schema: SchemaObject): readonly SchemaObject[] => {
  const { oneOf, anyOf, if: condition, then: consequence = {}, else: alternative = {}, allOf, ...others } = schema;
  const branches = (oneOf ?? anyOf) as SchemaObject[] | undefined;
  if (branches) {
    const { [oneOf ? "oneOf" : "anyOf"]: _branches, ...around } = schema;
    return branches.map((branch) => ({ allOf: [branch, around] })); // the examples of the branch come first
  }
  const around = { ...others, ...(allOf && { allOf }) };
  if (condition) {
    const both = [around, condition, consequence] as SchemaObject[];
    return [{ allOf: both }, { allOf: [around, alternative as SchemaObject] }];
  }
  return allOf ? [Object.assign({}, ...allOf.toReversed(), others)] : [];
});

const ATTEMPTS = 8;

function* generated(sampling: Sampling, place: Schema, { seed, name }: Variation): Generator<unknown> {
  const schema = place.flat;
  const types = [schema.type ?? impliedType(schema)].flat().filter((type) => type !== "null");
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    for (const type of types) {
      const variation = { seed: attempt === 0 ? seed : `${seed}#${attempt}`, name };
      if (type === "object") {
        yield toObject(sampling, place, variation);
        yield toObject({ ...sampling, isSmallest: true }, place, variation);
      } else if (type === "array") yield toList(sampling, place, variation);
      else if (type === "string") yield* texts(schema, name, sampling.isSmallest ? "" : variation.seed);
      else if (type === "boolean") yield (hash(variation.seed) + attempt) % 2 === 0;
      else yield* numbers(schema, type === "integer" ? 1 : undefined, sampling.isSmallest ? "" : variation.seed);
    }
  }
}

const IMPLIED: readonly [type: string, keywords: readonly string[]][] = [
  ["object", ["properties", "required", "additionalProperties", "minProperties"]],
  ["array", ["items", "contains", "minItems", "maxItems", "uniqueItems"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

function impliedType(schema: SchemaObject): string {
  return IMPLIED.find(([, keywords]) => keywords.some((keyword) => keyword in schema))?.[0] ?? "string";
}

function toObject(sampling: Sampling, place: Schema, { seed }: Variation): object {
  const { isSmallest, parents } = sampling;
  const { properties = {}, required = [], dependentRequired, minProperties = 0, maxProperties = Infinity } = place.flat;
  const object: Record<string, unknown> = {};
  const isOmitted = (name: string) => {
    const member = place.member(name);
    if (!member) return true;
    const isAround = parents.some(({ flat }) => flat === member.flat);
    return member.flat.writeOnly === true || isAround || isListOf(sampling, member);
  };
  const optional = isSmallest ? [] : Object.keys(properties).filter((name) => !required.includes(name));
  const names = [...required, ...optional.filter((name) => !isOmitted(name)).slice(0, maxProperties - required.length)];
  const addMember = (name: string) => {
    const member = place.member(name);
    const value = member && findValue(sampling, member, { seed: `${seed}/${name}`, name });
    if (value !== undefined) Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
  };
  for (const name of names) {
    addMember(name);
    for (const other of dependentRequired?.[name] ?? []) addMember(other);
  }
  for (let index = 0; Object.keys(object).length < minProperties && index < minProperties * 2; index += 1)
    addMember(Object.keys(properties)[index] ?? `member${index + 1}`);
  return object;
}

/** True if its items have a schema that is around it. */
function isListOf({ parents }: Sampling, list: Schema): boolean {
  return list.flat.items !== undefined && parents.some(({ flat }) => flat === list.items.flat);
}

function toList(sampling: Sampling, place: Schema, { seed, name }: Variation): unknown[] {
  const { contains, minItems = 0, maxItems = Infinity, uniqueItems } = place.flat;
  const isEmpty = sampling.isSmallest || isListOf(sampling, place);
  const usual = isEmpty ? 0 : sampling.parents.length > 2 ? 1 : 2;
  const least = Math.max(minItems, contains ? 1 : 0);
  const length = Math.max(least, Math.min(maxItems, usual));
  const list: unknown[] = [];
  const known = new Set<string>();
  for (let index = 0; list.length < length && index < length * 2 + 20; index += 1) {
    const item = contains && list.length === 0 ? place.of(containedItem(place.flat)) : place.item(list.length);
    const isNew = (value: unknown) => !uniqueItems || !known.has(JSON.stringify(value));
    const value = findValue(sampling, item, { seed: `${seed}/${index}`, name }, isNew);
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    if (known.has(text) && list.length >= least) break; // a duplicate that nothing requires
    known.add(text);
    list.push(value);
  }
  return list;
}

const containedItem = memoize(({ contains = {}, items = {} }: SchemaObject) => ({ allOf: [contains, items] }));
