// A schema as it stands in a document: copied for a library that reads it in a document of its own, and flattened.
import { childrenOf, isAnnotation, mapParts } from "./grammar.js";
import { isEqual, isObject } from "./json.js";
import { mapDefined, toList } from "./lists.js";
import { memoize } from "./memoize.js";
import type { SchemaObject } from "./openapi-document.js";
import { parseReference, valueAt } from "./pointer.js";

/** A schema as it stands in a document. */
export type SchemaNode = object | boolean;

/** A request must not have read-only members, a response no write-only ones; neither is required to have them. */
export type Direction = "request" | "response";

/** The keyword of the members that messages of a direction must not have. */
export const HIDDEN_BY: Readonly<Record<Direction, string>> = { request: "readOnly", response: "writeOnly" };

export interface CopyOptions {
  /** Where references lead. */
  document: object;
  direction: Direction | undefined;
  /** False for an assertion that the library must not get. It never gets annotations. */
  isKept?(keyword: string, value: unknown): boolean;
  /** The reference in the library's document to the copy of this number. */
  toReference(number: number): string;
  /** Adds the copy of this number to the library's document. */
  add(number: number, copy: SchemaNode): void;
}

export type CopySchema = (schema: SchemaNode) => SchemaNode;

/**
 * Creates the function that copies a schema. What a schema refers to is added to the library's document, and so is a
 * part that stands in several places, as through an alias of YAML.
 */
export function createCopy({ document, direction, isKept = () => true, toReference, add }: CopyOptions): CopySchema {
  const references = new Map<SchemaNode, string>();
  const copied = new Set<object>();
  return (schema) => copyPart(schema, []);

  function refer(target: SchemaNode = true): string {
    const known = references.get(target);
    if (known !== undefined) return known;
    const number = references.size;
    const reference = toReference(number);
    references.set(target, reference); // first, since a schema may contain itself
    if (isObject(target)) copied.add(target);
    add(number, copy(target, []));
    return reference;
  }

  /** @param hidden members that the schema around hides. */
  function copyPart(part: SchemaNode, hidden: readonly string[]): SchemaNode {
    if (!isObject(part) || hidden.length > 0) return copy(part, hidden);
    if (copied.has(part)) return { $ref: refer(part) };
    const isLeaf = childrenOf("schema", part).next().done; // to follow a reference would cost more
    if (!isLeaf) copied.add(part);
    return copy(part, []);
  }

  function copy(schema: SchemaNode, hidden: readonly string[]): SchemaNode {
    if (!isObject(schema)) return schema as boolean;
    const names = direction ? [...hidden, ...hiddenNames(document, schema, direction)] : [];
    const kept = Object.entries(schema).filter(
      ([keyword, value]) => isAssertion(keyword, direction) && isKept(keyword, value),
    );
    const result = mapParts("schema", Object.fromEntries(kept), ({ path, value }) =>
      copyPart(value as SchemaNode, path[0] === "allOf" ? names : []),
    );
    if (isObject(result.properties)) moveProto(result, result.properties);
    if (typeof result.$ref === "string")
      result.$ref = refer(valueAt(document, parseReference(result.$ref)) as SchemaNode);
    if (names.length > 0 && Array.isArray(result.required))
      result.required = result.required.filter((name) => !names.includes(name));
    return BRANCHES.some((keyword) => keyword in result) ? separatePatterns(result) : result;
  }
}

/** Ajv skips a member called `__proto__`, but no pattern that matches it. */
function moveProto(copy: Record<string, unknown>, members: Record<string, unknown>): void {
  if (!Object.hasOwn(members, "__proto__")) return;
  const { ["__proto__"]: proto, ...rest } = members;
  copy.properties = rest;
  copy.patternProperties = { ...(copy.patternProperties as object | undefined), "^__proto__$": proto };
}

const BRANCHES = ["anyOf", "oneOf", "if", "dependentSchemas"];

/**
 * Ajv 8.20 throws for `patternProperties` beside branches of which one with `properties` does not match: it notes the
 * members that they evaluate in a variable that is not set then.
 */
function separatePatterns(schema: Record<string, unknown>): Record<string, unknown> {
  if (schema.patternProperties === undefined) return schema;
  const isOfMembers = ([keyword]: [string, unknown]) => OBJECT_KEYWORDS.includes(keyword);
  const entries = Object.entries(schema);
  const ofMembers = Object.fromEntries(entries.filter(isOfMembers));
  const rest = Object.fromEntries(entries.filter((entry) => !isOfMembers(entry)));
  return { ...rest, allOf: [...((schema.allOf as object[] | undefined) ?? []), ofMembers] };
}

const OBJECT_KEYWORDS = ["properties", "patternProperties", "additionalProperties"]; // they act together

/** The members that a message of this direction must not have. */
function hiddenNames(document: object, schema: SchemaNode, direction: Direction): string[] {
  const members = Object.entries(flatten(document, schema).properties ?? {});
  const isHidden = (member: unknown) => flatten(document, member)[HIDDEN_BY[direction]] === true;
  return members.filter(([, member]) => isHidden(member)).map(([name]) => name);
}

/** True for a keyword that decides about values in this direction. */
function isAssertion(keyword: string, direction: Direction | undefined): boolean {
  if (keyword === "readOnly" || keyword === "writeOnly")
    return direction !== undefined && HIDDEN_BY[direction] === keyword;
  return !isAnnotation(keyword);
}

const NOTHING: SchemaObject = { not: {} };
const ANYTHING: SchemaObject = {};
const flatSchemasOf = memoize((_document: object) => new WeakMap<object, SchemaObject>());

/**
 * Merges the `$ref` and `allOf` of a schema into one that allows the same values: `{ $ref: Id, maxLength: 9 }` becomes
 * `{ type: string, minLength: 1, maxLength: 9 }`. What cannot be merged, such as a second `oneOf`, stays in `allOf`.
 * Returns the same object for the same schema. References of members and items stay.
 */
export function flatten(document: object, schema: unknown): SchemaObject {
  if (schema === false) return NOTHING;
  if (typeof schema !== "object" || schema === null) return ANYTHING;
  const flatSchemas = flatSchemasOf(document);
  const earlier = flatSchemas.get(schema);
  if (earlier) return earlier;
  flatSchemas.set(schema, {}); // a schema that contains itself adds nothing to itself
  const flat = merge(document, schema as SchemaObject);
  flatSchemas.set(schema, flat);
  if (!flatSchemas.has(flat)) flatSchemas.set(flat, flat);
  return flat;
}

function merge(document: object, schema: SchemaObject): SchemaObject {
  const { $ref, allOf = [], ...rest } = schema;
  const { anyOf, oneOf } = rest as Record<string, unknown[] | undefined>;
  const single = [anyOf, oneOf].flatMap((branches) => (branches?.length === 1 ? branches : []));
  if (anyOf?.length === 1) delete rest.anyOf;
  if (oneOf?.length === 1) delete rest.oneOf;
  const target = $ref === undefined ? [] : [valueAt(document, parseReference($ref))];
  const parts = [...target, ...allOf, ...single].map((part) => flatten(document, part));
  return tidy([...new Set(parts)].reduce(conjoin, rest));
}

/** Merges two values of a keyword. */
const MERGED: Readonly<Record<string, (a: never, b: never) => unknown>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
  required: (a: string[], b: string[]) => [...new Set([...a, ...b])],
  uniqueItems: (a: boolean, b: boolean) => a || b,
  type: (a: string | string[], b: string | string[]) => intersectTypes(toList(a), toList(b)),
  enum: (a: unknown[], b: unknown[]) => a.filter((value) => b.some((other) => isEqual(value, other))),
  examples: (a: unknown[], b: unknown[]) => [...a, ...b],
};

/** Keywords that act together, and what merges them. */
const GROUPS: readonly { keywords: readonly string[]; merge?: typeof conjoinLists }[] = [
  { keywords: ["anyOf"] },
  { keywords: ["oneOf"] },
  { keywords: ["not"] },
  { keywords: ["pattern"] },
  { keywords: ["format"] },
  { keywords: ["multipleOf"] },
  { keywords: ["propertyNames"] },
  { keywords: ["dependentRequired"] },
  { keywords: ["dependentSchemas"] },
  { keywords: ["if", "then", "else"] },
  { keywords: ["contains", "minContains", "maxContains"] },
  { keywords: ["prefixItems", "items"], merge: conjoinLists },
  { keywords: OBJECT_KEYWORDS, merge: conjoinObjects },
];

/** What these count as evaluated depends on the schema that they stand in. */
const UNEVALUATED = ["unevaluatedProperties", "unevaluatedItems"];

/**
 * Merges two schemas that a value matches together. What becomes of their keywords:
 *   only one schema has it                  it stays
 *   `minimum`, `required`, … (`MERGED`)     one value for both: the higher minimum, the names of both
 *   `items`, `pattern`, … (`GROUPS`)        one group for both, if it can say so; else that of `inner` goes to `allOf`
 *   `unevaluatedItems`, … of `inner`        the whole of `inner` goes to `allOf`
 *   any other, such as texts and `default`  that of `outer` stays
 */
function conjoin(outer: SchemaObject, inner: SchemaObject): SchemaObject {
  if (isEmpty(outer)) return inner;
  if (UNEVALUATED.some((keyword) => keyword in inner)) return { ...outer, allOf: [...(outer.allOf ?? []), inner] };
  const isLiteral = (schema: SchemaObject) => "const" in schema || "enum" in schema;
  const areLiteral = isLiteral(outer) && isLiteral(inner);
  const [a, b] = areLiteral ? [toEnum(outer), toEnum(inner)] : [outer, inner];
  const result: SchemaObject = { ...b, ...a };
  const apart = [...(a.allOf ?? []), ...(b.allOf ?? [])];
  for (const [keyword, merge] of Object.entries(MERGED) as [string, Merge][])
    if (keyword in a && keyword in b) result[keyword] = merge(a[keyword], b[keyword]);
  for (const { keywords, merge } of GROUPS) {
    const [one, other] = [pick(a, keywords), pick(b, keywords)];
    if (isEmpty(one) || isEmpty(other) || isEqual(one, other)) continue;
    const both = merge?.(one, other);
    if (!both) apart.push(other);
    for (const keyword of keywords) delete result[keyword];
    Object.assign(result, both ?? one);
  }
  return apart.length > 0 ? { ...result, allOf: apart } : result;
}

/** Of values that have the keyword's type: the contract is valid. */
type Merge = (one: unknown, other: unknown) => unknown;

function pick(schema: SchemaObject, keywords: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)));
}

const isEmpty = (schema: SchemaObject) => Object.keys(schema).length === 0;

function toEnum(schema: SchemaObject): SchemaObject {
  if (!("const" in schema)) return schema;
  const { const: value, enum: values = [value], ...rest } = schema;
  return { enum: values.filter((other) => isEqual(other, value)), ...rest };
}

interface ObjectGroup {
  properties?: Record<string, unknown>;
  patternProperties?: Record<string, unknown>;
  additionalProperties?: unknown;
}

/** The schemas of a member: those of its name and of matching patterns, else `additionalProperties`. */
export function schemasOfMember(
  { properties = {}, patternProperties = {}, additionalProperties }: ObjectGroup,
  name: string,
): unknown[] {
  const matching = Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, "u").test(name));
  const named = Object.hasOwn(properties, name) ? [properties[name]] : [];
  const all = [...named, ...matching.map(([, schema]) => schema)];
  return all.length > 0 || additionalProperties === undefined ? all : [additionalProperties];
}

/** Undefined if a pattern would exempt names that `additionalProperties` of the other group restricts. */
function conjoinObjects(a: ObjectGroup, b: ObjectGroup): SchemaObject | undefined {
  const patterns = [a, b].map(({ patternProperties = {} }) => Object.keys(patternProperties));
  const isClosed = a.additionalProperties !== undefined || b.additionalProperties !== undefined;
  if (isClosed && !isEqual(patterns[0]?.toSorted(), patterns[1]?.toSorted())) return undefined;
  const names = [...new Set([a, b].flatMap(({ properties = {} }) => Object.keys(properties)))];
  const properties = names.map((name) => [name, allOf([...schemasOfMember(a, name), ...schemasOfMember(b, name)])]);
  const patternProperties = [...new Set(patterns.flat())].map((pattern) => {
    const values = [a, b].flatMap((group) => group.patternProperties?.[pattern] ?? []);
    return [pattern, allOf(values)];
  });
  const additional = mapDefined([a, b], ({ additionalProperties: schema }) => schema);
  return {
    ...(names.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(patternProperties.length > 0 ? { patternProperties: Object.fromEntries(patternProperties) } : {}),
    ...(additional.length > 0 ? { additionalProperties: allOf(additional) } : {}),
  };
}

/** Undefined unless both have nothing but `items`. */
function conjoinLists(a: SchemaObject, b: SchemaObject): SchemaObject | undefined {
  const isPlain = [a, b].every((group) => "items" in group && !("prefixItems" in group));
  return isPlain ? { items: allOf([a.items, b.items]) as SchemaObject } : undefined;
}

function allOf(schemas: readonly unknown[]): unknown {
  const parts = schemas.filter((schema, index) => schema !== true && schemas.indexOf(schema) === index);
  if (parts.includes(false)) return false;
  return parts.length === 1 ? parts[0] : { allOf: parts };
}

/** Keywords whose branches may know further members. */
const SCOPED = ["allOf", "anyOf", "oneOf", "if", "dependentSchemas"];

/** Gives a type as a text where it can, and an integer whole, inclusive bounds. */
function tidy(schema: SchemaObject): SchemaObject {
  const { type, minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  if (Array.isArray(type) && type.length === 1) return tidy({ ...schema, type: type[0] as string });
  if (type?.length === 0 || schema.enum?.length === 0) return NOTHING;
  if (schema.unevaluatedProperties === false && !SCOPED.some((keyword) => keyword in schema)) {
    const { unevaluatedProperties, ...closed } = schema; // all members are known here
    return tidy({ additionalProperties: unevaluatedProperties, ...closed });
  }
  if (type !== "integer") return schema;
  const lowest = Math.max(minimum, Math.floor(exclusiveMinimum ?? -Infinity) + 1);
  const highest = Math.min(maximum, Math.ceil(exclusiveMaximum ?? Infinity) - 1);
  return {
    ...rest,
    type,
    ...(Number.isFinite(lowest) ? { minimum: Math.ceil(lowest) } : {}),
    ...(Number.isFinite(highest) ? { maximum: Math.floor(highest) } : {}),
  };
}

/** The types of both; `number` stands for `integer` too. */
export function intersectTypes(a: readonly string[], b: readonly string[]): string[] {
  const allows = (types: readonly string[], type: string) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const both = [...new Set([...a.filter((type) => allows(b, type)), ...b.filter((type) => allows(a, type))])];
  return both.includes("number") ? both.filter((type) => type !== "integer") : both;
}
