// The document that Prism generates from: the success responses of a contract, bounded. Nested lists have one to three
// items, the list of notifications has enough for some pages. Generated values resemble the contract's examples: they
// use the enum values that appear there, have the members that all examples have, and lists no longer than theirs. So
// records are about as large, and old versions of the official client can parse them (D-75).
import type { Contract } from "../contract/contract.js";
import { childrenOf, formOf, type Kind, mapParts, walkNodes } from "../contract/grammar.js";
import { isObject } from "../contract/json.js";
import { mapDefined } from "../contract/lists.js";
import type { MediaTypeObject, OpenApiDocument, ResponseObject, SchemaObject } from "../contract/openapi-document.js";
import { parseReference, valueAt } from "../contract/pointer.js";
import { isFormat } from "../contract/schema-checker.js";
import { handlerOf } from "../core/request/handlers.js";

/** Fill a page of the greatest limit, and a part of the next one. */
const MAX_RECORDS = 60;
const MAX_ITEMS = 3;
/** What lists notifications, whatever a contract calls the operation. */
export const LIST_HANDLER = handlerOf({ method: "get", path: "/v1/notifications" });

/** Prism copies a schema to each of its places: larger responses take it seconds, and are left to our samples. */
const MAX_PARTS = 10_000;

/**
 * A copy that Prism may change, without what no success refers to: to read the whole document would take Prism seven
 * times as long.
 */
export function buildSuccessDocument({ document, operations }: Contract): OpenApiDocument {
  const { schemas, headers, examples = {} } = document.components;
  const paths: Record<string, object> = {};
  const sizes = new Map<object, number>();
  const expandedSize = createExpandedSize(document, sizes);
  const isSmall = (kind: Kind, part: unknown) => expandedSize(kind, part) <= MAX_PARTS;
  for (const { path, method } of operations) {
    const declared = Object.entries(document.paths[path]?.[method]?.responses ?? {});
    const successes = declared.filter(([status]) => status.startsWith("2"));
    if (successes.some(([, response]) => !isSmall("response", response))) continue;
    paths[path] = { ...paths[path], [method]: { responses: Object.fromEntries(successes) } };
  }
  const { openapi, info } = document;
  const used = (kind: Kind, parts: object = {}) =>
    Object.entries(parts).filter(([, part]) => !isObject(part) || (sizes.has(part) && isSmall(kind, part)));
  const components = {
    schemas: Object.fromEntries(used("schema", schemas)),
    headers: Object.fromEntries(used("header", headers)),
    examples,
  };
  const whole = { openapi, info, paths, components };
  const safe = structuredClone(withoutPitfalls("document", whole)) as unknown as OpenApiDocument;
  addParts(safe, document);
  return safe;
}

/** Makes a component of each schema that is referred to and stands elsewhere, as `#/components/schemas/A/properties/b`. */
function addParts(copy: OpenApiDocument, document: OpenApiDocument): void {
  const { schemas } = copy.components;
  const names = new Map<string, string>();
  const refer = (part: unknown, kind: Kind) => {
    for (const { value } of walkNodes(part, kind)) {
      const { $ref } = value;
      if (typeof $ref !== "string" || valueAt(copy, parseReference($ref)) !== undefined) continue;
      const name = names.get($ref) ?? `part-${names.size}`;
      names.set($ref, name);
      value.$ref = `#/components/schemas/${name}`;
    }
  };
  refer(copy, "document");
  for (const [reference, name] of names) {
    const part = valueAt(document, parseReference(reference));
    const safe = isObject(part) ? structuredClone(withoutPitfalls("schema", part)) : part;
    schemas[name] = safe as SchemaObject;
    refer(safe, "schema"); // which may add names
  }
}

/** Removes what Prism would misread: references in data, which it follows, and formats that it does not know. */
function withoutPitfalls(kind: Kind, part: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isKept = ([key, value]: [string, unknown]) =>
    formOf(kind, key) !== undefined ||
    (kind === "schema" && key === "format" ? isFormat(String(value)) : !hasReference(value));
  return mapParts(kind, Object.fromEntries(Object.entries(part).filter(isKept)), (child) =>
    isObject(child.value) ? withoutPitfalls(child.kind, child.value) : child.value,
  );
}

/** True for data with a member `$ref`. */
export function hasReference(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false;
  return Object.hasOwn(data, "$ref") || Object.values(data).some(hasReference);
}

/** Bounds the schemas of such a copy in place. */
export function boundSchemas(document: OpenApiDocument): void {
  const shown: Shown = new Map();
  const lists: unknown[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(item)) {
      for (const { schema, example, examples = {} } of contentsOf(responses)) {
        const named = mapDefined(Object.values(examples), (one) => ("value" in one ? one.value : undefined));
        for (const value of example === undefined ? named : [example]) observe(document, schema, value, shown);
        if (handlerOf({ method: method as "get", path }) === LIST_HANDLER) lists.push(schema);
      }
    }
  }
  boundEach([document.paths, document.components.schemas]);
  for (const [schema, { values, members, length }] of shown) {
    const kept = (schema.enum ?? []).filter((value) => values.has(value));
    if (kept.length > 0) schema.enum = kept;
    if (schema.maxItems !== undefined)
      schema.maxItems = Math.max(Math.min(schema.maxItems, length), schema.minItems ?? 0);
    if (schema.properties && members) schema.required = [...new Set([...(schema.required ?? []), ...members])];
  }
  const pages = lists.flatMap((schema) => partsOf(document, schema));
  for (const list of pages.flatMap(({ properties }) => partsOf(document, properties?.data)))
    if (list.items) Object.assign(list, { minItems: MAX_RECORDS, maxItems: MAX_RECORDS });
}

function contentsOf(responses: OpenApiDocument["paths"][string][string]["responses"]): MediaTypeObject[] {
  return Object.values(responses).flatMap((response) => Object.values((response as ResponseObject).content ?? {}));
}

/** By schema, from the examples: all values, the members that each has, and the greatest number of items. */
type Shown = Map<SchemaObject, { values: Set<unknown>; members: string[] | undefined; length: number }>;

function observe(document: OpenApiDocument, place: unknown, value: unknown, shown: Shown): void {
  for (const schema of partsOf(document, place)) {
    const known = shown.get(schema) ?? { values: new Set(), members: undefined, length: 0 };
    known.values.add(value);
    shown.set(schema, known);
    if (Array.isArray(value)) {
      known.length = Math.max(known.length, value.length);
      for (const item of value) observe(document, schema.items, item, shown);
    } else if (typeof value === "object" && value !== null) {
      const properties = Object.entries(schema.properties ?? {});
      const present = properties.filter(([name]) => Object.hasOwn(value, name));
      const names = present.map(([name]) => name);
      known.members = known.members?.filter((name) => names.includes(name)) ?? names;
      const values = value as Record<string, unknown>;
      for (const [name, member] of present) observe(document, member, values[name], shown);
    }
  }
}

/** The schema and those that it refers to or combines, the very objects of the document. */
function partsOf(document: OpenApiDocument, place: unknown, parts = new Set<SchemaObject>()): SchemaObject[] {
  const schema = place as SchemaObject;
  if (typeof place !== "object" || place === null || parts.has(schema)) return [];
  parts.add(schema);
  if (schema.$ref) partsOf(document, valueAt(document, parseReference(schema.$ref)), parts);
  for (const branch of [schema.allOf, schema.anyOf, schema.oneOf].flat()) partsOf(document, branch, parts);
  return [...parts];
}

/** Bounds each list, and removes patterns of `date-time`, which would result in years from 0 to 9999. */
function boundEach(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const schema = value as SchemaObject;
  if (typeof schema.items === "object") {
    const { minItems = 0, maxItems = MAX_ITEMS } = schema;
    schema.maxItems = Math.max(minItems, Math.min(maxItems, MAX_ITEMS));
    schema.minItems = Math.max(minItems, Math.min(schema.maxItems, 1));
  }
  if (schema.format === "date-time") delete schema.pattern;
  for (const member of Object.values(value)) boundEach(member);
}

/**
 * Creates the function that counts the parts of a part. Each is walked once, since their number doubles with each
 * reference in a chain of pairs.
 * @param sizes gets each part that was counted.
 */
export function createExpandedSize(
  document: object,
  sizes = new Map<object, number>(),
): (kind: Kind, part: unknown) => number {
  return function expandedSize(kind, part): number {
    if (!isObject(part)) return 0;
    const known = sizes.get(part);
    if (known !== undefined) return known;
    sizes.set(part, 1); // a schema may contain itself
    const target = typeof part.$ref === "string" ? valueAt(document, parseReference(part.$ref)) : undefined;
    const children = [...childrenOf(kind, part)].map((child) => expandedSize(child.kind, child.value));
    const size = children.reduce((sum, one) => sum + one, 1 + expandedSize(kind, target));
    sizes.set(part, size);
    return size;
  };
}
