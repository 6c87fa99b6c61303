// Translates a request of the served contract for a handler: what the handler knows, by the names that it knows.
import type { Contract } from "../../contract/contract.js";
import { memoize } from "../../contract/memoize.js";
import type { OpenApiDocument } from "../../contract/openapi-document.js";
import {
  bodySchemaOf,
  findResponse,
  isJson,
  mainContent,
  type Operation,
  successStatusOf,
} from "../../contract/operations.js";
import { toTyped } from "../../contract/response-check.js";
import { flatten } from "../../contract/schema-flatten.js";
import { implementationOf } from "../../core/operations/call-operation.js";

export interface OperationInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

const inputSchemaOf = memoize((document: OpenApiDocument) =>
  memoize((operation: Operation) => toInputSchema(document, operation)),
);

/** Undefined if the handler cannot take the request, whose types have changed, or success is not JSON. */
export function toHandled(
  { served, implemented }: Record<"served" | "implemented", Contract>,
  operation: Operation,
  input: OperationInput,
): OperationInput | undefined {
  const own = counterpartOf(operation, implemented);
  const success = findResponse(served.document, operation, successStatusOf(operation))?.object;
  const [mediaType = "application/json"] = mainContent(success?.content) ?? [];
  if (!own || !isJson(mediaType)) return undefined;
  const schema = inputSchemaOf(implemented.document)(own);
  const handled = {
    path: toOwnPath(operation, input.path),
    query: toOwnQuery(own, input.query),
    body: withoutUnknown(implemented.document, bodySchemaOf(own), input.body),
  };
  return implemented.schemas.checkBy(schema, handled, "").length === 0 ? handled : undefined;
}

/** The operation that a handler was written for; undefined if there is none, or no build has recorded it yet. */
export function counterpartOf(operation: Operation, { operations }: Contract): Operation | undefined {
  const implementation = implementationOf(operation);
  return operations.find((candidate) => implementation && implementationOf(candidate) === implementation);
}

/** Renames the path's parameters by their order. */
function toOwnPath(operation: Operation, path: OperationInput["path"]): OperationInput["path"] {
  const names = (template = "") => [...template.matchAll(/{([^}]*)}/g)].map(([, name = ""]) => name);
  const own = names(implementationOf(operation)?.path);
  return Object.fromEntries(names(operation.path).map((name, index) => [own[index] ?? name, path[name]]));
}

function toOwnQuery({ parameters }: Operation, query: OperationInput["query"]): OperationInput["query"] {
  const entries = parameters.flatMap(({ name, in: where, schema }) => {
    const sent = query[name] ?? schema.default;
    const value = typeof sent === "string" ? toTyped(sent, [schema.type].flat()) : sent;
    return where === "query" && value !== undefined ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}

/** Removes the members that the handler does not know. */
function withoutUnknown(document: OpenApiDocument, schema: unknown, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { properties = {}, additionalProperties } = flatten(document, schema);
  const entries = Object.entries(value).flatMap(([name, member]) => {
    if (!Object.hasOwn(properties, name)) return additionalProperties === false ? [] : [[name, member]];
    return [[name, withoutUnknown(document, properties[name], member)]];
  });
  return Object.fromEntries(entries);
}

/** Keywords that a handler does not rely on: the served contract decides them. */
const BOUNDS = new Set(["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "enum"]);

/** The types that a handler relies on. */
function toInputSchema(document: OpenApiDocument, operation: Operation): object {
  const query = operation.parameters
    .filter(({ in: where }) => where === "query")
    .map(({ name, schema }) => [name, schema]);
  const body = bodySchemaOf(operation);
  const schema = {
    type: "object",
    properties: { query: { type: "object", properties: Object.fromEntries(query) }, ...(body ? { body } : {}) },
    required: operation.object.requestBody?.required ? ["body"] : [],
  };
  return withoutBounds(document, schema) as object;
}

/** Follows references: no request schema of the implemented contract contains itself. */
function withoutBounds(document: OpenApiDocument, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutBounds(document, item));
  if (typeof schema !== "object" || schema === null) return schema;
  const whole = "$ref" in schema ? flatten(document, schema) : schema;
  // If a schema follows, the name is that of a member.
  const isBound = ([name, value]: [string, unknown]) =>
    BOUNDS.has(name) && (typeof value !== "object" || Array.isArray(value));
  const entries = Object.entries(whole).filter((entry) => !isBound(entry));
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutBounds(document, value)]));
}
