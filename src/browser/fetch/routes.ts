// Finds the operation of a method and path, and validates its requests with compiled validators, which report the same violations
// as the Express server.
import { operationFor } from "../../contract/find-operation.js";
import type { Operation } from "../../contract/model.js";
import { type RequestValues, withoutPrototypes } from "../../contract/request-schema.js";
import { describeError } from "../../contract/violation.js";
import { BODY_ERRORS } from "../../core/operations/errors.js";
import { createPathError, toMethodError } from "../../core/operations/routes.js";
import type { Validation } from "../../core/operations/validate-request.js";
import { contract } from "./contract.js";
import { requestValidators } from "./validators.gen.js";

const { findPath, operations } = contract.model;
const toPathError = createPathError(operations, "/openapi.yaml");

export interface Route {
  operation: Operation;
  /** The parameters in the path. */
  path: Record<string, string>;
}

/** @throws RequestError */
export function findRoute(method: string, path: string): Route {
  const match = findPath(path);
  if (!match) throw toPathError(method, path);
  const values = Object.entries(match.parameters).map(([name, value]) => [name, decode(value)]);
  const operation = operationFor(match, method);
  if (!operation) throw toMethodError(method, match.operations, ["OPTIONS"]);
  return { operation, path: Object.fromEntries(values) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw BODY_ERRORS.undecodable();
  }
}

/** The compiled validators add defaults in place. */
export function validate({ id }: Operation, values: RequestValues): Validation {
  const input = withoutPrototypes(values) as RequestValues & { body: unknown };
  const validator = requestValidators[id];
  const errors = validator?.(input) === false ? (validator.errors ?? []) : [];
  return { violations: errors.map((error) => describeError(error, [])), input };
}
