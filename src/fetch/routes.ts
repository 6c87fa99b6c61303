// Which operation a method and path lead to, and its validation by the compiled validators: the same violations as the Express
// server's step.
import type { ErrorObject } from "ajv";
import type { ValidRequest } from "../api/call-operation.js";
import {
  assertBodyDepth,
  createFindCoercions,
  createReadQuery,
  restoreDigits,
  type SchemaError,
  toInvalidRequest,
  toViolations,
} from "../api/check-request.js";
import { BODY_ERRORS } from "../api/errors.js";
import { createPathError, toMethodError, toPattern } from "../api/routes.js";
import { examplesOf } from "../contract/examples.js";
import type { Operation } from "../contract/operations.js";
import { contract } from "./contract.js";
import { bodyValidators, parameterValidators } from "./validators.gen.js";

const routes = contract.operations.map((operation) => ({
  operation,
  pattern: toPattern(operation.path, "(?<$1>[^/]+)"),
  validate: createValidateRequest(operation),
  examples: examplesOf(contract.document, operation),
}));
const toPathError = createPathError(contract.operations, "/openapi.yaml");

export type Route = (typeof routes)[number] & {
  /** The parameters in the path. */
  path: Record<string, string>;
};

/** @throws RequestError */
export function findRoute(method: string, path: string): Route {
  const siblings = routes.filter(({ pattern }) => pattern.test(path));
  if (siblings.length === 0) throw toPathError(path);
  const values = Object.entries(siblings[0]?.pattern.exec(path)?.groups ?? {});
  const decoded = values.map(([name, value]) => [name, decode(value)]);
  const routeMethod = method === "HEAD" ? "get" : method.toLowerCase(); // D-65
  const route = siblings.find(({ operation }) => operation.method === routeMethod);
  if (route) return { ...route, path: Object.fromEntries(decoded) };
  const operations = siblings.map(({ operation }) => operation);
  throw toMethodError(method, operations, ["OPTIONS"]);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw BODY_ERRORS.undecodable();
  }
}

export interface SentRequest {
  target: string;
  path: Record<string, string>;
  header: Record<string, string>;
  body: unknown;
}

/**
 * Makes the step of one operation. It returns the request with its query coerced, and defaults added.
 * It throws a RequestError with every violation.
 */
export function createValidateRequest(operation: Operation): (sent: SentRequest) => ValidRequest {
  const readQuery = createReadQuery(operation);
  const findCoercions = createFindCoercions(operation);
  const validators = [parameterValidators[operation.id], bodyValidators[operation.id]];
  return function validateRequest({ target, path, header, body }) {
    assertBodyDepth(contract, operation, body);
    const query = readQuery(target);
    const coercions = findCoercions(query); // now: Ajv coerces the values in place
    const request = { query: query.values, header: { ...header }, path: { ...path }, body };
    const errors = validators.flatMap((validate) => (validate?.(request) === false ? (validate.errors ?? []) : []));
    const original = { query: errors.length > 0 ? readQuery(target).values : {}, header, path, body };
    const violations = [...toViolations(errors.map(toSchemaError), original), ...coercions];
    if (violations.length > 0) throw toInvalidRequest(violations, contract, operation);
    restoreDigits(request.query, () => readQuery(target));
    return request;
  };
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
