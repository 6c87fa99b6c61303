// Whether two schemas are written alike, whatever they refer to included. Most schemas of two contracts are, and comparing
// their keywords takes a hundred times as long.
import { type OpenApiDocument, toPointer, valueAt } from "../../contract/openapi-document.js";
import type { SchemaView } from "./schema-view.js";

export function isSameSchema(one: SchemaView, other: SchemaView): boolean {
  return toText(one) === toText(other);
}

function toText({ contract: { document }, conjuncts }: SchemaView): string {
  return conjuncts.map(({ pointer }) => toResolvedText(document, valueAt(document, pointer))).join("\n");
}

const texts = new WeakMap<object, string>();

/** JSON with what references lead to in their place, except within itself. */
function toResolvedText(document: OpenApiDocument, schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return JSON.stringify(schema);
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(resolveAll(document, schema, []));
  texts.set(schema, text);
  return text;
}

/** @param parents the references that have led here. */
function resolveAll(document: OpenApiDocument, value: unknown, parents: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolveAll(document, item, parents));
  const entries = Object.entries(value).map(([name, member]) => {
    if (name !== "$ref" || parents.includes(member)) return [name, resolveAll(document, member, parents)];
    return [name, resolveAll(document, valueAt(document, toPointer(member)), [...parents, member])];
  });
  return Object.fromEntries(entries);
}
