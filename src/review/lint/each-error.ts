// Each operation has each error that it can give (D-47 orders them).
import { type ParameterObject, resolve } from "../../contract/openapi-document.js";
import { toOperations } from "../../contract/operations.js";
import type { LintRule } from "./lint-rule.js";

const ALWAYS = {
  400: "a path or query that cannot be decoded",
  401: "no valid key",
  405: "another method",
  422: "a request outside the contract",
  429: "the rate limit",
  500: "a fault of the server",
  503: "a server that cannot answer now",
};
const WITH_BODY = { 413: "a body that is too large", 415: "a body of another media type" };
const WITH_PATH_PARAMETER = { 404: "an id that nothing has" };
const ONCE_ONLY = { 409: "an idempotency key that is in use" };

export const eachError: LintRule = (document) =>
  toOperations(document).flatMap(({ object, path, method, parameters }) => {
    const has = (isWanted: (parameter: ParameterObject) => boolean) =>
      parameters.some((parameter) => isWanted(resolve(document, parameter)));
    const wanted = {
      ...ALWAYS,
      ...(object.requestBody ? WITH_BODY : {}),
      ...(has((parameter) => parameter.in === "path") ? WITH_PATH_PARAMETER : {}),
      ...(object.requestBody && has(({ name }) => name.toLowerCase() === "idempotency-key") ? ONCE_ONLY : {}),
    };
    return Object.entries(wanted)
      .filter(([status]) => !object.responses[status])
      .map(([status, cause]) => ({
        pointer: ["paths", path, method, "responses"],
        message: `${object.operationId} has no ${status}, and can give it: ${cause}`,
      }));
  });
