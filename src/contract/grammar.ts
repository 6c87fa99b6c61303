// What each part of an OpenAPI 3.1 document is, and which of its keywords decide. A walk follows this table from the
// root, so it never guesses from a name: a property may be called `properties`. Whatever the table does not list is
// data: examples, defaults, constants and extensions.
import { isObject } from "./json.js";
import type { Pointer } from "./pointer.js";

const ROOT_KINDS = ["document", "components", "pathItem", "operation"] as const;
const PART_KINDS = ["parameter", "header", "requestBody", "mediaType", "encoding", "response", "schema"] as const;
const OTHER_KINDS = [
  "example",
  "link",
  "callback",
  "securityScheme",
  "info",
  "server",
  "serverVariable",
  "tag",
] as const;

export type Kind = (typeof ROOT_KINDS | typeof PART_KINDS | typeof OTHER_KINDS)[number];

/** How a keyword holds parts: one, a list of them, or a map by names that the contract chooses. */
interface Form {
  kind: Kind;
  shape: "one" | "list" | "map";
}

const one = (kind: Kind): Form => ({ kind, shape: "one" });
const listOf = (kind: Kind): Form => ({ kind, shape: "list" });
const mapOf = (kind: Kind): Form => ({ kind, shape: "map" });

export const METHODS = ["get", "put", "post", "patch", "delete", "head", "options", "trace"] as const;

const VALUE = { schema: one("schema"), content: mapOf("mediaType"), examples: mapOf("example") };

const GRAMMAR: Readonly<Record<Kind, Readonly<Record<string, Form>>>> = {
  document: {
    info: one("info"),
    servers: listOf("server"),
    tags: listOf("tag"),
    paths: mapOf("pathItem"),
    webhooks: mapOf("pathItem"),
    components: one("components"),
  },
  components: {
    schemas: mapOf("schema"),
    responses: mapOf("response"),
    parameters: mapOf("parameter"),
    examples: mapOf("example"),
    requestBodies: mapOf("requestBody"),
    headers: mapOf("header"),
    securitySchemes: mapOf("securityScheme"),
    links: mapOf("link"),
    callbacks: mapOf("callback"),
    pathItems: mapOf("pathItem"),
  },
  pathItem: {
    servers: listOf("server"),
    parameters: listOf("parameter"),
    ...Object.fromEntries(METHODS.map((method) => [method, one("operation")])),
  },
  operation: {
    servers: listOf("server"),
    parameters: listOf("parameter"),
    requestBody: one("requestBody"),
    responses: mapOf("response"),
    callbacks: mapOf("callback"),
  },
  parameter: VALUE,
  header: VALUE,
  requestBody: { content: mapOf("mediaType") },
  mediaType: { schema: one("schema"), examples: mapOf("example"), encoding: mapOf("encoding") },
  encoding: { headers: mapOf("header") },
  response: { headers: mapOf("header"), content: mapOf("mediaType"), links: mapOf("link") },
  schema: {
    $defs: mapOf("schema"),
    properties: mapOf("schema"),
    patternProperties: mapOf("schema"),
    dependentSchemas: mapOf("schema"),
    additionalProperties: one("schema"),
    unevaluatedProperties: one("schema"),
    propertyNames: one("schema"),
    prefixItems: listOf("schema"),
    items: one("schema"),
    unevaluatedItems: one("schema"),
    contains: one("schema"),
    allOf: listOf("schema"),
    anyOf: listOf("schema"),
    oneOf: listOf("schema"),
    not: one("schema"),
    if: one("schema"),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: one("schema"),
    else: one("schema"),
    contentSchema: one("schema"),
  },
  example: {},
  link: { server: one("server") },
  callback: {},
  securityScheme: {},
  info: {},
  server: { variables: mapOf("serverVariable") },
  serverVariable: {},
  tag: {},
};

/** Maps of these kinds may hold extensions beside the named parts. */
const EXTENSIBLE: ReadonlySet<Kind> = new Set(["pathItem", "response"]);

/** A part of a document, at its place relative to the part around it. */
export interface Child {
  kind: Kind;
  path: Pointer;
  value: unknown;
}

/** The parts directly in a part, in the order of the file. */
export function* childrenOf(kind: Kind, value: Readonly<Record<string, unknown>>): Generator<Child> {
  for (const [key, child] of Object.entries(value)) {
    const form = formOf(kind, key);
    if (!form) continue;
    for (const [path, part] of partsIn(form, child)) yield { kind: form.kind, path: [key, ...path], value: part };
  }
}

/** The parts that a keyword of a part of this kind holds; undefined for data. */
export function formOf(kind: Kind, key: string): Form | undefined {
  if (kind === "callback") return key.startsWith("x-") ? undefined : one("pathItem");
  return Object.hasOwn(GRAMMAR[kind], key) ? GRAMMAR[kind][key] : undefined;
}

function partsIn({ kind, shape }: Form, value: unknown): [path: Pointer, part: unknown][] {
  if (shape === "one") return [[[], value]];
  if (shape === "list") return Array.isArray(value) ? value.map((part, index) => [[index], part]) : [];
  if (!isObject(value)) return [];
  const entries = Object.entries(value).filter(([name]) => !EXTENSIBLE.has(kind) || !name.startsWith("x-"));
  return entries.map(([name, part]) => [[name], part]);
}

/** A copy of a part whose parts are replaced. Data stays as it is; extensions between named parts are left out. */
export function mapParts(
  kind: Kind,
  value: Readonly<Record<string, unknown>>,
  change: (child: Child) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, held]) => {
    const form = formOf(kind, key);
    if (!form) return [key, held];
    const changed = partsIn(form, held).map(
      ([path, part]) => [path, change({ kind: form.kind, path: [key, ...path], value: part })] as const,
    );
    if (form.shape === "one") return [key, changed[0]?.[1]];
    if (form.shape === "list") return [key, Array.isArray(held) ? changed.map(([, part]) => part) : held];
    return [key, isObject(held) ? Object.fromEntries(changed.map(([[name], part]) => [name, part])) : held];
  });
  return Object.fromEntries(entries);
}

/** A part of a document that is an object. */
export interface Node {
  kind: Kind;
  pointer: Pointer;
  value: Record<string, unknown>;
}

/** Walks a document, parents first. A part that stands in several places, through an alias of YAML, is visited once. */
export function* walkNodes(
  value: unknown,
  kind: Kind = "document",
  pointer: Pointer = [],
  visited = new Set<unknown>(),
): Generator<Node> {
  if (!isObject(value) || visited.has(value)) return;
  visited.add(value);
  yield { kind, pointer, value };
  for (const child of childrenOf(kind, value)) {
    yield* walkNodes(child.value, child.kind, [...pointer, ...child.path], visited);
  }
}

// Keywords for people say something about a value, and decide about none.
const TEXTS: ReadonlySet<string> = new Set([
  "title",
  "summary",
  "description",
  "$comment",
  "externalDocs",
  "example",
  "examples",
  "tags",
]);

const HINTS: ReadonlySet<string> = new Set([
  "deprecated",
  "discriminator",
  "xml",
  "contentMediaType",
  "contentEncoding",
  "contentSchema",
]);

export function isAnnotation(keyword: string): boolean {
  return isText(keyword) || HINTS.has(keyword);
}

/** True for what only people read: another value of it means nothing to a program. */
export function isText(keyword: string): boolean {
  return TEXTS.has(keyword) || keyword.startsWith("x-");
}

// The values that a keyword applies to, by their type: others are valid whatever it says.
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  string: ["minLength", "maxLength", "pattern"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"],
  object: [
    "properties",
    "patternProperties",
    "additionalProperties",
    "required",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
  ],
};

/** undefined for a keyword that applies to values of each type. */
export function typeOfKeyword(keyword: string): string | undefined {
  return Object.keys(KEYWORDS).find((type) => KEYWORDS[type]?.includes(keyword));
}
