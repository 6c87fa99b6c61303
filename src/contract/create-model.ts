// Creates the model of a normal document.
import { citeResponse, findCitation } from "./citation.js";
import type { SchemaNode } from "./copy-schema.js";
import { createOperations } from "./create-operations.js";
import { isObject } from "./json.js";
import type { ContractModel, Operation, Route } from "./model.js";
import { completeOperations, type NormalDocument } from "./normal-document.js";
import { createFindPath, operationFor } from "./operation.js";
import { findResponse, mainMedia } from "./operation-responses.js";
import { checkResponse } from "./response-check.js";
import { createSchemas, type Schema } from "./schema.js";
import type { SchemaChecker } from "./schema-checker.js";

export function createModel(normal: NormalDocument, { errorsOf }: Pick<SchemaChecker, "errorsOf">): ContractModel {
  const document = completeOperations(normal.document);
  const { pointerOf } = normal;
  const schemaOf = createSchemas({ document, pointerOf, errorsOf });
  const { operations, headers } = createOperations(document, schemaOf, pointerOf);
  const schemas = Object.entries(document.components.schemas ?? {});
  const findPath = createFindPath(operations);
  const errors = { operations, ...findErrors(operations) };
  const operationOf = ({ method, path }: Route) =>
    operations.find((operation) => operation.method === method && operation.path === path);
  return {
    ...errors,
    document,
    schemas: new Map(schemas.map(([name, node]) => [name, schemaOf(node as SchemaNode)])),
    headers,
    decisions: document["x-decisions"],
    findPath,
    findOperation: (method, path) => operationFor(findPath(path), method),
    schemaOf,
    pointerOf,
    checkResponse: (route, response) => checkResponse(errors, route && operationOf(route), response),
    findCitation(route, path, violation) {
      const operation = operationOf(route);
      return operation ? findCitation(operation, path, violation) : { citation: {} };
    },
    citeResponse: (route, response, violation) => citeResponse(route && operationOf(route), response, violation),
  };
}

/** The schema and the media types of errors: those of the first 401 or 404, then those of other statuses. */
function findErrors(operations: readonly Operation[]): Pick<ContractModel, "errorBody" | "errorTypes"> {
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
