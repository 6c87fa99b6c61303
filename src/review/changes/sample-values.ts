// Values to try two schemas with: a smallest one, values around the bounds of both, and random ones, by the generators of
// `verify`. Whether a value is valid is decided by the schemas, not here.
import fc from "fast-check";
import type { SchemaObject } from "../../contract/openapi-document.js";
import { scalarOf } from "../../verify/cases/arbitraries.js";
import { jsonValues } from "../../verify/cases/fuzz-values.js";
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

const TEXTS: Record<string, string> = {
  "date-time": "2026-01-01T00:00:00.000Z",
  date: "2026-01-01",
  uuid: "0d4a3b9e-5f57-4a70-9d55-6b1f9d2c8a11",
};
/** How many random values each schema gives. */
const RANDOM = 40;
const MAX_DEPTH = 3;

/** A value that a schema allows: an example where it has one, else the smallest. */
export function sampleValue(schema: ResolvedSchema): unknown {
  const [example] = [
    ...keywordValues(schema, "const"),
    ...["examples", "enum"].flatMap((keyword) => keywordValues<unknown[]>(schema, keyword).map(([first]) => first)),
  ];
  if (example !== undefined) return example;
  const members = keywordValues(schema, "properties");
  if (keywordValues(schema, "type").length === 0 && members.length === 0) return "text";
  const limit = (keyword: string) => Math.max(0, ...keywordValues<number>(schema, keyword));
  switch (typesOf(schema).find((type) => type !== "null")) {
    case "array":
      return Array.from({ length: limit("minItems") }, () => sampleValue(itemsOf(schema)));
    case "boolean":
      return true;
    case "integer":
    case "number":
      return limit("minimum");
    case "string":
      return TEXTS[String(keywordValues(schema, "format")[0])] ?? "text".padEnd(limit("minLength"), "x");
    default: {
      const names = keywordValues<string[]>(schema, "required").flat();
      return Object.fromEntries(names.map((name) => [name, sampleMember([schema], name)]));
    }
  }
}

/** Of a member, by the first schema that allows it. */
export function sampleMember(schemas: readonly ResolvedSchema[], name: string): unknown {
  const [member] = schemas.flatMap((schema) => memberOf(schema, name) ?? []);
  return member && member.parts.length > 0 ? sampleValue(member) : "x";
}

/** Values that tell `from` from `other`, whichever of the two allows them. */
export function sampleValues(from: ResolvedSchema, other: ResolvedSchema, depth = 0): unknown[] {
  const schemas = [from, other];
  const types = typesOf(from);
  const merged = schemas.map(({ parts }) => Object.assign({}, ...parts.map(({ schema }) => schema)) as SchemaObject);
  const values = [
    ...schemas.map(sampleValue),
    ...schemas.flatMap((schema) => [
      ...keywordValues<unknown[]>(schema, "enum").flat(),
      ...keywordValues(schema, "const"),
    ]),
    ...merged.flatMap((schema) => [...jsonValues(schema, sampleValue(from)), ...randomValues(schema)]),
    ...(types.includes("array") ? lists(schemas) : []),
    ...(types.includes("object") ? objects(schemas, depth) : []),
    ...(depth < MAX_DEPTH ? schemas.flatMap((schema) => valuesOfConditions(schema, sampleValue(from), depth)) : []),
  ];
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const randomByText = new Map<string, unknown[]>();

/** The same ones each time: a report must not differ from run to run. */
function randomValues({ description, examples, ...schema }: SchemaObject): unknown[] {
  const key = JSON.stringify(schema);
  const values = randomByText.get(key) ?? draw(() => fc.sample(scalarOf(schema), { numRuns: RANDOM, seed: 1 }));
  randomByText.set(key, values); // to prepare the generator of a pattern takes a third of a second
  return values;
}

/** Nothing for a pattern that the generator cannot read, or bounds that exclude each other: the other values remain. */
function draw(sample: () => unknown[]): unknown[] {
  try {
    return sample();
  } catch {
    return [];
  }
}

function lists(schemas: readonly ResolvedSchema[]): unknown[] {
  const items = schemas.flatMap((schema) => [
    sampleValue(itemsOf(schema)),
    ...keywordValues(itemsOf(schema), "enum").flat(),
  ]);
  const inside = schemas.flatMap((schema) => subschemas(schema, ["contains", "prefixItems"]).map(sampleValue));
  const all = [...inside, ...items, "text", 1];
  const lengths = [0, 1, 2, ...boundsOf(schemas, ["minItems", "maxItems", "minContains", "maxContains"])];
  return lengths.flatMap((length) =>
    [all, all.slice(0, 1), items, [...new Set(items)]].map((source) =>
      Array.from({ length }, (_none, index) => source[index % source.length]),
    ),
  );
}

/** Members vary in their presence; in conditions, whose members are not compared themselves, also in value. */
function objects(schemas: readonly ResolvedSchema[], depth: number): unknown[] {
  const names = [...new Set(schemas.flatMap(memberNames))];
  const everything = Object.fromEntries(names.map((name) => [name, sampleMember(schemas, name)]));
  const smallest = schemas.map(sampleValue).find(isObject) ?? {};
  const others = schemas.flatMap((schema) => [
    ...matchingNames(schema),
    ...keywordValues<object>(schema, "dependentRequired").flatMap(Object.keys),
  ]);
  const single = [...names, ...others, UNKNOWN_MEMBER].map((name) => ({ [name]: sampleMember(schemas, name) }));
  const varied = names.flatMap((name) => {
    const [member] = depth === 0 || depth >= MAX_DEPTH ? [] : schemas.flatMap((schema) => memberOf(schema, name) ?? []);
    return member ? sampleValues(member, member, depth + 1).map((value) => ({ [name]: value })) : [];
  });
  return [
    ...[{}, ...single, ...varied],
    ...[smallest, everything].flatMap((base) => [
      base,
      ...single.map((one) => ({ ...base, ...one })),
      ...names.map((name) => without(base, name)),
    ]),
    ...boundsOf(schemas, ["minProperties", "maxProperties"]).map((size) => resize(everything, size)),
  ];
}

/** A name for each pattern that a schema has for names. */
export function matchingNames(schema: ResolvedSchema): string[] {
  const patterns = keywordValues<object>(schema, "patternProperties").flatMap(Object.keys);
  return patterns.flatMap((pattern) =>
    draw(() => fc.sample(fc.stringMatching(new RegExp(pattern, "u")), { numRuns: 1, seed: 1 })).map(String),
  );
}

/** One less, the bound, and one more, as far as it is small enough to try. */
function boundsOf(schemas: readonly ResolvedSchema[], keywords: readonly string[]): number[] {
  const bounds = keywords.flatMap((keyword) => schemas.flatMap((schema) => keywordValues<number>(schema, keyword)));
  return [...new Set(bounds.flatMap((bound) => [bound - 1, bound, bound + 1]))].filter((n) => n >= 0 && n <= 1000);
}

const CONDITIONS = ["anyOf", "oneOf", "not", "if", "then", "else", "propertyNames", "dependentSchemas"];

/** What the conditions and alternatives of a schema describe, as it is and as members of a whole value. */
function valuesOfConditions(schema: ResolvedSchema, whole: unknown, depth: number): unknown[] {
  return subschemas(schema, CONDITIONS).flatMap((part) => {
    const values = sampleValues(part, part, depth + 1).slice(0, 200);
    return values.flatMap((value) => (isObject(value) && isObject(whole) ? [value, { ...whole, ...value }] : [value]));
  });
}

function subschemas({ contract, parts }: ResolvedSchema, keywords: readonly string[]): ResolvedSchema[] {
  return parts.flatMap(({ schema, pointer }) =>
    keywords.flatMap((keyword) => {
      const value = schema[keyword];
      if (!isObject(value)) return [];
      const isMap = Array.isArray(value) || keyword === "dependentSchemas";
      return (isMap ? Object.values(value) : [value]).map((part) =>
        resolveSchema(contract, [{ schema: part, pointer: [...pointer, keyword] }]),
      );
    }),
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

export function isObject(value: unknown): value is Record<string, unknown> {
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
