// Values to try two schemas with: a smallest one, values around the bounds of both, and random ones, by the generators of
// `verify`. Whether a value is valid is decided by the schemas, not here.
import fc from "fast-check";
import type { SchemaObject } from "../../contract/openapi-document.js";
import { scalarOf } from "../../verify/cases/arbitraries.js";
import { jsonValues } from "../../verify/cases/fuzz-values.js";
import {
  EACH_ITEM,
  EACH_MEMBER,
  itemsOf,
  keywordValues,
  memberNames,
  memberOf,
  type SchemaView,
  stepInto,
  typesOf,
  viewOf,
} from "./schema-view.js";

const TEXTS: Record<string, string> = {
  "date-time": "2026-01-01T00:00:00.000Z",
  date: "2026-01-01",
  uuid: "0d4a3b9e-5f57-4a70-9d55-6b1f9d2c8a11",
};
export const UNKNOWN_NAME = "unknownMember";
/** How many random values each schema gives. */
const RANDOM = 40;
const MAX_DEPTH = 3;

/** A value that a schema allows: an example where it has one, else the smallest. */
export function sampleValue(view: SchemaView): unknown {
  const [example] = [
    ...keywordValues(view, "const"),
    ...keywordValues<unknown[]>(view, "examples").map(([first]) => first),
    ...keywordValues<unknown[]>(view, "enum").map(([first]) => first),
  ];
  if (example !== undefined) return example;
  if (keywordValues(view, "type").length === 0 && keywordValues(view, "properties").length === 0) return "text";
  const limit = (keyword: string) => Math.max(0, ...keywordValues<number>(view, keyword));
  const names = keywordValues<string[]>(view, "required").flat();
  switch (typesOf(view).find((type) => type !== "null")) {
    case "array":
      return Array.from({ length: limit("minItems") }, () => sampleValue(itemsOf(view)));
    case "boolean":
      return true;
    case "integer":
    case "number":
      return limit("minimum");
    case "string":
      return TEXTS[String(keywordValues(view, "format")[0])] ?? "text".padEnd(limit("minLength"), "x");
    default:
      return Object.fromEntries(
        names.map((name) => [name, sampleValue(memberOf(view, name) ?? viewOf(view.contract))]),
      );
  }
}

/** Values that tell `from` from `other`, whichever of the two allows them. */
export function sampleValues(from: SchemaView, other: SchemaView, depth = 0): unknown[] {
  const views = [from, other];
  const types = typesOf(from);
  const merged = views.map((view) => Object.assign({}, ...view.conjuncts.map(({ schema }) => schema)) as SchemaObject);
  const values = [
    ...views.map(sampleValue),
    ...views.flatMap((view) => [...keywordValues<unknown[]>(view, "enum").flat(), ...keywordValues(view, "const")]),
    ...merged.flatMap((schema) => [...jsonValues(schema, sampleValue(from)), ...randomValues(schema)]),
    ...(types.includes("array") ? lists(views) : []),
    ...(types.includes("object") ? objects(views, depth) : []),
    ...(depth < MAX_DEPTH ? views.flatMap((view) => valuesOfParts(view, sampleValue(from), depth)) : []),
  ];
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const drawn = new Map<string, unknown[]>();

/** The same ones each time: a report must not differ from run to run. */
function randomValues({ description, examples, ...schema }: SchemaObject): unknown[] {
  const key = JSON.stringify(schema);
  const values = drawn.get(key) ?? draw(schema);
  drawn.set(key, values); // to prepare the generator of a pattern takes a third of a second
  return values;
}

function draw(schema: SchemaObject): unknown[] {
  try {
    return fc.sample(scalarOf(schema), { numRuns: RANDOM, seed: 1 });
  } catch {
    return []; // a pattern that the generator cannot read, or bounds that exclude each other: the other values remain
  }
}

function lists(views: readonly SchemaView[]): unknown[] {
  const items = views.flatMap((view) => [sampleValue(itemsOf(view)), ...keywordValues(itemsOf(view), "enum").flat()]);
  const contained = views.flatMap((view) => subschemas(view, ["contains", "prefixItems"]).map(sampleValue));
  const all = [...contained, ...items, "text", 1];
  const lengths = [0, 1, 2, ...boundsOf(views, ["minItems", "maxItems", "minContains", "maxContains"])];
  return lengths.flatMap((length) =>
    [all, all.slice(0, 1), items, [...new Set(items)]].map((source) =>
      Array.from({ length }, (_none, index) => source[index % source.length]),
    ),
  );
}

/** Members vary in their presence; in conditions and alternatives, whose members are not compared themselves, also in value. */
function objects(views: readonly SchemaView[], depth: number): unknown[] {
  const [smallest] = views.map(sampleValue).filter(isObject);
  const names = [...new Set(views.flatMap(memberNames))];
  const memberValue = (name: string) => {
    const [member] = views.flatMap((view) => memberOf(view, name) ?? []);
    return member ? sampleValue(member) : "x";
  };
  const everything = Object.fromEntries(names.map((name) => [name, memberValue(name)]));
  const others = views.flatMap((view) => [
    ...keywordValues<object>(view, "patternProperties").flatMap(Object.keys).map(toMatchingName),
    ...keywordValues<object>(view, "dependentRequired").flatMap(Object.keys),
  ]);
  const varied = (name: string, member: SchemaView) =>
    sampleValues(member, member, depth + 1).map((value) => ({ [name]: value }));
  const ofParts =
    depth === 0 || depth >= MAX_DEPTH
      ? []
      : names.flatMap((name) => {
          const [member] = views.flatMap((view) => memberOf(view, name) ?? []);
          return member ? varied(name, member) : [];
        });
  const more = [...names, ...others, UNKNOWN_NAME].map((name) => ({ [name]: memberValue(name) }));
  const bases = [smallest ?? {}, everything];
  const sizes = boundsOf(views, ["minProperties", "maxProperties"]);
  return [
    {},
    ...bases,
    ...bases.flatMap((base) => [
      ...more.map((one) => ({ ...base, ...one })),
      ...names.map((name) => without(base, name)),
    ]),
    ...more,
    ...ofParts,
    ...sizes.map((size) => resize(everything, size)),
  ];
}

function toMatchingName(pattern: string): string {
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, "u")), { numRuns: 1, seed: 1 })[0] ?? "";
  } catch {
    return pattern; // as above
  }
}

/** One less, the bound, and one more, as far as it is small enough to try. */
function boundsOf(views: readonly SchemaView[], keywords: readonly string[]): number[] {
  const bounds = keywords.flatMap((keyword) => views.flatMap((view) => keywordValues<number>(view, keyword)));
  return [...new Set(bounds.flatMap((bound) => [bound - 1, bound, bound + 1]))].filter((n) => n >= 0 && n <= 1000);
}

/** What the conditions and alternatives of a schema describe, as it is and as members of a whole value. */
function valuesOfParts(view: SchemaView, whole: unknown, depth: number): unknown[] {
  const parts = subschemas(view, ["anyOf", "oneOf", "not", "if", "then", "else", "propertyNames", "dependentSchemas"]);
  return parts.flatMap((part) => {
    const values = sampleValues(part, part, depth + 1).slice(0, 200);
    return values.flatMap((value) => (isObject(value) && isObject(whole) ? [value, { ...whole, ...value }] : [value]));
  });
}

function subschemas({ contract, conjuncts }: SchemaView, keywords: readonly string[]): SchemaView[] {
  return conjuncts.flatMap(({ schema, pointer }) =>
    keywords.flatMap((keyword) => {
      const part = schema[keyword];
      if (!isObject(part)) return [];
      const isMap = Array.isArray(part) || keyword === "dependentSchemas";
      return isMap
        ? Object.keys(part).map((key) => viewOf(contract, [...pointer, keyword, key]))
        : [viewOf(contract, [...pointer, keyword])];
    }),
  );
}

/** The value with another part at a path, for each of the parts. Missing parents are created. */
export function withPart(
  value: unknown,
  view: SchemaView,
  path: readonly string[],
  parts: readonly unknown[],
): unknown[] {
  const [step, ...rest] = path;
  if (step === undefined) return [...parts];
  const whole = value === undefined ? sampleValue(view) : value;
  const below = (part: unknown) => withPart(part, stepInto(view, step), rest, parts);
  if (step === EACH_ITEM) {
    const [first, ...others] = Array.isArray(whole) ? whole : [];
    return below(first).map((part) => [part, ...others]);
  }
  const object = isObject(whole) ? whole : {};
  const known = memberNames(view);
  const name = step === EACH_MEMBER ? (Object.keys(object).find((key) => !known.includes(key)) ?? "anyMember") : step;
  return below(object[name]).map((part) => (part === undefined ? without(object, name) : { ...object, [name]: part }));
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
