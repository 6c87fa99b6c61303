// A schema as the conjunction of its parts: references followed, allOf split. Contracts are compared in this form, so
// that moving a schema to a component is no change. For example, the schema of `limit` in a request is
//
//   nodes  { allOf: [{ type: integer, maximum: 50 }], style: form }            the schemas of the value, as written
//   parts  those, and { type: integer, maximum: 50 }                           with all that they refer to
//   trail  [[paths, /v1/notifications, get], [components, parameters, limit]]  the places around it, outermost first
//
// A *pointer* is a place in the file, a *path* one in a message (`query`, `limit`), and a `KeywordPlace` a keyword with
// its pointer.

import type { Contract } from "../../../contract/contract.js";
import { isAnnotation } from "../../../contract/grammar.js";
import { mapDefined, toList } from "../../../contract/lists.js";
import type { Pointer } from "../../../contract/pointer.js";
import { sampleOf } from "../../../contract/sample/sample.js";
import { textsOf } from "../../../contract/sample/scalars.js";
import type { Schema, SchemaObject } from "../../../contract/schema.js";
import { schemasOfMember } from "../../../contract/schema-node.js";
import { FORBIDDEN_BY } from "./reviewed-contract.js";

/** Steps into a value that are not a member's name. */
export const EACH_ITEM = "[]";
export const UNKNOWN_MEMBER = "unknownMember";

export interface ResolvedSchema {
  contract: Contract;
  /** As written; the value must be valid against all. */
  nodes: readonly SchemaObject[];
  /** The nodes, the targets of their references, and the parts of their `allOf`. */
  parts: readonly SchemaObject[];
  /** The places of the schemas around it, outermost first, and its own. */
  trail: readonly Pointer[];
  /** The nodes in one schema. */
  whole: Schema;
}

/** Keywords that are compared with the one that they belong to. */
export const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  if: ["then", "else"],
  contains: ["minContains", "maxContains"],
  prefixItems: ["items"],
};

const NOTHING: SchemaObject = { not: {} };

/** @param written schemas of the same value; `true` and undefined allow everything */
export function resolveSchema(
  contract: Contract,
  written: readonly unknown[],
  trail: readonly Pointer[] = [],
): ResolvedSchema {
  const nodes = mapDefined(written, (schema): SchemaObject | undefined => {
    if (schema === false) return NOTHING;
    return typeof schema === "object" && schema !== null ? (schema as SchemaObject) : undefined;
  });
  const parts = [...new Set(nodes.flatMap((node) => findParts(contract, node)))];
  const places = mapDefined(parts.slice(0, 1), (part) => pointerOf(contract, part));
  const whole = contract.schemaOf(nodes.length === 1 ? (nodes[0] as SchemaObject) : { allOf: nodes });
  return { contract, nodes, parts, trail: [...trail, ...places], whole };
}

const partsOfSchemas = new WeakMap<object, SchemaObject[]>();

/** Each part once: where schemas refer to each other twice, their number would double with each step. */
function findParts(contract: Contract, schema: SchemaObject): SchemaObject[] {
  const earlier = partsOfSchemas.get(schema);
  if (earlier) return earlier;
  partsOfSchemas.set(schema, []); // a schema may be a part of itself
  const { target } = contract.schemaOf(schema);
  const parts = [...new Set([schema, ...resolveSchema(contract, [target?.node, ...(schema.allOf ?? [])]).parts])];
  partsOfSchemas.set(schema, parts);
  return parts;
}

/** message-schema.ts makes schemas for places of the contract, and notes them in `x-place`. */
function pointerOf(contract: Contract, schema: SchemaObject): Pointer | undefined {
  return (schema["x-place"] as Pointer | undefined) ?? contract.pointerOf(schema);
}

/** The values of a keyword in all parts. */
export function keywordValues<T>({ parts }: ResolvedSchema, keyword: string): T[] {
  return mapDefined(parts, ({ [keyword]: value }) => value as T | undefined);
}

/** A keyword of a schema, as it stands in the contract. */
export interface KeywordPlace {
  /** undefined if the schema lacks the keyword. */
  value: unknown;
  /**
   * If the schema lacks it: the place of the other schema's keyword, or the nearest part; if both lack it, the
   * innermost part.
   */
  pointer: Pointer | undefined;
  /** Where the keyword stands in further parts, whose values count as well. */
  also?: readonly Pointer[];
  /** The places of the schemas around it, outermost first. */
  trail: readonly Pointer[];
}

export function locateKeyword(schema: ResolvedSchema, keyword: string, other: ResolvedSchema): KeywordPlace {
  const placesOf = ({ contract, parts }: ResolvedSchema, has: (part: SchemaObject) => boolean) =>
    mapDefined(parts.filter(has), (part) => pointerOf(contract, part));
  const { trail } = schema;
  const isGiven = (part: SchemaObject) => part[keyword] !== undefined;
  const [value] = keywordValues(schema, keyword);
  const written = [keyword.replace("review:", ""), ...(COMPANIONS[keyword] ?? [])];
  const [pointer, ...also] = placesOf(schema, isGiven).flatMap((place) => written.map((name) => [...place, name]));
  if (pointer) return { value, pointer, also, trail };
  const [place] = placesOf(other, isGiven);
  const all = placesOf(schema, () => true);
  const same = all.find((pointer) => pointer.join("\n") === place?.join("\n"));
  return { value, pointer: same ?? (place ? trail : all).at(-1), trail };
}

/** A keyword of `to` that may reject what `from` allows, and where. */
export interface SchemaDifference {
  /** Steps into the value: names, EACH_ITEM, UNKNOWN_MEMBER. */
  path: readonly string[];
  keyword: string;
  from: KeywordPlace;
  to: KeywordPlace;
  /**
   * Values that may show it, the shortest first; `undefined` omits the member. Empty if none was found, nor a proof.
   */
  values: readonly unknown[];
  /** True if `to` forbids the member in messages of this side: it is read-only, for example. */
  isForbidden?: boolean;
  /** Why the comparison was given up. */
  undecided?: string;
  /** The path of the values. */
  valuePath: readonly string[];
  pair: Pick<SchemaPair, "from" | "to">;
}

/** Two schemas of the same place. */
export interface SchemaPair {
  from: ResolvedSchema;
  to: ResolvedSchema;
  path: readonly string[];
}

export function createDifference(
  { from, to, path }: SchemaPair,
  difference: Pick<SchemaDifference, "keyword" | "values"> & Partial<SchemaDifference>,
): SchemaDifference {
  const { keyword } = difference;
  const pair = { from, to };
  const places = { from: locateKeyword(from, keyword, to), to: locateKeyword(to, keyword, from) };
  return { path, valuePath: difference.path ?? path, pair, ...places, ...difference };
}

/** Locates a member, or a keyword below it; without value and pointer if the schema does not name the member. */
export function locateMember(schema: ResolvedSchema, name: string, below: readonly string[] = []): KeywordPlace {
  const member = memberNames(schema).includes(name) ? memberOf(schema, name) : undefined;
  const isForbidden = (part: SchemaObject) => (part.properties?.[name] as unknown) === false;
  const [around] = mapDefined(schema.parts.filter(isForbidden), (part) => pointerOf(schema.contract, part));
  const pointer = around ? [...around, "properties", name] : member?.trail.at(-1)?.concat(below);
  return { value: around ? false : member && name, pointer, trail: schema.trail };
}

export function memberNames(schema: ResolvedSchema): string[] {
  return [...new Set(keywordValues<object>(schema, "properties").flatMap(Object.keys))];
}

/** The schema of a member; undefined if the object must not have it. */
export function memberOf(schema: ResolvedSchema, name: string): ResolvedSchema | undefined {
  const schemas = schemasOf(schema, name);
  const isForbidden = schemas.some((one) => one === false || directionOf(one) !== undefined);
  return isForbidden ? undefined : resolveSchema(schema.contract, schemas, schema.trail);
}

/** The schemas of a member in all parts. */
function schemasOf({ parts }: ResolvedSchema, name: string): unknown[] {
  return parts.flatMap((part) => schemasOfMember(part as Record<string, SchemaObject>, name));
}

/** The keyword that forbids a member in messages of this side: `readOnly` or `writeOnly`. */
function directionOf(schema: unknown): string | undefined {
  return (schema as Record<string, string> | undefined)?.[FORBIDDEN_BY];
}

/** The direction that forbids a member, and the place of its schema. */
export function findDirection(schema: ResolvedSchema, name: string): { keyword: string; at: KeywordPlace } | undefined {
  const member = schemasOf(schema, name).find((one) => directionOf(one) !== undefined);
  const keyword = directionOf(member);
  if (keyword === undefined) return undefined;
  const pointer = schema.contract.pointerOf(member as object)?.concat(keyword);
  return { keyword, at: { value: true, pointer, trail: schema.trail } };
}

/** True for the step to the items, unless a member has its name. */
function isItemStep(schema: ResolvedSchema | undefined, step: string): boolean {
  return step === EACH_ITEM && !(schema && memberNames(schema).includes(step));
}

/** The schema of a member or, for EACH_ITEM, of the items. */
export function stepInto(schema: ResolvedSchema, step: string): ResolvedSchema | undefined {
  if (!isItemStep(schema, step)) return memberOf(schema, step);
  return resolveSchema(schema.contract, keywordValues(schema, "items"), schema.trail);
}

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** The types that a value may have; `number` includes `integer`. */
export function typesOf(schema: ResolvedSchema): string[] {
  const typeLists = keywordValues<string | string[]>(schema, "type").map((types) => toList(types));
  const isAllowed = (type: string) =>
    typeLists.every((types) => types.includes(type) || (type === "integer" && types.includes("number")));
  return TYPES.filter(isAllowed);
}

/** True without a keyword that decides about a value. What `$ref` and `allOf` lead to are parts as well. */
export function allowsAnything({ parts }: ResolvedSchema): boolean {
  return parts.flatMap(Object.keys).every((keyword) => isAnnotation(keyword) || ["$ref", "allOf"].includes(keyword));
}

/** The smallest value that a schema allows, or any value if none is found. */
export function exampleOf({ whole }: ResolvedSchema): unknown {
  return sampleOf(whole, "", { isSmallest: true }) ?? "text";
}

/** A value of a member, if the first schema that allows it says anything about it. */
export function sampleMember(schemas: readonly ResolvedSchema[], name: string): unknown {
  const [member] = mapDefined(schemas, (schema) => memberOf(schema, name));
  return member && member.parts.length > 0 ? exampleOf(member) : "x";
}

/** A name for each of the schema's `patternProperties`. */
export function matchingNames(schema: ResolvedSchema): string[] {
  const patterns = keywordValues<object>(schema, "patternProperties").flatMap(Object.keys);
  return patterns.flatMap((pattern) => textsOf(pattern).slice(0, 1));
}

/** Replaces the part at a path; `undefined` removes it. Creates missing parents. */
export function withPart(
  value: unknown,
  schema: ResolvedSchema | undefined,
  path: readonly string[],
  part: unknown,
): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return part;
  const whole = value === undefined && schema ? exampleOf(schema) : value;
  const below = (old: unknown) => withPart(old, schema && stepInto(schema, step), rest, part);
  if (isItemStep(schema, step)) {
    const [first, ...further] = Array.isArray(whole) ? whole : [];
    return [below(first), ...further];
  }
  const members = Object.entries(typeof whole === "object" && whole !== null ? whole : {});
  const member = below(new Map(members).get(step));
  const remaining = members.filter(([name]) => name !== step);
  return Object.fromEntries(member === undefined ? remaining : [...remaining, [step, member]]);
}
