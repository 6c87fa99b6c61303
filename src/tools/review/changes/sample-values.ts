// Values to try two schemas with: a smallest one, what the schemas name, values around their bounds, and texts of their
// patterns. For `maximum: 50` and `maximum: 20`: 0, 10, 19, 20, 21, 25, 49, 50, 51 and what every schema is tried with. Whether a
// value is valid is decided by the schemas, not here. (contract/values/example.ts has one plausible value of one schema.)

import { sampleValue as smallestValue } from "../../../contract/values/example.js";
import { aroundBounds, distinct } from "../../../contract/values/near.js";
import { FORMATS, textsOf } from "../../../contract/values/scalars.js";
import {
  EACH_ITEM,
  itemsOf,
  keywordValues,
  memberNames,
  memberOf,
  type ResolvedSchema,
  resolveSchema,
  stepInto,
  typesOf,
  UNKNOWN_MEMBER,
} from "./resolved-schema.js";

const MAX_LENGTH = 1000;
/** A text of a format; nothing where JSON Schema does not know it. */
const ofFormat = (format: string): string | undefined => FORMATS[format]?.(0, "a");
const TEXTS = ["date-time", "date", "time", "uuid", "email", "uri"].map(ofFormat);
/** The forms of RFC 3339. Random texts of a pattern are hardly ever an instant. */
const INSTANTS = ["T00:00:00Z", "T23:59:59.123Z", "t00:00:00z", "T00:00:00+05:30", " 00:00:00Z"].map(
  (time) => `2026-06-30${time}`,
);
const OTHER_TEXTS = ["", "x", "1", "66E0F1A20C4B3D5E6F708101", "A b,c/é✓'\"<&%+", "x".repeat(MAX_LENGTH)];
/** Every schema is tried with these: each type, and each form of text. */
const COMMON = [null, true, false, 0, 1, -1, 1.5, 2 ** 31, ...OTHER_TEXTS, ...TEXTS, ...INSTANTS];
const MAX_DEPTH = 3;

/** A value that a schema allows, as small as may be. Where none is found, any value. */
export function sampleValue({ contract, nodes }: ResolvedSchema): unknown {
  const [first = {}, ...others] = nodes;
  const schema = others.length === 0 ? first : { allOf: [...nodes] };
  return smallestValue(contract.document, schema, "", { isSmallest: true }) ?? "text";
}

/** A value of a member, by the first schema that allows it. */
export function sampleMember(schemas: readonly ResolvedSchema[], name: string): unknown {
  const [member] = schemas.flatMap((schema) => memberOf(schema, name) ?? []);
  return member && member.parts.length > 0 ? sampleValue(member) : "x";
}

/** Values that tell the schemas from each other, whichever of them allows them. */
export function sampleValues(schemas: readonly ResolvedSchema[], depth = 0): unknown[] {
  const [types = []] = schemas.map(typesOf);
  const values = [
    ...[...schemas.map(sampleValue), ...tellingLiterals(schemas)],
    ...boundsOf(schemas).flatMap((bound) => [bound, "x".repeat(lengthOf(bound))]),
    ...COMMON,
    ...schemas.flatMap((schema) => keywordValues<string>(schema, "pattern").flatMap((pattern) => textsOf(pattern))),
    ...(types.includes("array") ? lists(schemas) : []),
    ...(types.includes("object") ? objects(schemas, depth) : []),
    ...(depth < MAX_DEPTH ? schemas.flatMap((schema) => valuesOfConditions(schema, depth)) : []),
  ];
  return distinct(values);
}

const MAX_LITERALS = 60;

/** In long lists, literals that only one of the schemas names come first. */
function tellingLiterals(schemas: readonly ResolvedSchema[]): unknown[] {
  const lists = schemas.map(literalsOf);
  return lists.flatMap((list, index) => {
    if (list.length <= MAX_LITERALS) return list;
    const others = new Set(lists.filter((_list, at) => at !== index).flat());
    const own = list.filter((value) => !others.has(value));
    return [...own.slice(0, MAX_LITERALS), ...list.slice(0, MAX_LITERALS)];
  });
}

/** The values that a schema names. */
function literalsOf(schema: ResolvedSchema): unknown[] {
  const lists = ["examples", "enum"].flatMap((keyword) => keywordValues<unknown[]>(schema, keyword).flat());
  return [...keywordValues(schema, "const"), ...lists];
}

/** The numbers of all keywords, half of each, one less and one more: bounds of values, of lengths, of numbers of items. */
function boundsOf(schemas: readonly ResolvedSchema[]): number[] {
  const values = schemas.flatMap(({ parts }) => parts.flatMap(Object.values));
  const bounds = values.filter((value) => typeof value === "number").toSorted((a, b) => a - b);
  return bounds.flatMap((bound) => [bound / 2, ...aroundBounds([bound])]);
}

function lengthOf(bound: number): number {
  return Math.min(Math.max(0, Math.floor(bound)), MAX_LENGTH);
}

function lists(schemas: readonly ResolvedSchema[]): unknown[] {
  const inside = schemas.flatMap((schema) => subschemas(schema, ["contains"]));
  const items = schemas.map(itemsOf).flatMap((item) => [sampleValue(item), ...keywordValues(item, "enum").flat()]);
  const all = [...inside.map(sampleValue), ...items, "text", 1];
  const different = [...new Set(items)];
  const single = [...different, ...all].map((item) => [item]);
  const sources = [all, all.slice(0, 1), items, different, different.toReversed(), different.slice(0, 1)];
  const repeated = [0, 1, 2, ...boundsOf(schemas).map(lengthOf)].flatMap((length) =>
    sources.map((source) => Array.from({ length }, (_none, index) => source[index % source.length])),
  );
  return [...single, ...repeated];
}

/** Members vary in their presence; in conditions, whose members are not compared themselves, also in value. */
function objects(schemas: readonly ResolvedSchema[], depth: number): unknown[] {
  const own = [...new Set(schemas.flatMap(memberNames))];
  const others = schemas.flatMap((schema) => keywordValues<object>(schema, "dependentRequired").flatMap(Object.keys));
  const forms = schemas.flatMap((schema) => subschemas(schema, ["propertyNames"]));
  const named = boundsOf(forms).map((bound) => "x".repeat(Math.min(lengthOf(bound), 300)));
  const names = [...new Set([...own, ...schemas.flatMap(matchingNames), ...others, ...named, UNKNOWN_MEMBER])];
  const single = names.map((name) => ({ [name]: sampleMember(schemas, name) }));
  const everything = Object.assign({}, ...single.slice(0, own.length));
  const smallest = schemas.map(sampleValue).find(isObject) ?? {};
  const varied = (depth === 0 || depth === MAX_DEPTH ? [] : own).flatMap((name) => {
    const [member] = schemas.flatMap((schema) => memberOf(schema, name) ?? []);
    return member ? sampleValues([member], depth + 1).map((value) => ({ [name]: value })) : [];
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

/** A name for each pattern that a schema has for names. */
export function matchingNames(schema: ResolvedSchema): string[] {
  const patterns = keywordValues<object>(schema, "patternProperties").flatMap(Object.keys);
  return patterns.flatMap((pattern) => textsOf(pattern).slice(0, 1));
}

const CONDITIONS = ["anyOf", "oneOf", "not", "if", "then", "else", "propertyNames", "dependentSchemas"];

/** Values that the conditions and alternatives of a schema describe, as they are and as members of a whole value. */
function valuesOfConditions(schema: ResolvedSchema, depth: number): unknown[] {
  const whole = sampleValue(schema);
  return subschemas(schema, CONDITIONS).flatMap((part) => {
    const values = sampleValues([part], depth + 1).slice(0, 200);
    return values.flatMap((value) => (isObject(value) && isObject(whole) ? [value, { ...whole, ...value }] : [value]));
  });
}

/** Those under keywords that have one schema, a list of schemas, or a map of them. */
function subschemas(schema: ResolvedSchema, keywords: readonly string[]): ResolvedSchema[] {
  return keywords.flatMap((keyword) =>
    keywordValues(schema, keyword)
      .flatMap((value) => (keyword === "dependentSchemas" ? Object.values(value as object) : value))
      .map((branch) => resolveSchema(schema.contract, [branch])),
  );
}

/** The value with another part at a path; `undefined` omits it. Missing parents are created. */
export function withPart(
  value: unknown,
  schema: ResolvedSchema | undefined,
  path: readonly string[],
  part: unknown,
): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return part;
  const whole = value === undefined && schema ? sampleValue(schema) : value;
  const below = (old: unknown) => withPart(old, schema && stepInto(schema, step), rest, part);
  if (step === EACH_ITEM) {
    const [first, ...others] = Array.isArray(whole) ? whole : [];
    return [below(first), ...others];
  }
  const object = isObject(whole) ? whole : {};
  const member = below(object[step]);
  return member === undefined ? without(object, step) : { ...object, [step]: member };
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
