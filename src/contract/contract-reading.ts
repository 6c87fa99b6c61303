// A contract as all parts of this project read it, whether it comes from a file or from the build.
import { type Citation, type CitedPlace, citeResponse, findCitation } from "./citation.js";
import type { ContractModel } from "./create-model.js";
import type { Operation } from "./model.js";
import type { OpenApiDocument } from "./openapi-document.js";
import { checkResponse, type WireResponse } from "./response-check.js";
import type { Violation } from "./violation.js";

type Route = Pick<Operation, "method" | "path">;

export interface ContractReading {
  document: OpenApiDocument;
  model: ContractModel;
  /** `operation` is undefined for a path that the contract does not have. */
  checkResponse(operation: Route | undefined, response: WireResponse): Violation[];
  /** Cites a place of a request, such as `["query", "limit"]`. */
  findCitation(operation: Route, path: readonly string[], code?: string): CitedPlace;
  /** Cites the place of a violation in a response. */
  citeResponse(operation: Route | undefined, status: number, violation: Violation): Citation;
}

export function toReading(model: ContractModel): ContractReading {
  const { document } = model;
  const operationOf = ({ method, path }: Route) =>
    model.operations.find((operation) => operation.method === method && operation.path === path);
  return {
    document,
    model,
    checkResponse: (route, response) => checkResponse(model, route && operationOf(route), response),
    findCitation(route, path, code) {
      const operation = operationOf(route);
      return operation ? findCitation(operation, path, code) : { citation: {} };
    },
    citeResponse: (route, status, violation) => citeResponse(route && operationOf(route), status, violation),
  };
}
