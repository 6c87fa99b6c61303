// A schema as the conjunction of its parts: references followed, allOf split. Contracts are compared by such views, so that
// moving a schema to a component is no change.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { type SchemaObject, toPointer, valueAt } from "../../contract/openapi-document.js";

export interface Conjunct {
  schema: SchemaObject;
  pointer: Pointer;
}

export interface SchemaView {
  contract: Contract;
  conjuncts: readonly Conjunct[];
}

export function viewOf(contract: Contract, ...pointers: Pointer[]): SchemaView {
  return { contract, conjuncts: pointers.flatMap((pointer) => toConjuncts(contract, pointer)) };
}

function toConjuncts(contract: Contract, pointer: Pointer): Conjunct[] {
  const schema = valueAt(contract.document, pointer);
  if (schema === false) return [{ schema: { enum: [] }, pointer }];
  if (typeof schema !== "object" || schema === null) return []; // `true` or absent: everything is allowed
  const { $ref, allOf, ...rest } = schema as SchemaObject;
  return [
    { schema: rest, pointer },
    ...($ref ? toConjuncts(contract, toPointer($ref)) : []),
    ...(allOf ?? []).flatMap((_part, index) => toConjuncts(contract, [...pointer, "allOf", index])),
  ];
}

function withKeyword({ conjuncts }: SchemaView, keyword: string): Conjunct[] {
  return conjuncts.filter(({ schema }) => schema[keyword] !== undefined);
}

/** The values of a keyword in all conjuncts. */
export function keywordValues<T>(view: SchemaView, keyword: string): T[] {
  return withKeyword(view, keyword).map(({ schema }) => schema[keyword] as T);
}

/** A view's keyword; else the conjunct that has it in the other view, or the first. undefined without conjuncts. */
export function locateKeyword(view: SchemaView, keyword: string, other: SchemaView): Pointer | undefined {
  const [own] = withKeyword(view, keyword);
  if (own) return [...own.pointer, keyword];
  const parent = withKeyword(other, keyword)[0]?.pointer.join("\n");
  const same = view.conjuncts.find(({ pointer }) => pointer.join("\n") === parent);
  return (same ?? view.conjuncts[0])?.pointer;
}

const ANNOTATIONS = /^(x-.*|description|title|examples|deprecated|\$comment)$/;

export function allowsAnything({ conjuncts }: SchemaView): boolean {
  return conjuncts.every(({ schema }) => Object.keys(schema).every((keyword) => ANNOTATIONS.test(keyword)));
}

export function memberNames(view: SchemaView): string[] {
  return [...new Set(keywordValues<object>(view, "properties").flatMap(Object.keys))];
}

/** The schema of a member; undefined where the object must not have it. */
export function memberOf(view: SchemaView, name: string): SchemaView | undefined {
  const pointers: Pointer[] = [];
  for (const { schema, pointer } of view.conjuncts) {
    const patterns = Object.keys((schema.patternProperties as object | undefined) ?? {});
    const own = patterns.filter((pattern) => new RegExp(pattern, "u").test(name));
    const isNamed = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    if (isNamed) pointers.push([...pointer, "properties", name]);
    pointers.push(...own.map((pattern) => [...pointer, "patternProperties", pattern]));
    if (!isNamed && own.length === 0 && schema.additionalProperties !== undefined) {
      pointers.push([...pointer, "additionalProperties"]);
    }
  }
  const isForbidden = pointers.some((pointer) => valueAt(view.contract.document, pointer) === false);
  return isForbidden ? undefined : viewOf(view.contract, ...pointers);
}

export function itemsOf(view: SchemaView): SchemaView {
  return viewOf(view.contract, ...withKeyword(view, "items").map(({ pointer }) => [...pointer, "items"]));
}

/** Steps into a value that are not a member's name. */
export const EACH_ITEM = "[]";
export const EACH_MEMBER = "*";

/** The subschema that a step leads to. */
export function stepInto(view: SchemaView, step: string): SchemaView {
  if (step === EACH_ITEM) return itemsOf(view);
  return memberOf(view, step === EACH_MEMBER ? "anyMember" : step) ?? viewOf(view.contract);
}

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** The types that a value may have; `number` includes `integer`. */
export function typesOf(view: SchemaView): string[] {
  const allowed = keywordValues<string | string[]>(view, "type").map((types) => [types].flat());
  const isAllowed = (type: string) =>
    allowed.every((types) => types.includes(type) || (type === "integer" && types.includes("number")));
  return TYPES.filter(isAllowed);
}

export function allows({ contract, conjuncts }: SchemaView, value: unknown): boolean {
  return conjuncts.every(({ pointer }) => contract.schemas.check(pointer, value, "").length === 0);
}
