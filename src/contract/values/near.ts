// Values near schemas: at their bounds and just beyond them, what they name, misspellings of their examples, and what programs
// send by mistake. For `maximum: 50`: 25, 49, 50, 51 and what every schema is tried with. The schemas decide which of them are
// valid, not this file.
import type { OpenApiDocument, SchemaObject } from "../openapi-document.js";
import { flatten, schemasOfMember } from "../schema-flatten.js";
import { smallestValue } from "./example.js";
import { FORMATS, textsOf } from "./scalars.js";

const HEX_ID = "66e0f1a20c4b3d5e6f708101";

// The last ones are not RFC 3339, although they look like it.
const TIMES = [
  ...["T00:00:00Z", "t23:59:59.999z", "T12:00:00.123+05:30", "T00:00:00-00:00", " 00:00:00Z", "T00:00:00", ""],
  ...["T24:00:01Z", "T00:60:00Z", "T00:00Z", "T00:00:00+0100", "T00:00:00,5Z", "T00:00:00Z ", "T00:00:00Z[UTC]"],
];
const DATES = [
  ...TIMES.map((time) => `2026-06-30${time}`),
  ...["2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "yesterday", "1793523600000", "Mon, 02 Nov 2026 09:00:00 GMT"],
];

const TEXTS = [
  ...["x", "a,b", "a+b", "%", "%2F", "..", "'\"<>&", "null", "undefined", "ünï ✓ 潮"],
  ...[255, 256, 2000].map((length) => "x".repeat(length)),
];
const NUMBERS = [-1, 0, 1, 2, 10, 49, 50, 51, 100, 1000, 2 ** 31, 1.5];
const JSON_VALUES = [null, true, false, 0, 1, 1.5, "", "x", "true", [], [true], {}];

/** A bound of 20 becomes 19, 20 and 21. Whatever is no number is left out. */
function aroundBounds(bounds: readonly unknown[]): number[] {
  return bounds.filter((bound) => typeof bound === "number").flatMap((bound) => [bound - 1, bound, bound + 1]);
}

/** Texts of those lengths. */
function textsAround({ minLength, maxLength }: SchemaObject): string[] {
  return aroundBounds([minLength, maxLength]).map((length) => "x".repeat(Math.max(length, 0)));
}

/** Each value once, as JSON tells them apart. */
export function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Values of every JSON type, near a schema and its example. */
export function jsonValuesNear(schema: SchemaObject, example: unknown): unknown[] {
  return distinct([...JSON_VALUES, ...(schema.examples ?? []), ...textsNear(schema, example), ...numbersNear(schema)]);
}

/** None if the schema allows no number. */
export function numbersNear(schema: SchemaObject): number[] {
  if (!["integer", "number"].some((type) => [schema.type].flat().includes(type))) return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return [...NUMBERS, ...aroundBounds([minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf])];
}

/** None if the schema allows no text. */
export function textsNear(schema: SchemaObject, example: unknown): unknown[] {
  if (schema.type !== undefined && schema.type !== "string") return textsAround(schema);
  const members = (schema.enum ?? []).map(String);
  const sample = String(example ?? members[0] ?? "x");
  const variants = [sample.slice(1), `${sample}0`, `g${sample.slice(1)}`, `${sample}\n`, ` ${sample}`];
  const near = [sample, ...variants, sample.toUpperCase()];
  const misses = members.length > 0 || schema.pattern !== undefined ? near : [];
  const dates = schema.format === "date-time" || String(schema.pattern).includes("[Tt]") ? DATES : [];
  return [...members, ...misses, ...dates, ...TEXTS, HEX_ID, ...textsAround(schema)];
}

/** A schema, and the document that its references lead into. */
export interface LocatedSchema {
  document: OpenApiDocument;
  schema: unknown;
}

const MAX_LENGTH = 1000;
const MAX_DEPTH = 3;
const FORMS = ["date-time", "date", "time", "uuid", "email", "uri"].map((format) => FORMATS[format]?.(0, "a"));
/** Every schema is tried with these: each type, and each form of text. Random texts of a pattern are hardly ever an instant. */
const COMMON = [
  ...[null, true, false, 0, 1, -1, 1.5, 2 ** 31],
  ...["", "x", "1", HEX_ID.toUpperCase(), "A b,c/é✓'\"<&%+", "x".repeat(MAX_LENGTH)],
  ...[...FORMS, ...DATES.slice(0, 5)],
];

/** Values that tell schemas from each other, whichever of them allows them. */
export function tellingValues(schemas: readonly LocatedSchema[], depth = 0): unknown[] {
  const isOf = (type: string) =>
    keywordValues<string | string[]>(schemas[0], "type").every((types) => [types].flat().includes(type));
  return distinct([
    ...[...schemas.map(sampleOf), ...schemas.flatMap(literalsOf)],
    ...boundsOf(schemas).flatMap((bound) => [bound, "x".repeat(lengthOf(bound))]),
    ...COMMON,
    ...schemas.flatMap((schema) => keywordValues<string>(schema, "pattern").flatMap(textsOf)),
    ...(isOf("array") ? lists(schemas) : []),
    ...(isOf("object") ? objects(schemas, depth) : []),
    ...(depth < MAX_DEPTH ? schemas.flatMap((schema) => valuesOfConditions(schema, depth)) : []),
  ]);
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

function keywordValues<T>(schema: LocatedSchema | undefined, keyword: string): T[] {
  if (!schema) return [];
  return partsOf(schema).flatMap(({ [keyword]: value }) => (value === undefined ? [] : [value as T]));
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
  const names = [...new Set([...own, ...schemas.flatMap(matchingNames), ...others, UNKNOWN])];
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
      ...own.map((name) => Object.fromEntries(Object.entries(base).filter(([other]) => other !== name))),
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
function subschemas({ document, schema }: LocatedSchema, keywords: readonly string[]): LocatedSchema[] {
  const values = keywords.flatMap((keyword) => {
    const all = keywordValues<object>({ document, schema }, keyword);
    return keyword === "dependentSchemas" ? all.flatMap(Object.values) : all.flat();
  });
  return values.map((value) => ({ document, schema: value }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function resize(object: Record<string, unknown>, size: number): Record<string, unknown> {
  const members = Object.entries(object).slice(0, size);
  while (members.length < size) members.push([`member${members.length}`, "x"]);
  return Object.fromEntries(members);
}
