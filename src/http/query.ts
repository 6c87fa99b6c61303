// The query string, read as the contract's parameters ask. Express's own parsers know neither literal plus signs nor
// empty values, and the simple one breaks `tags[]=a&tags[]=b` (cdimascio/express-openapi-validator#1196).
import type { Request } from "express";
import type { ParameterObject } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { RequestError } from "./errors.js";

export interface Query {
  /** Parameters of the contract, still text. A list, and a value that is there more than once, is an array (D-26). */
  values: Record<string, string | string[]>;
  /** Names that the contract does not have. */
  unknown: string[];
}

/** Reads the query of a request; a broken percent-encoding is refused (D-50). */
export function readQuery(operation: Operation, request: Request): Query {
  const start = request.originalUrl.indexOf("?");
  try {
    return toQuery(start === -1 ? "" : request.originalUrl.slice(start + 1), operation.parameters);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new RequestError(
      "undecodable",
      "The query has a broken percent-encoding. Encode it with encodeURIComponent.",
    );
  }
}

/**
 * Reads a query string.
 * @throws URIError for a broken percent-encoding.
 */
export function toQuery(text: string, parameters: readonly ParameterObject[]): Query {
  const known = new Map(parameters.filter((parameter) => parameter.in === "query").map((p) => [p.name, p]));
  const values: Query["values"] = {};
  const unknown = new Set<string>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const end = pair.indexOf("=");
    const name = decode(end === -1 ? pair : pair.slice(0, end), " ");
    const parameter = known.get(name);
    const value = decode(end === -1 ? "" : pair.slice(end + 1), parameter?.["x-literal-plus"] ? "+" : " "); // D-67
    if (!parameter) unknown.add(name);
    else if (value !== "" || !parameter.allowEmptyValue) add(values, parameter, value); // D-27
  }
  return { values, unknown: [...unknown] };
}

function add(values: Query["values"], { name, schema }: ParameterObject, value: string): void {
  const before = values[name];
  if (before === undefined) values[name] = schema.type === "array" ? [value] : value;
  else values[name] = [before, value].flat();
}

function decode(text: string, plus: string): string {
  return decodeURIComponent(text.replaceAll("+", plus));
}
