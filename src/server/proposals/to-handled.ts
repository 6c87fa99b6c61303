// Translates a request of the served contract for a handler: what the handler knows, by the names that it knows.
import type { Contract } from "../../contract/contract.js";
import { isJson } from "../../contract/media-type.js";
import { memoize } from "../../contract/memoize.js";
import type { Operation } from "../../contract/model.js";
import { mainMedia, successOf } from "../../contract/operation-responses.js";
import { readText } from "../../contract/parameter-text.js";
import type { Schema } from "../../contract/schema.js";
import { implementationOf } from "../../core/operations/call-operation.js";

export interface OperationInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

const inputSchemaOf = memoize((operation: Operation) => toInputSchema(operation));

/** Undefined if the handler cannot take the request, whose types have changed, or success is not JSON. */
export function toHandled(
  { implemented }: Record<"served" | "implemented", Contract>,
  operation: Operation,
  input: OperationInput,
): OperationInput | undefined {
  const own = counterpartOf(operation, implemented);
  const media = mainMedia(successOf(operation));
  if (!own || (media && !isJson(media.type))) return undefined;
  const body = mainMedia(own.body)?.schema;
  const handled = {
    path: toOwnPath(operation, input.path),
    query: toOwnQuery(own, input.query),
    body: body ? withoutUnknown(body, input.body) : input.body,
  };
  return inputSchemaOf(own)?.allows(handled) === false ? undefined : handled;
}

/** The operation that a handler was written for; undefined if there is none, or no build has recorded it yet. */
export function counterpartOf(operation: Operation, { model: { operations } }: Contract): Operation | undefined {
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
    const sent = query[name] ?? schema.flat.default;
    const value = typeof sent === "string" ? readText(schema, sent) : sent;
    return where === "query" && value !== undefined ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}

/** Removes the members that the handler does not know. */
function withoutUnknown(schema: Schema, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const known = schema.member(name);
    return known ? [[name, withoutUnknown(known, member)]] : [];
  });
  return Object.fromEntries(entries);
}

/** Keywords that a handler does not rely on: the served contract decides them. */
const BOUNDS = new Set(["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "enum"]);

/** The types that a handler relies on. */
function toInputSchema(operation: Operation): Schema | undefined {
  const ofQuery = operation.parameters.filter(({ in: where }) => where === "query");
  const query = Object.fromEntries(ofQuery.map(({ name, schema }) => [name, withoutBounds(schema)]));
  const body = mainMedia(operation.body)?.schema;
  const node = {
    type: "object",
    properties: { query: { type: "object", properties: query }, ...(body ? { body: withoutBounds(body) } : {}) },
    required: operation.body?.isRequired ? ["body"] : [],
  };
  return (body ?? ofQuery[0]?.schema)?.of(node);
}

/** Follows references: no request schema of the implemented contract contains itself. */
function withoutBounds(schema: Schema): object {
  const kept = Object.entries(schema.flat).filter(([keyword]) => !BOUNDS.has(keyword));
  const members = [...schema.members].map(([name, member]) => [name, withoutBounds(member)]);
  return {
    ...Object.fromEntries(kept),
    ...(schema.members.size > 0 ? { properties: Object.fromEntries(members) } : {}),
    ...(schema.flat.items ? { items: withoutBounds(schema.items) } : {}),
  };
}
