// Finds the operation of a method and path, and validates its requests with compiled validators, which report the same violations
// as the Express server.
import type { ErrorObject } from "ajv";
import type { Operation } from "../../contract/operations.js";
import type { SchemaError, SentValues, Validation } from "../../core/operations/check-request.js";
import { BODY_ERRORS } from "../../core/operations/errors.js";
import { createPathError, toMethodError, toPattern } from "../../core/operations/routes.js";
import { contract } from "./contract.js";
import { bodyValidators, parameterValidators } from "./validators.gen.js";

const routes = contract.operations.map((operation) => ({
  operation,
  pattern: toPattern(operation.path, "(?<$1>[^/]+)"),
}));
const toPathError = createPathError(contract.operations, "/openapi.yaml");

export interface Route {
  operation: Operation;
  /** The parameters in the path. */
  path: Record<string, string>;
}

/** @throws RequestError */
export function findRoute(method: string, path: string): Route {
  const siblings = routes.filter(({ pattern }) => pattern.test(path));
  if (siblings.length === 0) throw toPathError(method, path);
  const values = Object.entries(siblings[0]?.pattern.exec(path)?.groups ?? {});
  const decoded = values.map(([name, value]) => [name, decode(value)]);
  const routeMethod = method === "HEAD" ? "get" : method.toLowerCase(); // D-65
  const operations = siblings.map(({ operation }) => operation);
  const operation = operations.find((candidate) => candidate.method === routeMethod);
  if (operation) return { operation, path: Object.fromEntries(decoded) };
  throw toMethodError(method, operations, ["OPTIONS"]);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw BODY_ERRORS.undecodable();
  }
}

/** The compiled validators convert values and add defaults in place. */
export function validate({ id }: Operation, sent: SentValues): Validation {
  const validators = [parameterValidators[id], bodyValidators[id]];
  const errors = validators.flatMap((validator) => (validator?.(sent) === false ? (validator.errors ?? []) : []));
  return { errors: errors.map(toSchemaError), input: sent };
}

function toSchemaError({ instancePath, keyword, params, message = "is invalid" }: ErrorObject): SchemaError {
  const member: string | undefined = params.missingProperty ?? params.additionalProperty;
  const pointer = member === undefined ? instancePath : `${instancePath}/${member}`; // as EOV does, without escaping
  const parts = pointer.split("/").slice(1);
  return {
    path: parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")),
    keyword,
    message: keyword === "enum" ? `${message}: ${params.allowedValues.join(", ")}` : message,
  };
}
