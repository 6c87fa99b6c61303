// Whether two schemas are the same, including what they refer to. Most schemas of two contracts are, and comparing their
// keywords takes a hundred times as long.
import { type OpenApiDocument, toPointer, valueAt } from "../../contract/openapi-document.js";
import type { SchemaView } from "./schema-view.js";

export function isSameSchema(one: SchemaView, other: SchemaView): boolean {
  return toText(one) === toText(other);
}

function toText({ contract: { document }, conjuncts }: SchemaView): string {
  return conjuncts.map(({ pointer }) => toResolvedText(document, valueAt(document, pointer))).join("\n");
}

const texts = new WeakMap<object, string>();

/** JSON with the targets of references in their place, except for cycles. */
function toResolvedText(document: OpenApiDocument, schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return JSON.stringify(schema);
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(resolveAll(document, schema, []));
  texts.set(schema, text);
  return text;
}

/** @param parents the references on the way here. */
function resolveAll(document: OpenApiDocument, value: unknown, parents: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolveAll(document, item, parents));
  const entries = Object.entries(value).map(([name, member]) => {
    if (name !== "$ref" || parents.includes(member)) return [name, resolveAll(document, member, parents)];
    return [name, resolveAll(document, valueAt(document, toPointer(member)), [...parents, member])];
  });
  return Object.fromEntries(entries);
}
