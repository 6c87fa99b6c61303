// Values that tell schemas apart: some allow them, others may not. 21 to 50 show that `maximum: 50` is not
// `maximum: 20`.
import { distinct, isObject } from "../../../contract/json.js";
import { mapDefined, toList } from "../../../contract/lists.js";
import { aroundBounds, FORMATS, HEX_ID, INSTANTS, textsOf } from "../../../contract/values/scalars.js";
import { UNKNOWN_MEMBER } from "../../usage/contract-members.js";
import {
  exampleOf,
  keywordValues,
  matchingNames,
  memberNames,
  memberOf,
  type ResolvedSchema,
  resolveSchema,
  sampleMember,
} from "./resolved-schema.js";

const MAX_LENGTH = 1000;
const MAX_DEPTH = 3;
const FORMS = ["date-time", "date", "time", "uuid", "email", "uri"].map((format) => FORMATS[format]?.(0, "a"));
const SCALARS = [null, true, false, 0, 1, -1, 1.5, 2 ** 31];
const COMMON_TEXTS = ["", "x", "1", HEX_ID.toUpperCase(), "A b,c/é✓'\"<&%+", "x".repeat(MAX_LENGTH)];
/** Each type, and each form of text: random texts of a pattern are hardly ever an instant. */
const COMMON = [...SCALARS, ...COMMON_TEXTS, ...FORMS, ...INSTANTS];

export function tellingValues(schemas: readonly ResolvedSchema[], depth = 0): unknown[] {
  const [first] = schemas;
  const types = first ? keywordValues<string | string[]>(first, "type") : [];
  const mayBe = (type: string) => types.every((allowed) => toList(allowed).includes(type));
  return distinct([
    ...schemas.map(exampleOf),
    ...schemas.flatMap(namedValues),
    ...boundsOf(schemas).flatMap((bound) => [bound, "x".repeat(toLength(bound))]),
    ...COMMON,
    ...schemas.flatMap((schema) => keywordValues<string>(schema, "pattern").flatMap(textsOf)),
    ...(mayBe("array") ? lists(schemas) : []),
    ...(mayBe("object") ? objects(schemas, depth) : []),
    ...(depth < MAX_DEPTH ? schemas.flatMap((schema) => valuesOfConditions(schema, depth)) : []),
  ]);
}

/** The schemas under keywords that have one schema, a list or, as `dependentSchemas`, a map of them. */
function subschemas(schema: ResolvedSchema, keywords: readonly string[]): ResolvedSchema[] {
  const nodes = keywords.flatMap((keyword) => {
    const all = keywordValues<object>(schema, keyword);
    return keyword === "dependentSchemas" ? all.flatMap(Object.values) : all.flat();
  });
  return nodes.map((node) => resolveSchema(schema.contract, [node]));
}

function namedValues(schema: ResolvedSchema): unknown[] {
  const lists = ["examples", "enum"].flatMap((keyword) => keywordValues<unknown[]>(schema, keyword).flat());
  return [...keywordValues(schema, "const"), ...lists];
}

/** The numbers of all keywords (bounds of values, lengths or items), half of each, one less and one more. */
function boundsOf(schemas: readonly ResolvedSchema[]): number[] {
  const values = schemas.flatMap(({ parts }) => parts.flatMap(Object.values));
  const bounds = values.filter((value) => typeof value === "number").toSorted((a, b) => a - b);
  return bounds.flatMap((bound) => [bound / 2, ...aroundBounds([bound])]);
}

function toLength(bound: number): number {
  return Math.min(Math.max(0, Math.floor(bound)), MAX_LENGTH);
}

/** A list of each item alone, and lists of each telling length, with equal and with different items. */
function lists(schemas: readonly ResolvedSchema[]): unknown[] {
  const contained = schemas.flatMap((schema) => subschemas(schema, ["contains"]).map(exampleOf));
  const itemSchemas = schemas.flatMap((schema) => subschemas(schema, ["items"]));
  const items = itemSchemas.flatMap((item) => [exampleOf(item), ...keywordValues(item, "enum").flat()]);
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

/** Objects with and without each member. In conditions, where members are not compared alone, values vary too. */
function objects(schemas: readonly ResolvedSchema[], depth: number): unknown[] {
  const own = [...new Set(schemas.flatMap(memberNames))];
  const ruled = schemas.flatMap((schema) => subschemas(schema, ["propertyNames"]).map(nameOf));
  const companies = schemas.flatMap((schema) =>
    keywordValues<Record<string, string[]>>(schema, "dependentRequired").flatMap(Object.entries<string[]>),
  );
  const depending = companies.map(([name]) => name);
  const names = [...new Set([...own, ...schemas.flatMap(matchingNames), ...ruled, ...depending, UNKNOWN_MEMBER])];
  const toObject = (members: readonly string[]) =>
    Object.fromEntries(members.map((name) => [name, sampleMember(schemas, name)]));
  const single = names.map((name) => toObject([name]));
  const complete = companies.map(([name, needed]) => toObject([name, ...needed]));
  const everything = Object.assign({}, ...single.slice(0, own.length));
  const smallest = schemas.map(exampleOf).find(isObject) ?? {};
  const varied = (depth === 0 || depth === MAX_DEPTH ? [] : own).flatMap((name) => {
    const [member] = mapDefined(schemas, (schema) => memberOf(schema, name));
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
function nameOf({ contract, nodes }: ResolvedSchema): string {
  return String(exampleOf(resolveSchema(contract, [...nodes, { type: "string" }])));
}

const CONDITIONS = ["anyOf", "oneOf", "not", "if", "then", "else", "propertyNames", "dependentSchemas"];

/** Values that the schema's conditions and alternatives describe, alone and as members of a whole value. */
function valuesOfConditions(schema: ResolvedSchema, depth: number): unknown[] {
  const whole = exampleOf(schema);
  const conditions = subschemas(schema, CONDITIONS);
  const described = conditions.flatMap((condition) => tellingValues([condition], depth + 1).slice(0, 200));
  if (!isObject(whole)) return described;
  const members = [...described.filter(isObject), ...pairsOf(schema, conditions)];
  return [...described, ...members.map((value) => ({ ...whole, ...value }))];
}

const MAX_PAIRED = 5;
const MAX_CHOICES = 12;

/** Pairs of values that the schema and its conditions name for two members: `critical: true` with `severity: low`. */
function pairsOf(schema: ResolvedSchema, conditions: readonly ResolvedSchema[]): Record<string, unknown>[] {
  const names = [...new Set(conditions.flatMap(memberNames))].slice(0, MAX_PAIRED);
  const choices = names.map((name) => {
    const members = [schema, ...conditions].flatMap((place) => memberOf(place, name) ?? []);
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
