// Creates the model of a normal document.

import type { SchemaNode } from "./copy-schema.js";
import { createOperations } from "./create-operations.js";
import { findErrorBody, findErrorTypes } from "./error-body.js";
import { createFindPath, type FindPath, operationFor } from "./find-operation.js";
import type { Decision, Header, Operation } from "./model.js";
import { completeOperations, type NormalDocument } from "./normalize.js";
import type { OpenApiDocument } from "./openapi-document.js";
import type { Pointer } from "./pointer.js";
import { createSchemas, type Schema } from "./schema.js";
import type { SchemaChecker } from "./schema-checker.js";

export interface ContractModel {
  document: OpenApiDocument;
  operations: readonly Operation[];
  /** The components, in the contract's order. */
  schemas: ReadonlyMap<string, Schema>;
  headers: readonly Header[];
  /** By id; empty if the contract has none. */
  decisions: Readonly<Record<string, Decision>>;
  /** The schema of errors; undefined if the contract has none. */
  errorBody: Schema | undefined;
  /** The media types of errors in JSON, that of `errorBody` first. */
  errorTypes: readonly string[];
  /** What stands at the path of a request. */
  findPath: FindPath;
  findOperation(method: string, path: string): Operation | undefined;
  /** The schema of a part of the document, or of one that refers to its parts. */
  schemaOf(node: SchemaNode): Schema;
  /** The place in the file of a part of the document. */
  pointerOf(part: object): Pointer | undefined;
}

export function createModel(normal: NormalDocument, { errorsOf }: Pick<SchemaChecker, "errorsOf">): ContractModel {
  const document = completeOperations(normal.document);
  const { pointerOf } = normal;
  const schemaOf = createSchemas({ document, pointerOf, errorsOf });
  const { operations, headers } = createOperations(document, schemaOf, pointerOf);
  const schemas = Object.entries(document.components.schemas ?? {});
  const findPath = createFindPath(operations);
  return {
    document,
    operations,
    schemas: new Map(schemas.map(([name, node]) => [name, schemaOf(node as SchemaNode)])),
    headers,
    decisions: document["x-decisions"],
    errorBody: findErrorBody(operations),
    errorTypes: findErrorTypes(operations),
    findPath,
    findOperation: (method, path) => operationFor(findPath(path), method),
    schemaOf,
    pointerOf,
  };
}
