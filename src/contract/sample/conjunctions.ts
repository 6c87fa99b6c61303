// A schema without choices: each way through its branches (`anyOf`, `oneOf`, `if`, `dependentSchemas`, `not`) as the
// list of plain schemas that a value of this way matches. `{type: object, oneOf: [{required: [a]}, {required: [b]}]}`
// has the ways `[{type: object}, {required: [a]}]` and `[{type: object}, {required: [b]}]`, and two more that exclude
// the other branch.

import { isEqual, lookUp } from "../json.js";
import { mapDefined, toList } from "../lists.js";
import { memoize } from "../memoize.js";
import type { SchemaObject } from "../openapi-document.js";
import type { Schema } from "../schema.js";
import { intersectTypes, type SchemaNode, schemasOfMember } from "../schema-node.js";

/** Schemas that a value has to match together. None has branches, and those of `allOf` stand beside it. */
export type Conjunction = readonly SchemaObject[];

/** The flat schema, and the parts of its `allOf` that could not be merged into it. */
export function partsOf(schema: Schema, around: readonly SchemaObject[] = []): SchemaObject[] {
  const { flat } = schema;
  if (around.includes(flat)) return [];
  return [flat, ...(flat.allOf ?? []).flatMap((part) => partsOf(schema.of(part), [...around, flat]))];
}

/** The values of a keyword in all schemas. */
export function keywordValues<T>(parts: Conjunction, keyword: string): T[] {
  return mapDefined(parts, ({ [keyword]: value }) => value as T | undefined);
}

/** The schemas of a member in all schemas. */
export function nodesOfMember(parts: Conjunction, name: string): SchemaNode[] {
  return parts.flatMap((part) => schemasOfMember(part as object, name)) as SchemaNode[];
}

const MAX_CHOICES = 40;
/** The number of branches of a way that are not the first ones. */
const MAX_TURNS = 5;

/** The ways through a schema, along its first branches first. Kept: members of one way have the same schemas. */
export const conjunctionsOf = memoize((schema: Schema): Iterable<Conjunction> => {
  const known: Conjunction[] = [];
  const more = findAll(schema);
  return {
    *[Symbol.iterator]() {
      for (let index = 0; ; index += 1) {
        if (index === known.length) {
          const next = more.next();
          if (next.done) return;
          known.push(next.value);
        }
        yield known[index] as Conjunction;
      }
    },
  };
});

function* findAll(schema: Schema): Generator<Conjunction> {
  const parts = partsOf(schema);
  for (let turns = 0; turns <= MAX_TURNS; turns += 1) yield* expand(schema, parts, { turns, choices: MAX_CHOICES });
}

/**
 * Replaces the first keyword that has branches by each of them, until no such keyword is left.
 * @param left.turns exactly so many branches are not the first possible ones.
 */
function* expand(schema: Schema, parts: Conjunction, left: { turns: number; choices: number }): Generator<Conjunction> {
  const place = parts.findIndex((part) => choiceIn(part));
  const part = parts[place];
  const keyword = part && choiceIn(part);
  if (!keyword) {
    if (left.turns === 0) yield parts;
    return;
  }
  if (left.choices === 0) return;
  const { [keyword]: chosen, ...rest } = part;
  const branches: SchemaNode[][] = CHOICES[keyword](chosen as never, schema.of(rest), rest);
  const withBranch = (nodes: SchemaNode[]) => [
    ...parts.with(place, rest),
    ...nodes.flatMap((node) => partsOf(schema.of(node))),
  ];
  const [first, ...further] = branches.map(withBranch).filter(isPossible);
  const choices = left.choices - 1;
  if (first) yield* expand(schema, first, { turns: left.turns, choices });
  if (left.turns > 0) for (const way of further) yield* expand(schema, way, { turns: left.turns - 1, choices });
}

function choiceIn(part: SchemaObject): keyof typeof CHOICES | undefined {
  return (Object.keys(CHOICES) as (keyof typeof CHOICES)[]).find((keyword) => keyword in part);
}

/** For each keyword its branches: the schemas that a value matches besides the rest. */
const CHOICES = {
  anyOf: (branches: SchemaNode[]): SchemaNode[][] => branches.map((branch) => [branch]),
  oneOf: (branches: SchemaNode[]): SchemaNode[][] => [
    ...branches.map((branch) => [branch]),
    ...branches.map((branch) => [
      branch,
      ...mapDefined(branches, (other) => (other === branch ? undefined : { not: other })),
    ]),
  ],
  if: (
    condition: SchemaNode,
    _schema: Schema,
    { then: consequence = true, else: alternative = true }: SchemaObject,
  ) => [
    [condition, consequence as SchemaNode],
    [{ not: condition }, alternative as SchemaNode],
  ],
  dependentSchemas: (schemas: Record<string, SchemaNode>): SchemaNode[][] => {
    const [[name, schema] = [], ...further] = Object.entries(schemas);
    if (name === undefined || schema === undefined) return [[]];
    const rest = further.length > 0 ? [{ dependentSchemas: Object.fromEntries(further) }] : [];
    return [
      [{ required: [name] }, schema, ...rest],
      [{ properties: Object.fromEntries([[name, false]]) }, ...rest],
    ];
  },
  not: (schema: SchemaNode, around: Schema): SchemaNode[][] => opposites(partsOf(around.of(schema))),
};

/** False for a way that ends at once: types, constants or members exclude each other. */
function isPossible(parts: Conjunction): boolean {
  const names = keywordValues<string[]>(parts, "required").flat();
  const isForbidden = (name: string) => nodesOfMember(parts, name).includes(false);
  return typesOf(parts).length > 0 && literalsOf(parts)?.length !== 0 && !names.some(isForbidden);
}

/** The types that all schemas allow; `number` stands for `integer` too. */
export function typesOf(parts: Conjunction): readonly string[] {
  return keywordValues<string | string[]>(parts, "type")
    .map((type) => toList(type))
    .reduce(intersectTypes, VALUE_TYPES);
}

/** The values that `const` and `enum` leave; undefined without these keywords. */
export function literalsOf(parts: Conjunction): unknown[] | undefined {
  const lists = mapDefined(parts, (part) => ("const" in part ? [part.const] : part.enum));
  const [first, ...further] = lists;
  return first?.filter((value) => further.every((list) => list.some((other) => isEqual(value, other))));
}

/** A list of schemas that a value matches together. */
type Way = readonly SchemaNode[];

/**
 * Schemas of the values that a schema does not allow, keyword by keyword: one of `{minimum: 3, type: integer}` is
 * `{type: number, exclusiveMaximum: 3}`. Each describes some of these values, not all: a generator looks for one.
 * @param parts schemas that the excluded values match together.
 */
function opposites(parts: readonly SchemaObject[]): SchemaNode[][] {
  return parts.flatMap((part) =>
    Object.entries(part).flatMap(([keyword, value]) => {
      // The contract is valid: the value has its keyword's type.
      const find = lookUp(OPPOSITES, keyword) as ((value: unknown, schema: SchemaObject) => readonly Way[]) | undefined;
      return (find?.(value, part) ?? []).map((way) => [...way]);
    }),
  );
}

const VALUE_TYPES: string[] = ["object", "array", "string", "number", "boolean", "null"];

const ofNumbers = (keywords: object): Way[] => [[{ type: "number", ...keywords }]];
const ofTexts = (keywords: object): Way[] => [[{ type: "string", ...keywords }]];
const ofLists = (keywords: object): Way[] => [[{ type: "array", ...keywords }]];
const ofObjects = (keywords: object): Way => [{ type: "object", ...keywords }];
const member = (name: string, schema: SchemaNode) => ({ properties: Object.fromEntries([[name, schema]]) });
const having = (name: string, schema: SchemaNode): Way => ofObjects({ required: [name], ...member(name, schema) });

/** Stands for members that no keyword names. */
const OTHER = "other";

/** Keywords that are not listed have no effect, or are left to the validator. */
const OPPOSITES: Readonly<Record<string, (value: never, schema: SchemaObject) => readonly Way[]>> = {
  type: (type: string | string[]) => [[{ type: VALUE_TYPES.filter((name) => !toList(type).includes(name)) }]],
  const: () => [[]],
  enum: () => [[]],
  minimum: (bound: number) => ofNumbers({ exclusiveMaximum: bound }),
  maximum: (bound: number) => ofNumbers({ exclusiveMinimum: bound }),
  exclusiveMinimum: (bound: number) => ofNumbers({ maximum: bound }),
  exclusiveMaximum: (bound: number) => ofNumbers({ minimum: bound }),
  multipleOf: () => ofNumbers({}),
  minLength: (length: number) => (length > 0 ? ofTexts({ maxLength: length - 1 }) : []),
  maxLength: (length: number) => ofTexts({ minLength: length + 1 }),
  pattern: () => ofTexts({}),
  format: () => ofTexts({}),
  minItems: (count: number) => (count > 0 ? ofLists({ maxItems: count - 1 }) : []),
  maxItems: (count: number) => ofLists({ minItems: count + 1 }),
  uniqueItems: (isUnique: boolean) => (isUnique ? ofLists({ minItems: 2 }) : []),
  items: (schema: SchemaNode, { prefixItems }) => {
    const prefix = (prefixItems as SchemaNode[] | undefined)?.map(() => true) ?? [];
    return ofLists({ minItems: prefix.length + 1, prefixItems: [...prefix, { not: schema }] });
  },
  prefixItems: (schemas: SchemaNode[]) =>
    schemas.flatMap((schema, index) =>
      ofLists({ minItems: index + 1, prefixItems: [...schemas.slice(0, index).map(() => true), { not: schema }] }),
    ),
  contains: (schema: SchemaNode, { minContains = 1, maxContains }) => [
    ...(Number(minContains) > 0
      ? ofLists({ contains: schema, minContains: 0, maxContains: Number(minContains) - 1 })
      : []),
    ...(maxContains === undefined ? [] : ofLists({ contains: schema, minContains: Number(maxContains) + 1 })),
  ],
  required: (names: string[]) => names.map((name) => ofObjects(member(name, false))),
  properties: (schemas: Record<string, SchemaNode>) =>
    Object.entries(schemas).map(([name, schema]) => having(name, { not: schema })),
  patternProperties: (schemas: Record<string, SchemaNode>) =>
    Object.entries(schemas).map(([pattern, schema]) =>
      ofObjects({ minProperties: 1, propertyNames: { pattern }, additionalProperties: { not: schema } }),
    ),
  additionalProperties: (schema: SchemaNode, { properties = {} }) => [
    having(OTHER, { not: schema }),
    ofObjects({
      minProperties: 1,
      propertyNames: { not: { enum: Object.keys(properties) } },
      additionalProperties: { not: schema },
    }),
  ],
  propertyNames: (schema: SchemaNode) => [ofObjects({ minProperties: 1, propertyNames: { not: schema } })],
  minProperties: (count: number) => (count > 0 ? [ofObjects({ maxProperties: count - 1 })] : []),
  maxProperties: (count: number) => [ofObjects({ minProperties: count + 1 })],
  dependentRequired: (names: Record<string, string[]>) =>
    Object.entries(names).flatMap(([name, dependents]) =>
      dependents.map((other) => ofObjects({ required: [name], ...member(other, false) })),
    ),
  dependentSchemas: (schemas: Record<string, SchemaNode>) =>
    Object.entries(schemas).map(([name, schema]) => [...ofObjects({ required: [name] }), { not: schema }]),
  unevaluatedProperties: (schema: SchemaNode) => [having(OTHER, { not: schema })],
  unevaluatedItems: (schema: SchemaNode) => ofLists({ minItems: 1, items: { not: schema } }),
  anyOf: (branches: SchemaNode[]) => [branches.map((branch) => ({ not: branch }))],
  oneOf: (branches: SchemaNode[]) => [
    branches.map((branch) => ({ not: branch })),
    ...branches.slice(1).map((branch, index) => [branch, branches[index] as SchemaNode]),
  ],
  not: (schema: SchemaNode) => [[schema]],
  if: (condition: SchemaNode, { then: consequence, else: alternative }) => [
    ...(consequence === undefined ? [] : [[condition, { not: consequence }]]),
    ...(alternative === undefined ? [] : [[{ not: condition }, { not: alternative }]]),
  ],
};
