// A contract as all parts of this project read it, whether it comes from a file or from the build.
import { type Citation, type CitedPlace, citeResponse, findCitation } from "./citation.js";
import type { SchemaNode } from "./copy-schema.js";
import type { ContractModel } from "./create-model.js";
import type { OpenApiDocument } from "./openapi-document.js";
import { type Operation as OldOperation, toOperations } from "./operations.js";
import { type Pointer, valueAt } from "./pointer.js";
import { checkResponse, type WireResponse } from "./response-check.js";
import type { Violation } from "./violation.js";

type Route = Pick<OldOperation, "method" | "path">;

export interface ContractReading {
  document: OpenApiDocument;
  model: ContractModel;
  /** @deprecated use the model */
  operations: readonly OldOperation[];
  /** @deprecated use Schema.check */
  schemas: OldChecker;
  /** `operation` is undefined for a path that the contract does not have. */
  checkResponse(operation: Route | undefined, response: WireResponse): Violation[];
  /** Cites a place of a request, such as `["query", "limit"]`. */
  findCitation(operation: Route, path: readonly string[], code?: string): CitedPlace;
  /** Cites the place of a violation in a response. */
  citeResponse(operation: Route | undefined, status: number, violation: Violation): Citation;
}

export interface OldChecker {
  check(pointer: Pointer, value: unknown, root: string): Violation[];
  checkBy(schema: SchemaNode, value: unknown, root: string): Violation[];
}

export function toReading(model: ContractModel): ContractReading {
  const { document } = model;
  const operationOf = ({ method, path }: Route) =>
    model.operations.find((operation) => operation.method === method && operation.path === path);
  const check = (schema: SchemaNode, value: unknown, root: string) => {
    const violations = model.schemaOf(schema).check(value, root === "" ? [] : [root]);
    return root === ""
      ? violations.map((one) => ({ ...one, location: one.location === "" ? "" : `.${one.location}` }))
      : violations;
  };
  return {
    document,
    model,
    operations: toOperations(document),
    schemas: {
      check: (pointer, value, root) => check(valueAt(document, pointer) as SchemaNode, value, root),
      checkBy: check,
    },
    checkResponse: (route, response) => checkResponse(model, route && operationOf(route), response),
    findCitation(route, path, code) {
      const operation = operationOf(route);
      return operation ? findCitation(operation, path, code) : { citation: {} };
    },
    citeResponse: (route, status, violation) => citeResponse(route && operationOf(route), status, violation),
  };
}
