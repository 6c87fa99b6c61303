// Creates the model of a normal document.
import { citeResponse, findCitation } from "./citation.js";
import type { SchemaNode } from "./copy-schema.js";
import { createOperations } from "./create-operations.js";
import { findErrors } from "./error-body.js";
import { createFindPath, operationFor } from "./find-operation.js";
import type { ContractModel, Route } from "./model.js";
import { completeOperations, type NormalDocument } from "./normalize.js";
import { checkResponse } from "./response-check.js";
import { createSchemas } from "./schema.js";
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
