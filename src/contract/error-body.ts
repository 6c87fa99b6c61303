// The form of a contract's errors.
import { isObject } from "./json.js";
import type { Operation } from "./model.js";
import { findResponse, mainMedia } from "./operation-responses.js";
import type { Schema } from "./schema.js";

/** The media types of errors in JSON, that of the first 401 or 404 first. */
export function findErrorTypes(operations: readonly Operation[]): string[] {
  const first = operations.flatMap((operation) => [401, 404].map((status) => findResponse(operation, status)));
  const others = operations.flatMap(({ responses }) => responses.filter(({ status }) => status >= 400));
  const types = [...first, ...others].flatMap((response) => response?.content ?? []).filter(({ isJson }) => isJson);
  return [...new Set(types.map(({ type }) => type))];
}

/** The schema of errors: what the first JSON 401 or 404 refers to, else its own; else that of another status. */
export function findErrorBody(operations: readonly Operation[]): Schema | undefined {
  const usual = operations.flatMap((operation) => [401, 404].map((status) => findResponse(operation, status)));
  const others = operations.flatMap(({ responses }) => responses.filter(({ status }) => status >= 400));
  const media = [...usual, ...others].map(mainMedia).find((one) => one?.isJson && one.schema);
  return media?.schema && sharedOf(media.schema);
}

/** The schema that errors of all statuses have in common. */
function sharedOf(schema: Schema): Schema {
  const { $ref, allOf = [] } = (isObject(schema.node) ? schema.node : {}) as { $ref?: string; allOf?: object[] };
  const shared = $ref === undefined ? allOf.find((part) => "$ref" in part) : { $ref };
  return shared ? schema.of(shared) : schema;
}
