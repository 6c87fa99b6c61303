// A schema as the conjunction of its parts: references followed, allOf split. Contracts are compared in this form, so that
// moving a schema to a component is no change.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { type OpenApiDocument, type SchemaObject, toPointer, valueAt } from "../../contract/openapi-document.js";
import type { Violation } from "../../contract/schema-checker.js";

export interface SchemaNode {
  schema: SchemaObject;
  pointer: Pointer;
}

export interface ResolvedSchema {
  contract: Contract;
  /** As written; the value has to be valid by each. */
  nodes: readonly SchemaNode[];
  /** Without `$ref` and `allOf`. */
  parts: readonly SchemaNode[];
  /** Where the schemas around it stand, from the outside, and it itself. */
  trail: readonly Pointer[];
}

interface RawSchema {
  schema: unknown;
  pointer: Pointer;
}

const NOTHING: SchemaObject = { not: {} };

export function resolveSchema(
  contract: Contract,
  raw: readonly RawSchema[],
  trail: readonly Pointer[] = [],
): ResolvedSchema {
  const nodes = raw.flatMap(({ schema, pointer }): SchemaNode[] => {
    if (schema === false) return [{ schema: NOTHING, pointer }];
    // `true` and absent ones allow everything.
    return typeof schema === "object" && schema !== null ? [{ schema: schema as SchemaObject, pointer }] : [];
  });
  const parts = nodes.flatMap((node) => toParts(contract, node));
  return { contract, nodes, parts, trail: [...trail, ...parts.slice(0, 1).map(({ pointer }) => pointer)] };
}

function toParts(contract: Contract, { schema, pointer }: SchemaNode): SchemaNode[] {
  const { $ref, allOf = [], "x-place": place = pointer, ...rest } = schema;
  const targets = $ref === undefined ? [] : [toPointer($ref)];
  const others = [
    ...targets.map((target) => ({ schema: valueAt(contract.document, target), pointer: target })),
    ...allOf.map((part, index) => ({ schema: part, pointer: [...pointer, "allOf", index] })),
  ];
  return [{ schema: rest, pointer: place as Pointer }, ...resolveSchema(contract, others).parts];
}

export function allows(schema: ResolvedSchema, value: unknown): boolean {
  return violationsOf(schema, value).length === 0;
}

export function violationsOf({ contract, nodes }: ResolvedSchema, value: unknown): Violation[] {
  return nodes.flatMap(({ schema }) => check(contract, schema, value));
}

const absolute = new WeakMap<object, SchemaObject>();

/** By a schema of the contract, or a part of one. */
export function check({ schemas }: Contract, schema: SchemaObject, value: unknown): Violation[] {
  const own =
    absolute.get(schema) ?? JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi.yaml#/'));
  absolute.set(schema, own);
  return schemas.checkBy(own, value, "");
}

function withKeyword({ parts }: ResolvedSchema, keyword: string): SchemaNode[] {
  return parts.filter(({ schema }) => schema[keyword] !== undefined);
}

/** The values of a keyword in all parts. */
export function keywordValues<T>(schema: ResolvedSchema, keyword: string): T[] {
  return withKeyword(schema, keyword).map((part) => part.schema[keyword] as T);
}

/** A keyword of a schema, as it stands in the contract. */
export interface KeywordPlace {
  /** undefined where the schema does not have the keyword. */
  value: unknown;
  /** Else the part that has it in the other schema, or the nearest one. */
  pointer: Pointer | undefined;
  /** Where the schemas around it stand, from the outside. */
  trail: readonly Pointer[];
}

export function locateKeyword(schema: ResolvedSchema, keyword: string, other: ResolvedSchema): KeywordPlace {
  const { trail } = schema;
  const [own] = withKeyword(schema, keyword);
  if (own) return { value: own.schema[keyword], pointer: [...own.pointer, keyword], trail };
  const place = withKeyword(other, keyword)[0]?.pointer.join("\n");
  const same = schema.parts.find(({ pointer }) => pointer.join("\n") === place);
  return { value: undefined, pointer: same?.pointer ?? trail.at(-1), trail };
}

/** A member, or a keyword below it; without a value or a place where the schema does not name the member. */
export function locateMember(schema: ResolvedSchema, name: string, below: readonly string[] = []): KeywordPlace {
  const member = memberNames(schema).includes(name) ? memberOf(schema, name) : undefined;
  return { value: member && name, pointer: member?.parts[0]?.pointer.concat(below), trail: schema.trail };
}

export function memberNames(schema: ResolvedSchema): string[] {
  return [...new Set(keywordValues<object>(schema, "properties").flatMap(Object.keys))];
}

/** Steps into a value that are not a member's name. */
export const EACH_ITEM = "[]";
export const UNKNOWN_MEMBER = "unknownMember";

/** The schema of a member; undefined where the object must not have it. */
export function memberOf({ contract, parts, trail }: ResolvedSchema, name: string): ResolvedSchema | undefined {
  const nodes = parts.flatMap(({ schema, pointer }) => {
    const { properties = {}, patternProperties = {}, additionalProperties } = schema as Record<string, SchemaObject>;
    const toNode = (node: unknown, ...steps: string[]) => ({ schema: node, pointer: [...pointer, ...steps] });
    const matching = Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, "u").test(name));
    const own = [
      ...(Object.hasOwn(properties, name) ? [toNode(properties[name], "properties", name)] : []),
      ...matching.map(([pattern, node]) => toNode(node, "patternProperties", pattern)),
    ];
    if (own.length > 0 || additionalProperties === undefined) return own;
    return [toNode(additionalProperties, "additionalProperties")];
  });
  return nodes.some(({ schema }) => schema === false) ? undefined : resolveSchema(contract, nodes, trail);
}

export function itemsOf(whole: ResolvedSchema): ResolvedSchema {
  const nodes = withKeyword(whole, "items").map(({ schema, pointer }) => ({
    ...{ schema: schema.items, pointer: [...pointer, "items"] },
  }));
  return resolveSchema(whole.contract, nodes, whole.trail);
}

/** The schema that a step leads to. */
export function stepInto(schema: ResolvedSchema, step: string): ResolvedSchema | undefined {
  return step === EACH_ITEM ? itemsOf(schema) : memberOf(schema, step);
}

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** The types that a value may have; `number` includes `integer`. */
export function typesOf(schema: ResolvedSchema): string[] {
  const allowed = keywordValues<string | string[]>(schema, "type").map((types) => [types].flat());
  const isAllowed = (type: string) =>
    allowed.every((types) => types.includes(type) || (type === "integer" && types.includes("number")));
  return TYPES.filter(isAllowed);
}

/** Keywords for people. */
const ANNOTATIONS = /^(x-.*|description|title|examples|deprecated|\$comment)$/;

export function allowsAnything({ parts }: ResolvedSchema): boolean {
  return parts.every(({ schema }) => Object.keys(schema).every((keyword) => ANNOTATIONS.test(keyword)));
}

/** Most schemas of two contracts are the same, and drawing values takes a hundred times as long. */
export function isSameSchema(one: ResolvedSchema, other: ResolvedSchema): boolean {
  const [text, otherText] = [one, other].map(({ contract, nodes }) =>
    nodes.map(({ schema }) => toResolvedText(contract, schema)).join("\n"),
  );
  return text === otherText;
}

const texts = new WeakMap<object, string>();

/** JSON with the targets of references in their place, except for cycles. */
export function toResolvedText({ document }: Contract, value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const text = texts.get(value) ?? JSON.stringify(inline(document, value, []));
  texts.set(value, text);
  return text;
}

function inline(document: OpenApiDocument, value: unknown, parents: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inline(document, item, parents));
  const entries = Object.entries(value).map(([name, member]) =>
    name === "$ref" && typeof member === "string" && !parents.includes(member)
      ? [name, inline(document, valueAt(document, toPointer(member)), [...parents, member])]
      : [name, inline(document, member, parents)],
  );
  return Object.fromEntries(entries);
}
