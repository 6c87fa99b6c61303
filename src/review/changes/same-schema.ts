// Whether two schemas are the same on the wire, including what they refer to. Most schemas of two contracts are, and trying
// values takes a hundred times as long.
import { type OpenApiDocument, toPointer, valueAt } from "../../contract/openapi-document.js";
import type { SchemaView } from "./schema-view.js";

export function isSameSchema(one: SchemaView, other: SchemaView): boolean {
  return toText(one) === toText(other);
}

function toText({ contract: { document }, conjuncts }: SchemaView): string {
  return conjuncts.map(({ pointer }) => toResolvedText(document, valueAt(document, pointer))).join("\n");
}

const texts = new WeakMap<object, string>();

/** JSON with the targets of references in their place, except for cycles, and without texts for people. */
export function toResolvedText(document: OpenApiDocument, schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return JSON.stringify(schema);
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(resolveAll(document, schema, []));
  texts.set(schema, text);
  return text;
}

const ANNOTATIONS = /^(x-.*|description|title|examples|deprecated|\$comment)$/;
const NAME_MAPS = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);

/** @param parents the references on the way here. @param isMap whether the keys are names that somebody chose. */
function resolveAll(document: OpenApiDocument, value: unknown, parents: readonly string[], isMap = false): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolveAll(document, item, parents));
  const kept = Object.entries(value).filter(([name]) => isMap || !ANNOTATIONS.test(name));
  const entries = kept.map(([name, member]) => {
    if (name !== "$ref" || isMap || parents.includes(member)) {
      return [name, resolveAll(document, member, parents, !isMap && NAME_MAPS.has(name))];
    }
    return [name, resolveAll(document, valueAt(document, toPointer(member)), [...parents, member])];
  });
  return Object.fromEntries(entries.toSorted(([one], [other]) => String(one).localeCompare(String(other))));
}
