// Translates a request of the served contract for a handler: what the handler knows, by the names that it knows.
import type { Contract } from "../contract/contract.js";
import { isEqual, isObject } from "../contract/json.js";
import { mapDefined } from "../contract/lists.js";
import type { Operation, Parameter } from "../contract/model.js";
import { mainMedia } from "../contract/operation.js";
import { readText } from "../contract/parameter-text.js";
import type { Schema } from "../contract/schema.js";
import type { Exchange } from "../core/request/exchange.js";
import { handlerOf } from "../core/request/handlers.js";
import { findParameter } from "./implementation.js";

export interface OperationInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/**
 * Undefined for an update that sends a member or a parameter without effect: it is mocked, since it would do something
 * else than it says. So is one in another media type than JSON, which no handler reads.
 */
export function reduceInput(
  operation: Operation,
  own: Operation,
  input: OperationInput,
  headers: Exchange["headers"] = {},
): OperationInput | undefined {
  if (operation.method !== "get" && !isKnown(operation, own, { ...input, headers })) return undefined;
  return { path: reducePath(operation, input.path), query: reduceQuery(own, input.query), body: input.body };
}

/** The operation that a handler was written for; undefined if there is none, or no build has recorded it yet. */
export function counterpartOf(operation: Operation, { operations }: Contract): Operation | undefined {
  const implementation = handlerOf(operation);
  return operations.find((candidate) => implementation && handlerOf(candidate) === implementation);
}

/** Renames the path's parameters by their order. */
function reducePath(operation: Operation, path: OperationInput["path"]): OperationInput["path"] {
  const names = (template = "") => [...template.matchAll(/{([^}]*)}/g)].map(([, name = ""]) => name);
  const own = names(handlerOf(operation)?.path);
  return Object.fromEntries(names(operation.path).map((name, index) => [own[index] ?? name, path[name]]));
}

function reduceQuery({ parameters }: Operation, query: OperationInput["query"]): OperationInput["query"] {
  const entries = mapDefined(parameters, ({ name, in: where, schema }) => {
    const sent = query[name] ?? schema.flat.default;
    const value = typeof sent === "string" ? readText(schema, sent) : sent;
    return where === "query" && value !== undefined ? [name, value] : undefined;
  });
  return Object.fromEntries(entries);
}

/** Headers that clients send with every request. They say nothing about what an update does. */
const AMBIENT = /^(accept(-.*)?|origin|prefer|referer|traceparent|tracestate|user-agent|x-(correlation|request)-id)$/i;

/** True if the handler knows all that a request sends. */
function isKnown(
  operation: Operation,
  own: Operation,
  { query, headers, body }: OperationInput & Pick<Exchange, "headers">,
): boolean {
  const isSent = ({ name, in: where, schema }: Parameter) => {
    const header = where === "header" && !AMBIENT.test(name) ? headers[name.toLowerCase()] : undefined;
    const sent = where === "query" ? query[name] : header && readText(schema, header.toString());
    return sent !== undefined && !isEqual(sent, schema.flat.default);
  };
  if (operation.parameters.some((parameter) => isSent(parameter) && !findParameter(own, parameter))) return false;
  const schema = mainMedia(own.body)?.schema;
  return !schema || (isObject(body) && !hasUnknown(schema, body, mainMedia(operation.body)?.schema));
}

/** True if a value has a member that the handler does not know, unless it is the served contract's default. */
function hasUnknown(own: Schema, value: unknown, served: Schema | undefined): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    const [known, declared] = [own, served].map((schema) => schema?.members.get(name));
    return known ? hasUnknown(known, member, declared) : !isEqual(member, declared?.flat.default);
  });
}
