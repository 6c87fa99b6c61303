// Each operation has a response for each error that can occur (D-47 orders them).
import { type ParameterObject, resolve } from "../../contract/openapi-document.js";
import { toOperations } from "../../contract/operations.js";
import type { LintRule } from "./lint-rule.js";

const ALWAYS = {
  400: "a path or query that cannot be decoded",
  401: "no valid key",
  405: "another method",
  422: "an invalid request",
  429: "the rate limit",
  500: "a bug of the server",
  503: "a server that is unavailable",
};
const WITH_BODY = { 413: "a body that is too large", 415: "a body of another media type" };
const WITH_PATH_PARAMETER = { 404: "an unknown id" };
const WITH_IDEMPOTENCY_KEY = { 409: "an idempotency key that is in use" };

export const errorResponses: LintRule = (document) =>
  toOperations(document).flatMap(({ object, path, method, parameters }) => {
    const has = (matches: (parameter: ParameterObject) => boolean) =>
      parameters.some((parameter) => matches(resolve(document, parameter)));
    const required = {
      ...ALWAYS,
      ...(object.requestBody ? WITH_BODY : {}),
      ...(has((parameter) => parameter.in === "path") ? WITH_PATH_PARAMETER : {}),
      ...(object.requestBody && has(({ name }) => name.toLowerCase() === "idempotency-key")
        ? WITH_IDEMPOTENCY_KEY
        : {}),
    };
    return Object.entries(required)
      .filter(([status]) => !object.responses[status])
      .map(([status, cause]) => ({
        pointer: ["paths", path, method, "responses"],
        message: `${object.operationId} has no ${status}, for ${cause}`,
      }));
  });
