// Each operation has a response for each error that can occur (D-47 orders them).
import { findResponse, toOperations } from "../../../contract/operations.js";
import { toOperationName } from "../../usage/contract-members.js";
import type { LintRule } from "./lint-rule.js";

/** Status, cause, and which operations can have it: with a body, with a key and a body, with a parameter in the path, or all. */
const ERRORS: readonly (readonly [status: number, cause: string, needs?: "body" | "key" | "path"])[] = [
  [400, "a path or query that cannot be decoded"],
  [401, "no valid key"],
  [404, "an unknown id", "path"],
  [405, "another method"],
  [409, "an idempotency key that is in use", "key"],
  [413, "a body that is too large", "body"],
  [415, "a body of another media type", "body"],
  [422, "an invalid request"],
  [429, "the rate limit"],
  [500, "a bug of the server"],
  [503, "a server that is unavailable"],
];

export const errorResponses: LintRule = ({ document }) =>
  toOperations(document).flatMap((operation) => {
    const { path, method, hasBody, parameters } = operation;
    const hasKey = hasBody && parameters.some(({ name }) => name.toLowerCase() === "idempotency-key");
    const applies = { body: hasBody, key: hasKey, path: path.includes("{") };
    const missing = ERRORS.filter(
      ([status, , needs]) => !findResponse(document, operation, status) && (!needs || applies[needs]),
    );
    const texts = missing.map(([status, cause]) => `${status}, for ${cause}`);
    const pointer = ["paths", path, method, "responses"];
    const lacks = { operation: toOperationName(operation), statuses: missing.map(([status]) => String(status)) };
    return texts.length > 0 ? [{ pointer, message: `${lacks.operation} has no ${texts.join("; no ")}`, lacks }] : [];
  });
