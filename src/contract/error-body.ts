// The form of a contract's errors.
import { isObject } from "./json.js";
import type { ContractModel, Operation } from "./model.js";
import { findResponse, mainMedia } from "./operation-responses.js";
import type { Schema } from "./schema.js";

/** The schema and the media types of errors: those of the first 401 or 404, then those of other statuses. */
export function findErrors(operations: readonly Operation[]): Pick<ContractModel, "errorBody" | "errorTypes"> {
  const usual = operations.flatMap((operation) => [401, 404].map((status) => findResponse(operation, status)));
  const others = operations.flatMap(({ responses }) => responses.filter(({ status }) => status >= 400));
  const responses = [...usual, ...others];
  const types = responses.flatMap((response) => response?.content ?? []).filter(({ isJson }) => isJson);
  const media = responses.map(mainMedia).find((one) => one?.isJson && one.schema);
  return {
    errorBody: media?.schema && sharedOf(media.schema),
    errorTypes: [...new Set(types.map(({ type }) => type))],
  };
}

/** The schema that errors of all statuses have in common. */
function sharedOf(schema: Schema): Schema {
  const { $ref, allOf = [] } = (isObject(schema.node) ? schema.node : {}) as { $ref?: string; allOf?: object[] };
  const shared = $ref === undefined ? allOf.find((part) => "$ref" in part) : { $ref };
  return shared ? schema.of(shared) : schema;
}
