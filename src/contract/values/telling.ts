// Values that tell schemas from each other: a smallest one, what the schemas name, values around their bounds, and texts of
// their patterns. For `maximum: 50` and `maximum: 20`: 0, 10, 19, 20, 21, 25, 49, 50, 51 and what every schema is tried with. The
// schemas decide which of them are valid, not this file.
import type { OpenApiDocument, SchemaObject } from "../openapi-document.js";
import { flatten, schemasOfMember } from "../schema-flatten.js";
import { smallestValue } from "./example.js";
import { aroundBounds, distinct } from "./near.js";
import { FORMATS, textsOf } from "./scalars.js";

/** A schema, and the document that its references lead into. */
export interface LocatedSchema {
  document: OpenApiDocument;
  schema: unknown;
}

const MAX_LENGTH = 1000;
const TEXTS = ["date-time", "date", "time", "uuid", "email", "uri"].map((format) => FORMATS[format]?.(0, "a"));
/** The forms of RFC 3339. Random texts of a pattern are hardly ever an instant. */
const INSTANTS = ["T00:00:00Z", "T23:59:59.123Z", "t00:00:00z", "T00:00:00+05:30", " 00:00:00Z"].map(
  (time) => `2026-06-30${time}`,
);
const OTHER_TEXTS = ["", "x", "1", "66E0F1A20C4B3D5E6F708101", "A b,c/é✓'\"<&%+", "x".repeat(MAX_LENGTH)];
/** Every schema is tried with these: each type, and each form of text. */
const COMMON = [null, true, false, 0, 1, -1, 1.5, 2 ** 31, ...OTHER_TEXTS, ...TEXTS, ...INSTANTS];
const MAX_DEPTH = 3;

/** Values whichever of the schemas allows them. */
export function tellingValues(schemas: readonly LocatedSchema[], depth = 0): unknown[] {
  const [first] = schemas;
  const values = [
    ...[...schemas.map(sampleOf), ...tellingLiterals(schemas)],
    ...boundsOf(schemas).flatMap((bound) => [bound, "x".repeat(lengthOf(bound))]),
    ...COMMON,
    ...schemas.flatMap((schema) => keywordValues<string>(schema, "pattern").flatMap(textsOf)),
    ...(first && isOfType(first, "array") ? lists(schemas) : []),
    ...(first && isOfType(first, "object") ? objects(schemas, depth) : []),
    ...(depth < MAX_DEPTH ? schemas.flatMap((schema) => valuesOfConditions(schema, depth)) : []),
  ];
  return distinct(values);
}

/** A name for each pattern that a schema has for names. */
export function matchingNames(schema: LocatedSchema): string[] {
  const patterns = keywordValues<object>(schema, "patternProperties").flatMap(Object.keys);
  return patterns.flatMap((pattern) => textsOf(pattern).slice(0, 1));
}

const sampleOf = ({ document, schema }: LocatedSchema) => smallestValue(document, schema);

/** The schema without references, and what of its `allOf` cannot be merged into it. */
function partsOf({ document, schema }: LocatedSchema): SchemaObject[] {
  const flat = flatten(document, schema);
  return [flat, ...(flat.allOf ?? []).flatMap((part) => partsOf({ document, schema: part }))];
}

function keywordValues<T>(schema: LocatedSchema, keyword: string): T[] {
  return partsOf(schema).flatMap(({ [keyword]: value }) => (value === undefined ? [] : [value as T]));
}

function isOfType(schema: LocatedSchema, type: string): boolean {
  return keywordValues<string | string[]>(schema, "type").every((types) => [types].flat().includes(type));
}

function memberNames(schema: LocatedSchema): string[] {
  return [...new Set(keywordValues<object>(schema, "properties").flatMap(Object.keys))];
}

/** None where the object must not have the member. */
function memberOf({ document, schema }: LocatedSchema, name: string): LocatedSchema[] {
  const own = partsOf({ document, schema }).flatMap((part) => schemasOfMember(part as Record<string, object>, name));
  return own.includes(false) ? [] : [{ document, schema: own.length === 1 ? own[0] : { allOf: own } }];
}

function sampleMember(schemas: readonly LocatedSchema[], name: string): unknown {
  const [member] = schemas.flatMap((schema) => memberOf(schema, name));
  return member && partsOf(member).some((part) => Object.keys(part).length > 0) ? sampleOf(member) : "x";
}

const MAX_LITERALS = 60;

/** In long lists, literals that only one of the schemas names come first. */
function tellingLiterals(schemas: readonly LocatedSchema[]): unknown[] {
  const lists = schemas.map(literalsOf);
  return lists.flatMap((list, index) => {
    if (list.length <= MAX_LITERALS) return list;
    const others = new Set(lists.filter((_list, at) => at !== index).flat());
    const own = list.filter((value) => !others.has(value));
    return [...own.slice(0, MAX_LITERALS), ...list.slice(0, MAX_LITERALS)];
  });
}

/** The values that a schema names. */
function literalsOf(schema: LocatedSchema): unknown[] {
  const lists = ["examples", "enum"].flatMap((keyword) => keywordValues<unknown[]>(schema, keyword).flat());
  return [...keywordValues(schema, "const"), ...lists];
}

/** The numbers of all keywords, half of each, one less and one more: bounds of values, of lengths, of numbers of items. */
function boundsOf(schemas: readonly LocatedSchema[]): number[] {
  const values = schemas.flatMap((schema) => partsOf(schema).flatMap(Object.values));
  const bounds = values.filter((value) => typeof value === "number").toSorted((a, b) => a - b);
  return bounds.flatMap((bound) => [bound / 2, ...aroundBounds([bound])]);
}

function lengthOf(bound: number): number {
  return Math.min(Math.max(0, Math.floor(bound)), MAX_LENGTH);
}

function lists(schemas: readonly LocatedSchema[]): unknown[] {
  const inside = schemas.flatMap((schema) => subschemas(schema, ["contains"]));
  const items = schemas.flatMap((schema) => subschemas(schema, ["items"]));
  const samples = items.flatMap((item) => [sampleOf(item), ...keywordValues(item, "enum").flat()]);
  const all = [...inside.map(sampleOf), ...samples, "text", 1];
  const different = [...new Set(samples)];
  const single = [...different, ...all].map((item) => [item]);
  const sources = [all, all.slice(0, 1), samples, different, different.toReversed(), different.slice(0, 1)];
  const repeated = [0, 1, 2, ...boundsOf(schemas).map(lengthOf)].flatMap((length) =>
    sources.map((source) => Array.from({ length }, (_none, index) => source[index % source.length])),
  );
  return [...single, ...repeated];
}

/** Stands for the members that a schema does not name. */
const UNKNOWN = "unknownMember";

/** Members vary in their presence; in conditions, whose members are not compared themselves, also in value. */
function objects(schemas: readonly LocatedSchema[], depth: number): unknown[] {
  const own = [...new Set(schemas.flatMap(memberNames))];
  const others = schemas.flatMap((schema) => keywordValues<object>(schema, "dependentRequired").flatMap(Object.keys));
  const forms = schemas.flatMap((schema) => subschemas(schema, ["propertyNames"]));
  const named = boundsOf(forms).map((bound) => "x".repeat(Math.min(lengthOf(bound), 300)));
  const names = [...new Set([...own, ...schemas.flatMap(matchingNames), ...others, ...named, UNKNOWN])];
  const single = names.map((name) => ({ [name]: sampleMember(schemas, name) }));
  const everything = Object.assign({}, ...single.slice(0, own.length));
  const smallest = schemas.map(sampleOf).find(isObject) ?? {};
  const varied = (depth === 0 || depth === MAX_DEPTH ? [] : own).flatMap((name) => {
    const [member] = schemas.flatMap((schema) => memberOf(schema, name));
    return member ? tellingValues([member], depth + 1).map((value) => ({ [name]: value })) : [];
  });
  return [
    ...[{}, ...single, ...varied],
    ...[smallest, everything].flatMap((base) => [
      base,
      ...single.map((member) => ({ ...base, ...member })),
      ...own.map((name) => without(base, name)),
    ]),
    ...boundsOf(schemas).map((bound) => resize(everything, lengthOf(bound))),
  ];
}

const CONDITIONS = ["anyOf", "oneOf", "not", "if", "then", "else", "propertyNames", "dependentSchemas"];

/** Values that the conditions and alternatives of a schema describe, as they are and as members of a whole value. */
function valuesOfConditions(schema: LocatedSchema, depth: number): unknown[] {
  const whole = sampleOf(schema);
  const conditions = subschemas(schema, CONDITIONS);
  const described = conditions.flatMap((condition) => tellingValues([condition], depth + 1).slice(0, 200));
  if (!isObject(whole)) return described;
  const pairs = pairsOf(schema, conditions);
  return [...described, ...[...described.filter(isObject), ...pairs].map((value) => ({ ...whole, ...value }))];
}

const MAX_PAIRED = 5;
const MAX_CHOICES = 12;

/** Each value of a member that conditions name with each of another one: `critical: true` with `severity: low`. */
function pairsOf(schema: LocatedSchema, conditions: readonly LocatedSchema[]): Record<string, unknown>[] {
  const names = [...new Set(conditions.flatMap(memberNames))].slice(0, MAX_PAIRED);
  const choices = names.map((name) => {
    const members = [schema, ...conditions].flatMap((one) => memberOf(one, name));
    const isBoolean = members.some((member) => keywordValues(member, "type").flat().includes("boolean"));
    const values = distinct([...(isBoolean ? [true, false] : []), ...members.flatMap(literalsOf)]);
    return values.slice(0, MAX_CHOICES).map((value) => ({ [name]: value }));
  });
  return choices.flatMap((own, index) =>
    choices.slice(index + 1).flatMap((others) => own.flatMap((one) => others.map((other) => ({ ...one, ...other })))),
  );
}

/** Those under keywords that have one schema, a list of schemas, or a map of them. */
function subschemas(schema: LocatedSchema, keywords: readonly string[]): LocatedSchema[] {
  return keywords.flatMap((keyword) =>
    keywordValues(schema, keyword)
      .flatMap((value) => (keyword === "dependentSchemas" ? Object.values(value as object) : value))
      .map((branch) => ({ document: schema.document, schema: branch })),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function without(object: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _omitted, ...rest } = object;
  return rest;
}

function resize(object: Record<string, unknown>, size: number): Record<string, unknown> {
  const members = Object.entries(object).slice(0, size);
  while (members.length < size) members.push([`member${members.length}`, "x"]);
  return Object.fromEntries(members);
}
