// The contract's operations: as types for the handlers, and as values for code that iterates over them.

import type { operations } from "./openapi.gen.js";
import { type OpenApiDocument, type OperationObject, type ParameterObject, resolve } from "./openapi-document.js";

export type OperationId = keyof operations;

type ParameterOf<Id extends OperationId, In extends string> = In extends keyof operations[Id]["parameters"]
  ? NonNullable<operations[Id]["parameters"][In]>
  : never;
type BodyOf<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : undefined;
type DefaultedNames<Id extends OperationId> = Extract<keyof ParameterOf<Id, "query">, "page" | "limit">;

/** A request that has passed the contract. Parameters with a default are present. */
export interface OperationRequest<Id extends OperationId> {
  path: ParameterOf<Id, "path">;
  query: ParameterOf<Id, "query"> & Required<Pick<ParameterOf<Id, "query">, DefaultedNames<Id>>>;
  body: BodyOf<Id>;
}

/** The body of an operation's success. */
export type SuccessBody<Id extends OperationId> = operations[Id]["responses"][200]["content"]["application/json"];

/** An operation as the document describes it, its references followed. */
export interface Operation {
  /** An `OperationId` in the contract of the API. */
  id: string;
  method: "get" | "put" | "post" | "patch" | "delete";
  /** As in the document: `/v2/subscribers/{subscriberId}/preferences`. */
  path: string;
  parameters: ParameterObject[];
  hasBody: boolean;
  object: OperationObject;
}

/** The methods of the operations, and HEAD where there is GET (D-51, D-65). */
export function allowedMethods(operations: readonly Operation[]): string[] {
  return [...new Set(operations.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : method.toUpperCase())))];
}

/** The names of all query parameters of the operations. */
export function toQueryNames(operations: readonly Operation[]): string[] {
  const parameters = operations.flatMap((operation) => operation.parameters);
  return parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
}

/** A path item has other members too: `parameters`, `summary`. */
const METHODS: readonly Operation["method"][] = ["get", "put", "post", "patch", "delete"];

export function toOperations(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method] !== undefined).map((method) => {
      const object: OperationObject = { ...(methods[method] as OperationObject) };
      object.responses ??= {};
      return {
        id: object.operationId,
        method,
        path,
        parameters: (object.parameters ?? []).map((parameter) => resolve<ParameterObject>(document, parameter)),
        hasBody: object.requestBody !== undefined,
        object,
      };
    }),
  );
}
