// A schema as everything that holds at once for a value: references followed, allOf taken apart. The changes of two
// contracts are found on views, so that moving a schema to a component changes nothing.
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

/** A keyword's value, and where it is written. */
export interface Written<T> {
  value: T;
  pointer: Pointer;
}

export function viewOf(contract: Contract, ...pointers: Pointer[]): SchemaView {
  return { contract, conjuncts: pointers.flatMap((pointer) => takeApart(contract, pointer)) };
}

function takeApart(contract: Contract, pointer: Pointer): Conjunct[] {
  const schema = valueAt(contract.document, pointer);
  if (schema === false) return [{ schema: { enum: [] }, pointer }];
  if (typeof schema !== "object" || schema === null) return []; // `true`, or nothing there: anything goes
  const { $ref, allOf, ...rest } = schema as SchemaObject;
  return [
    { schema: rest, pointer },
    ...($ref ? takeApart(contract, toPointer($ref)) : []),
    ...(allOf ?? []).flatMap((_part, index) => takeApart(contract, [...pointer, "allOf", index])),
  ];
}

/** All that the conjuncts say with a keyword. */
export function written<T>(view: SchemaView, keyword: string): Written<T>[] {
  return view.conjuncts
    .filter(({ schema }) => schema[keyword] !== undefined)
    .map(({ schema, pointer }) => ({ value: schema[keyword] as T, pointer: [...pointer, keyword] }));
}

/** Where a view has a keyword; else the part that has it in the other view, or the first. Nowhere if it has no parts. */
export function placeOf(view: SchemaView, keyword: string, other: SchemaView): Pointer | undefined {
  const [own] = written(view, keyword);
  const parent = written(other, keyword)[0]?.pointer.slice(0, -1).join("\n");
  const same = view.conjuncts.find(({ pointer }) => pointer.join("\n") === parent);
  return own?.pointer ?? (same ?? view.conjuncts[0])?.pointer;
}

const SILENT = /^(x-.*|description|title|examples|deprecated|\$comment)$/;

/** Whether a view allows everything. */
export function isOpen({ conjuncts }: SchemaView): boolean {
  return conjuncts.every(({ schema }) => Object.keys(schema).every((keyword) => SILENT.test(keyword)));
}

export function memberNames(view: SchemaView): string[] {
  return [...new Set(written<object>(view, "properties").flatMap(({ value }) => Object.keys(value)))];
}

/** What a member has to be: undefined where the object must not have it. */
export function memberOf(view: SchemaView, name: string): SchemaView | undefined {
  const pointers: Pointer[] = [];
  for (const { schema, pointer } of view.conjuncts) {
    if (schema.properties && Object.hasOwn(schema.properties, name)) pointers.push([...pointer, "properties", name]);
    else if (schema.additionalProperties === false) return undefined;
    else if (schema.additionalProperties !== undefined) pointers.push([...pointer, "additionalProperties"]);
  }
  return viewOf(view.contract, ...pointers);
}

export function itemsOf(view: SchemaView): SchemaView {
  return viewOf(view.contract, ...written(view, "items").map(({ pointer }) => pointer));
}

/** A step into a value that is not a member's name. */
export const EACH_ITEM = "[]";
export const EACH_MEMBER = "*";

/** The part of a view that a step leads to. */
export function stepInto(view: SchemaView, step: string): SchemaView {
  if (step === EACH_ITEM) return itemsOf(view);
  return memberOf(view, step === EACH_MEMBER ? "anyMember" : step) ?? viewOf(view.contract);
}

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** The types that a value may have; `number` stands for itself and for `integer`. */
export function typesOf(view: SchemaView): string[] {
  const allowed = written<string | string[]>(view, "type").map(({ value }) => [value].flat());
  const isAllowed = (type: string) =>
    allowed.every((types) => types.includes(type) || (type === "integer" && types.includes("number")));
  return TYPES.filter(isAllowed);
}

/** Whether the view allows a value. */
export function allows({ contract, conjuncts }: SchemaView, value: unknown): boolean {
  return conjuncts.every(({ pointer }) => contract.schemas.check(pointer, value, "").length === 0);
}
