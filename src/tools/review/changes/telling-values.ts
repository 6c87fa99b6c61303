// Values that one schema allows and another may not: 21 to 50 show that `maximum: 50` is not `maximum: 20`. The
// contract's generator makes values of the first that the second excludes.
import { distinct, isObject } from "../../../contract/json.js";
import { mapDefined } from "../../../contract/lists.js";
import { sampleOf } from "../../../contract/sample/sample.js";
import { aroundBounds, FORMATS, HEX_ID, INSTANTS, textsOf } from "../../../contract/sample/scalars.js";
import type { Schema, SchemaObject } from "../../../contract/schema.js";
import { findTextsBeyond } from "./pattern-language.js";
import {
  EACH_ITEM,
  exampleOf,
  keywordValues,
  type ResolvedSchema,
  type SchemaPair,
  stepInto,
} from "./resolved-schema.js";

type Versions = Pick<SchemaPair, "from" | "to">;

const MAX_LENGTH = 1000;
const FORMS = ["date-time", "date", "time", "uuid", "email", "uri"].map((format) => FORMATS[format]?.(0, "a"));
const SCALARS = [null, true, false, 0, 1, -1, 1.5, 2 ** 31];
const COMMON_TEXTS = ["", "x", "1", "\n", HEX_ID.toUpperCase(), "A b,c/é✓'\"<&%+", "x".repeat(MAX_LENGTH)];
/** Each type, and each form of text: random texts of a pattern are hardly ever an instant. */
const COMMON = [...SCALARS, ...COMMON_TEXTS, ...FORMS, ...INSTANTS];

const lengthOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;

/**
 * Values that `from` allows, the shortest first. Some of them are likely to be invalid against one of `schemas`.
 * @param schemas of `to`'s contract, such as `{ maximum: 20 }`.
 */
export function tellingValues({ from, to }: Versions, schemas: readonly SchemaObject[]): unknown[] {
  const patterns = keywordValues<string>(from, "pattern");
  const wanted = keywordValues<string>(to, "pattern");
  const both = [from, to];
  const bounds = boundsOf(both);
  const lengths = bounds.map((bound) => Math.min(Math.max(0, Math.floor(bound)), MAX_LENGTH));
  const items = sampleItems(from, Math.max(0, ...lengths));
  return distinct([
    ...both.map(exampleOf),
    sampleOf(from.whole), // with all members
    ...both.flatMap(namedValues),
    ...bounds,
    ...lengths.flatMap((length) => ["x".repeat(length), items.slice(0, length)]),
    ...COMMON,
    ...[...patterns, ...wanted].flatMap((pattern) => [...textsOf(pattern), ...(pattern.match(/\w+/g) ?? [])]),
    ...wanted.flatMap((pattern) => findTextsBeyond(patterns, pattern) ?? []),
    ...schemas.flatMap((schema) => valuesBeyond({ from, to }, schema)),
  ])
    .filter((value) => from.whole.allows(value))
    .toSorted((a, b) => lengthOf(a) - lengthOf(b));
}

const MEMBERS = [null, 0, "x", {}, []];

/** Objects that `from` allows, with one member of either schema changed, added or removed: each alternative of `from` too. */
export function variantsOf({ from, to }: Versions): unknown[] {
  const names = [...new Set([from, to].flatMap(({ whole }) => [whole, ...whole.alternatives].flatMap(namesOf)))];
  const samples = [from.whole, ...from.whole.alternatives].map((schema) => sampleOf(schema, "", { isSmallest: true }));
  const objects = samples.filter(isObject);
  const variants = objects.flatMap((sample) =>
    names.flatMap((name) => {
      const { [name]: _member, ...remaining } = sample as Record<string, unknown>;
      return [remaining, ...MEMBERS.map((member) => ({ ...remaining, [name]: member }))];
    }),
  );
  return [...samples, ...variants].filter((value) => from.whole.allows(value));
}

const namesOf = ({ flat }: Schema) => Object.keys(flat.properties ?? {});

function namedValues(schema: ResolvedSchema): unknown[] {
  const lists = ["examples", "enum"].flatMap((keyword) => keywordValues<unknown[]>(schema, keyword).flat());
  return [...keywordValues(schema, "const"), ...lists];
}

/** Items of a list, which differ if they have to. */
function sampleItems(list: ResolvedSchema, count: number): unknown[] {
  const item = stepInto(list, EACH_ITEM) ?? list;
  const isUnique = keywordValues(list, "uniqueItems").includes(true);
  const first = exampleOf(item);
  return Array.from({ length: count }, (_none, index) => (isUnique ? sampleOf(item.whole, `${index}`) : first));
}

/** The numbers of all keywords (bounds of values, lengths or items), half of each, one less and one more. */
function boundsOf(schemas: readonly ResolvedSchema[]): number[] {
  const values = schemas.flatMap(({ parts }) => parts.flatMap(Object.values));
  const bounds = values.filter((value) => typeof value === "number").toSorted((a, b) => a - b);
  return bounds.flatMap((bound) => [bound / 2, ...aroundBounds([bound])]);
}

const SEEDS = ["", "a", "b", "c"];

/** Values of `from` that are none of the other schema. */
function valuesBeyond({ from, to }: Versions, other: SchemaObject): unknown[] {
  const excluded = { not: inline(to.whole, other) };
  return [from.whole, ...from.whole.alternatives].flatMap(({ node }) => {
    const beyond = from.whole.of({ allOf: [node, excluded] });
    return mapDefined(SEEDS, (randomSeed) => sampleOf(beyond, randomSeed, { isSmallest: randomSeed === "" }));
  });
}

const MAX_REFERENCES = 200;

/**
 * A copy without references, to read as a whole or in another contract. Beyond a limit, a reference may lead to
 * anything.
 */
export function inline(schema: Schema, node: unknown, count = { left: MAX_REFERENCES }): unknown {
  if (Array.isArray(node)) return node.map((part) => inline(schema, part, count));
  if (!isObject(node)) return node;
  const { $ref, ...rest } = node;
  const copy = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, inline(schema, part, count)]));
  if (typeof $ref !== "string") return copy;
  count.left -= 1;
  return count.left < 0 ? {} : { allOf: [inline(schema, schema.of({ $ref }).target?.node, count), copy] };
}
