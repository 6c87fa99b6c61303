// The contract's operations: as types for the handlers, and as values for code that iterates over them.

import type { operations } from "./openapi.gen.js";
import { type OpenApiDocument, type OperationObject, type ParameterObject, resolve } from "./openapi-document.js";

export type OperationId = keyof operations;

/** An operation as openapi-typescript generates its type. */
interface OperationType {
  parameters: object;
  responses: object;
}
type ParametersOf<Type extends OperationType, In extends string> = In extends keyof Type["parameters"]
  ? NonNullable<Type["parameters"][In]>
  : never;
type JsonOf<Content> = Content extends { content: { "application/json": infer Body } } ? Body : undefined;

/** A request that has passed its contract. */
export interface RequestOf<Type extends OperationType> {
  path: ParametersOf<Type, "path">;
  query: ParametersOf<Type, "query">;
  body: Type extends { requestBody: infer Content } ? JsonOf<Content> : undefined;
}

/** The body of an operation's success. */
export type SuccessOf<Type extends OperationType> = JsonOf<
  Type["responses"][Extract<keyof Type["responses"], 200 | 201 | 204>]
>;

/** A request to the API. Parameters with a default are present. */
export type OperationRequest<Id extends OperationId> = RequestOf<operations[Id]> & {
  query: Required<Pick<Query<Id>, Extract<keyof Query<Id>, "page" | "limit">>>;
};
type Query<Id extends OperationId> = RequestOf<operations[Id]>["query"];

/** The body of a success of the API. */
export type SuccessBody<Id extends OperationId> = SuccessOf<operations[Id]>;

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
