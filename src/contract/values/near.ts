// Values to try a schema with; only the schema decides which of them are valid. `numbersNear`, `textsNear` and
// `jsonValuesNear` have values at its bounds and beyond, misspelled examples, and common mistakes: 49, 50 and 51 for
// `maximum: 50`. `tellingValues` tells schemas apart: 21 to 50 show that `maximum: 50` is not `maximum: 20`.
import { isObject } from "../json.js";
import { toList } from "../lists.js";
import type { SchemaObject } from "../openapi-document.js";
import type { Schema } from "../schema.js";
import { nodesOfMember, partsOf, valuesOf } from "./conjunctions.js";
import { sampleOf } from "./example.js";
import { FORMATS, textsOf } from "./scalars.js";
import { combine } from "./value-search.js";

const HEX_ID = "66e0f1a20c4b3d5e6f708101";

/** Each form of RFC 3339. */
const INSTANTS = [
  "2026-06-30T00:00:00Z",
  "2026-06-30t23:59:59.999z",
  "2026-06-30T12:00:00.123+05:30",
  "2026-06-30T00:00:00-00:00",
  "2026-06-30 00:00:00Z",
];
const DATES = [
  ...INSTANTS,
  "2026-06-30T00:00:00",
  "2026-06-30",
  "2026-06-30T24:00:01Z",
  "2026-06-30T00:60:00Z",
  "2026-06-30T00:00Z",
  "2026-06-30T00:00:00+0100",
  "2026-06-30T00:00:00,5Z",
  "2026-06-30T00:00:00Z ",
  "2026-06-30T00:00:00Z[UTC]",
  "2026-02-30T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "yesterday",
  "1793523600000",
  "Mon, 02 Nov 2026 09:00:00 GMT",
];

const SHORT_TEXTS = ["x", "a,b", "a+b", "%", "%2F", "..", "'\"<>&", "null", "undefined", "ünï ✓ 潮"];
const TEXTS = [...SHORT_TEXTS, ...[255, 256, 2000].map((length) => "x".repeat(length))];
const NUMBERS = [-1, 0, 1, 2, 10, 49, 50, 51, 100, 1000, 2 ** 31, 1.5];
const JSON_VALUES = [null, true, false, 0, 1, 1.5, "", "x", "true", [], [true], {}];

/** 19, 20 and 21 for a bound of 20; nothing for an absent one. */
function aroundBounds(bounds: readonly (number | undefined)[]): number[] {
  return bounds.filter((bound) => typeof bound === "number").flatMap((bound) => [bound - 1, bound, bound + 1]);
}

function textsAround({ minLength, maxLength }: SchemaObject): string[] {
  return aroundBounds([minLength, maxLength]).map((length) => "x".repeat(Math.max(length, 0)));
}

/** Removes values whose JSON is the same. */
export function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

export function jsonValuesNear(schema: SchemaObject, example: unknown): unknown[] {
  return distinct([...JSON_VALUES, ...(schema.examples ?? []), ...textsNear(schema, example), ...numbersNear(schema)]);
}

/** Empty if the schema allows no number. */
export function numbersNear(schema: SchemaObject): number[] {
  if (!["integer", "number"].some((type) => toList(schema.type).includes(type))) return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return [...NUMBERS, ...aroundBounds([minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf])];
}

/** For a schema that allows no text, only texts around its lengths. */
export function textsNear(schema: SchemaObject, example: unknown): unknown[] {
  if (schema.type !== undefined && schema.type !== "string") return textsAround(schema);
  const members = (schema.enum ?? []).map(literalTextOf);
  const sample = literalTextOf(example ?? members[0] ?? "x");
  const variants = [sample.slice(1), `${sample}0`, `g${sample.slice(1)}`, `${sample}\n`, ` ${sample}`];
  const near = [sample, ...variants, sample.toUpperCase()];
  const misses = members.length > 0 || schema.pattern !== undefined ? near : [];
  const dates = schema.format === "date-time" || String(schema.pattern).includes("[Tt]") ? DATES : [];
  return [...members, ...misses, ...dates, ...TEXTS, HEX_ID, ...textsAround(schema)];
}

const literalTextOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

const MAX_LENGTH = 1000;
const MAX_DEPTH = 3;
const FORMS = ["date-time", "date", "time", "uuid", "email", "uri"].map((format) => FORMATS[format]?.(0, "a"));
const SCALARS = [null, true, false, 0, 1, -1, 1.5, 2 ** 31];
const COMMON_TEXTS = ["", "x", "1", HEX_ID.toUpperCase(), "A b,c/é✓'\"<&%+", "x".repeat(MAX_LENGTH)];
/** Each type, and each form of text: random texts of a pattern are hardly ever an instant. */
const COMMON = [...SCALARS, ...COMMON_TEXTS, ...FORMS, ...INSTANTS];

/** Values that tell schemas apart: some allow them, others may not. */
export function tellingValues(schemas: readonly Schema[], depth = 0): unknown[] {
  const [first] = schemas;
  const types = first ? keywordValues<string | string[]>(first, "type") : [];
  const mayBe = (type: string) => types.every((allowed) => toList(allowed).includes(type));
  return distinct([
    ...schemas.map(smallestOf),
    ...schemas.flatMap(namedValues),
    ...boundsOf(schemas).flatMap((bound) => [bound, "x".repeat(toLength(bound))]),
    ...COMMON,
    ...schemas.flatMap((schema) => keywordValues<string>(schema, "pattern").flatMap(textsOf)),
    ...(mayBe("array") ? lists(schemas) : []),
    ...(mayBe("object") ? objects(schemas, depth) : []),
    ...(depth < MAX_DEPTH ? schemas.flatMap((schema) => valuesOfConditions(schema, depth)) : []),
  ]);
}

/** A name for each of the schema's `patternProperties`. */
export function matchingNames(schema: Schema): string[] {
  const patterns = keywordValues<object>(schema, "patternProperties").flatMap(Object.keys);
  return patterns.flatMap((pattern) => textsOf(pattern).slice(0, 1));
}

/** A text if no value was found. */
const smallestOf = (schema: Schema) => sampleOf(schema, "", { isSmallest: true }) ?? "text";

function keywordValues<T>(schema: Schema, keyword: string): T[] {
  return valuesOf(partsOf(schema), keyword);
}

/** The schemas under keywords that have one schema, a list or, as `dependentSchemas`, a map of them. */
function subschemas(schema: Schema, keywords: readonly string[]): Schema[] {
  const nodes = keywords.flatMap((keyword) => {
    const all = keywordValues<object>(schema, keyword);
    return keyword === "dependentSchemas" ? all.flatMap(Object.values) : all.flat();
  });
  return nodes.map((node) => schema.of(node as object | boolean));
}

function memberNames(schema: Schema): string[] {
  return [...new Set(keywordValues<object>(schema, "properties").flatMap(Object.keys))];
}

/** None if the object must not have the member. */
function memberOf(schema: Schema, name: string): Schema[] {
  const member = combine(schema, nodesOfMember(partsOf(schema), name));
  return member ? [member] : [];
}

function sampleMember(schemas: readonly Schema[], name: string): unknown {
  const [member] = schemas.flatMap((schema) => memberOf(schema, name));
  return member && Object.keys(member.flat).length > 0 ? smallestOf(member) : "x";
}

function namedValues(schema: Schema): unknown[] {
  const lists = ["examples", "enum"].flatMap((keyword) => keywordValues<unknown[]>(schema, keyword).flat());
  return [...keywordValues(schema, "const"), ...lists];
}

/** The numbers of all keywords (bounds of values, lengths or items), half of each, one less and one more. */
function boundsOf(schemas: readonly Schema[]): number[] {
  const values = schemas.flatMap((schema) => partsOf(schema).flatMap(Object.values));
  const bounds = values.filter((value) => typeof value === "number").toSorted((a, b) => a - b);
  return bounds.flatMap((bound) => [bound / 2, ...aroundBounds([bound])]);
}

function toLength(bound: number): number {
  return Math.min(Math.max(0, Math.floor(bound)), MAX_LENGTH);
}

/** A list of each item alone, and lists of each telling length, with equal and with different items. */
function lists(schemas: readonly Schema[]): unknown[] {
  const contained = schemas.flatMap((schema) => subschemas(schema, ["contains"]).map(smallestOf));
  const itemSchemas = schemas.flatMap((schema) => subschemas(schema, ["items"]));
  const items = itemSchemas.flatMap((item) => [smallestOf(item), ...keywordValues(item, "enum").flat()]);
  const all = [...contained, ...items, "text", 1];
  const unique = [...new Set(items)];
  const single = [...unique, ...all].map((item) => [item]);
  const cycles = [all, all.slice(0, 1), items, unique, unique.toReversed(), unique.slice(0, 1)];
  const lengths = [0, 1, 2, ...boundsOf(schemas).map(toLength)];
  const repeated = lengths.flatMap((length) =>
    cycles.map((cycle) => Array.from({ length }, (_none, index) => cycle[index % cycle.length])),
  );
  const numbers = lengths.map((length) => Array.from({ length }, (_none, index) => index)); // for uniqueItems
  return [...single, ...repeated, ...numbers, ...numbers.map((list) => list.map(String))];
}

/** Stands for members that no schema names. */
const UNKNOWN = "unknownMember";

/** Objects with and without each member. In conditions, where members are not compared alone, values vary too. */
function objects(schemas: readonly Schema[], depth: number): unknown[] {
  const own = [...new Set(schemas.flatMap(memberNames))];
  const ruled = schemas.flatMap((schema) => subschemas(schema, ["propertyNames"]).map(nameOf));
  const companies = schemas.flatMap((schema) =>
    keywordValues<Record<string, string[]>>(schema, "dependentRequired").flatMap(Object.entries<string[]>),
  );
  const depending = companies.map(([name]) => name);
  const names = [...new Set([...own, ...schemas.flatMap(matchingNames), ...ruled, ...depending, UNKNOWN])];
  const toObject = (members: readonly string[]) =>
    Object.fromEntries(members.map((name) => [name, sampleMember(schemas, name)]));
  const single = names.map((name) => toObject([name]));
  const complete = companies.map(([name, needed]) => toObject([name, ...needed]));
  const everything = Object.assign({}, ...single.slice(0, own.length));
  const smallest = schemas.map(smallestOf).find(isObject) ?? {};
  const varied = (depth === 0 || depth === MAX_DEPTH ? [] : own).flatMap((name) => {
    const [member] = schemas.flatMap((schema) => memberOf(schema, name));
    return member ? tellingValues([member], depth + 1).map((value) => ({ ...smallest, [name]: value })) : [];
  });
  const around = [smallest, everything].flatMap((base) => [
    base,
    ...[...single, ...complete].map((members) => ({ ...base, ...members })),
    ...own.map((name) => Object.fromEntries(Object.entries(base).filter(([other]) => other !== name))),
  ]);
  return [
    {},
    ...single,
    ...varied,
    ...around,
    ...boundsOf(schemas).map((bound) => resize(everything, toLength(bound))),
  ];
}

/** A name that a schema of names allows. */
function nameOf(names: Schema): string {
  return String(smallestOf(names.of({ allOf: [names.node, { type: "string" }] })));
}

const CONDITIONS = ["anyOf", "oneOf", "not", "if", "then", "else", "propertyNames", "dependentSchemas"];

/** Values that the schema's conditions and alternatives describe, alone and as members of a whole value. */
function valuesOfConditions(schema: Schema, depth: number): unknown[] {
  const whole = smallestOf(schema);
  const conditions = subschemas(schema, CONDITIONS);
  const described = conditions.flatMap((condition) => tellingValues([condition], depth + 1).slice(0, 200));
  if (!isObject(whole)) return described;
  const members = [...described.filter(isObject), ...pairsOf(schema, conditions)];
  return [...described, ...members.map((value) => ({ ...whole, ...value }))];
}

const MAX_PAIRED = 5;
const MAX_CHOICES = 12;

/** Pairs of values that the schema and its conditions name for two members: `critical: true` with `severity: low`. */
function pairsOf(schema: Schema, conditions: readonly Schema[]): Record<string, unknown>[] {
  const names = [...new Set(conditions.flatMap(memberNames))].slice(0, MAX_PAIRED);
  const choices = names.map((name) => {
    const members = [schema, ...conditions].flatMap((place) => memberOf(place, name));
    const isBoolean = members.some((member) => keywordValues(member, "type").flat().includes("boolean"));
    const values = distinct([...(isBoolean ? [true, false] : []), ...members.flatMap(namedValues)]);
    return values.slice(0, MAX_CHOICES).map((value) => ({ [name]: value }));
  });
  return choices.flatMap((ofMember, index) =>
    choices.slice(index + 1).flatMap((ofOther) => ofMember.flatMap((a) => ofOther.map((b) => ({ ...a, ...b })))),
  );
}

function resize(object: Record<string, unknown>, size: number): Record<string, unknown> {
  const members = Object.entries(object).slice(0, size);
  while (members.length < size) members.push([`member${members.length}`, "x"]);
  return Object.fromEntries(members);
}
