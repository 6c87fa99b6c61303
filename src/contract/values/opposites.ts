// Schemas of the values that a schema does not allow, keyword by keyword: one of `{minimum: 3, type: integer}` is
// `{type: number, exclusiveMaximum: 3}`. Each describes some of these values, not all: a generator looks for one.
import type { SchemaNode } from "../copy-schema.js";
import { lookUp } from "../json.js";
import { toList } from "../lists.js";
import type { SchemaObject } from "../openapi-document.js";

/** A list of schemas that a value matches together. */
type Way = readonly SchemaNode[];

/** @param parts schemas that the excluded values match together. */
export function opposites(parts: readonly SchemaObject[]): SchemaNode[][] {
  return parts.flatMap((part) =>
    Object.entries(part).flatMap(([keyword, value]) => {
      // The contract is valid: the value has its keyword's type.
      const find = lookUp(OPPOSITES, keyword) as ((value: unknown, schema: SchemaObject) => readonly Way[]) | undefined;
      return (find?.(value, part) ?? []).map((way) => [...way]);
    }),
  );
}

export const VALUE_TYPES: string[] = ["object", "array", "string", "number", "boolean", "null"];

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
    Object.entries(names).flatMap(([name, others]) =>
      others.map((other) => ofObjects({ required: [name], ...member(other, false) })),
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
