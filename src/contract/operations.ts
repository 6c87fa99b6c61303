// The contract's operations: as types for the handlers, and as values for code that iterates over them. What each declares for a
// body or a status.

import type { Pointer } from "./contract-file.js";
import type { operations, paths } from "./openapi.gen.js";
import {
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  type ResponseObject,
  resolve,
  type SchemaObject,
  toPointer,
} from "./openapi-document.js";

export type OperationId = keyof operations;

/** Method and path of an operation: `get /v1/notifications`. */
export type Route = { [Path in keyof paths]: `${MethodOf<paths[Path]>} ${Path}` }[keyof paths];
type MethodOf<Item> = { [Method in keyof Item]: Item[Method] extends OperationType ? Method : never }[keyof Item] &
  string;

/** The operation of a route. */
export type IdAt<Place extends Route> = Place extends `${infer Method} ${infer Path extends keyof paths}`
  ? {
      [Id in OperationId]: Method extends keyof paths[Path] ? SameOr<paths[Path][Method], operations[Id], Id> : never;
    }[OperationId]
  : never;
type SameOr<One, Other, Result> = One extends Other ? (Other extends One ? Result : never) : never;

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
  /** An `OperationId` in the contract of the API; method and path where the document has none. */
  id: string;
  method: Method;
  /** As in the document: `/v2/subscribers/{subscriberId}/preferences`. */
  path: string;
  parameters: ParameterObject[];
  hasBody: boolean;
  object: OperationObject;
  /** Names in the query that hold a key, and are no parameters. */
  keyNames?: readonly string[];
}

/** A place at which a request may have its key, as the security schemes say. */
export interface KeyPlace {
  in: "header" | "query" | "bearer";
  name: string;
}

export function keyPlacesOf({ components }: Pick<OpenApiDocument, "components">): KeyPlace[] {
  return Object.values(components?.securitySchemes ?? {}).flatMap((place): KeyPlace[] => {
    const { type, scheme, in: where, name = "" } = place as Record<string, string | undefined>;
    if (type === "http" && scheme?.toLowerCase() === "bearer") return [{ in: "bearer", name: "authorization" }];
    return type === "apiKey" && (where === "header" || where === "query") ? [{ in: where, name }] : [];
  });
}

const METHODS = ["get", "put", "post", "patch", "delete", "head", "options", "trace"] as const;
type Method = (typeof METHODS)[number];

/** True if an operation needs no key. */
export function isOpen(
  { security: shared = [] }: OpenApiDocument,
  { object: { security = shared } }: Operation,
): boolean {
  return security.length === 0 || security.some((schemes) => Object.keys(schemes).length === 0);
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

export function toOperations(document: OpenApiDocument): Operation[] {
  const keyNames = keyPlacesOf(document).flatMap((place) => (place.in === "query" ? [place.name] : []));
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method] !== undefined).map((method) => {
      const object: OperationObject = { ...(methods[method] as OperationObject) };
      object.responses ??= {};
      return {
        id: object.operationId ?? `${method.toUpperCase()} ${path}`,
        method,
        path,
        parameters: (object.parameters ?? []).map((place) => toParameter(document, place as ParameterObject)),
        hasBody: object.requestBody !== undefined,
        object,
        keyNames,
      };
    }),
  );
}

function toParameter(document: OpenApiDocument, place: ParameterObject): ParameterObject {
  const parameter = resolve<ParameterObject>(document, place);
  const [content] = Object.values(parameter.content ?? {});
  const schema = resolve(document, parameter.schema ?? content?.schema ?? {});
  return schema === parameter.schema ? parameter : { ...parameter, schema };
}

/**
 * The paths of a document with what OpenAPI lets an author write elsewhere in its place: path items and request bodies that
 * are references, and parameters of a whole path. An operation that declares no response may have any.
 */
export function toPaths(document: OpenApiDocument): OpenApiDocument["paths"] {
  const paths = Object.entries(document.paths ?? {}).map(([path, place]) => {
    const item = resolve<PathItemObject>(document, place);
    const shared = (item.parameters ?? []) as unknown as ParameterObject[];
    const methods = METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const operation = item[method] as OperationObject;
      const { requestBody, responses = {} } = operation;
      const hasStatuses = Object.keys(responses).length > 0 && !Object.keys(responses).some(isExtension);
      const isPlain = shared.length === 0 && !(requestBody && "$ref" in requestBody) && hasStatuses;
      return [method, isPlain ? operation : toPlain(document, operation, shared)];
    });
    return [
      path,
      item === place && methods.every(([method, plain]) => item[method as Method] === plain)
        ? place
        : { ...item, ...Object.fromEntries(methods) },
    ];
  });
  return Object.fromEntries(paths);
}

/** An operation's own parameter replaces one of the path with the same name and place. */
function toPlain(document: OpenApiDocument, operation: OperationObject, shared: ParameterObject[]): OperationObject {
  const keyOf = (place: ParameterObject) => {
    const { name, in: where } = resolve<ParameterObject>(document, place);
    return `${where} ${name}`;
  };
  const own = (operation.parameters ?? []) as ParameterObject[];
  const replaced = new Set(own.map(keyOf));
  const parameters = [...shared.filter((place) => !replaced.has(keyOf(place))), ...own];
  const requestBody = operation.requestBody && { requestBody: resolve(document, operation.requestBody) };
  const statuses = Object.entries(operation.responses ?? {}).filter(([status]) => !isExtension(status));
  const responses = statuses.length > 0 ? Object.fromEntries(statuses) : { default: { description: "" } };
  return { ...operation, parameters, ...requestBody, responses };
}

const isExtension = (name: string) => name.startsWith("x-");

/** The schema of an operation's request body. */
export function bodySchemaOf({ object }: Operation): SchemaObject | undefined {
  return mainContent(object.requestBody?.content)?.[1].schema;
}

/** The schema of a response's body: by default that of a success. */
export function responseSchemaOf(
  document: OpenApiDocument,
  operation: Operation,
  status = successStatusOf(operation),
): SchemaObject | undefined {
  return mainContent(findResponse(document, operation, status)?.object.content)?.[1].schema;
}

/** True if bodies of a media type are JSON: `application/json`, `application/problem+json; charset=utf-8`. */
export function isJson(mediaType: string): boolean {
  return /^\s*application\/(json|[^;]*\+json)\s*(;|$)/i.test(mediaType);
}

/** The media type of a body that is JSON, else its first one. */
export function mainContent(
  content: Record<string, MediaTypeObject> = {},
): [mediaType: string, object: MediaTypeObject] | undefined {
  const entries = Object.entries(content);
  return entries.find(([type]) => type === "application/json") ?? entries.find(([type]) => isJson(type)) ?? entries[0];
}

export interface DeclaredResponse {
  /** `200`, `4XX` or `default`. */
  key: string;
  object: ResponseObject;
  /** Its place, references followed. */
  pointer: Pointer;
}

/** The declaration of a status: its own, else that of its range, else `default`. */
export function findResponse(
  document: OpenApiDocument,
  { path, method, object: { responses } }: Operation,
  status: number,
): DeclaredResponse | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const key = [String(status), range, range.toLowerCase(), "default"].find((name) => Object.hasOwn(responses, name));
  const place = key === undefined ? undefined : responses[key];
  if (key === undefined || !place) return undefined;
  const pointer = "$ref" in place ? toPointer(place.$ref) : ["paths", path, method, "responses", key];
  return { key, object: resolve<ResponseObject>(document, place), pointer };
}

/** The status that stands for a declaration: of a range the first one; of `default` a success, or else an error, that has none of its own. */
export function toStatus(key: string, { responses }: Operation["object"]): number {
  if (key !== "default") return Number(key.replace(/xx$/i, "00"));
  const hasSuccess = Object.keys(responses).some((name) => name.startsWith("2"));
  return [...(hasSuccess ? [] : [200]), 500, 400].find((status) => !Object.hasOwn(responses, String(status))) ?? 418;
}

/** The statuses that an operation declares, those of ranges and of `default` by the status that stands for them. */
export function declaredStatusesOf({ object }: Pick<Operation, "object">): number[] {
  return Object.keys(object.responses).map((key) => toStatus(key, object));
}

/** The status of an operation's success: the lowest that it declares, else that of `default`, else whatever there is. */
export function successStatusOf({ object }: Operation): number {
  const keys = Object.keys(object.responses).toSorted();
  const key = keys.find((name) => name.startsWith("2")) ?? keys.find((name) => name === "default") ?? keys[0];
  return key === undefined ? 200 : toStatus(key, object);
}

/** The status for an invalid request: 422, or 400 where the contract has that in its place. */
export function rejectionStatusOf({ object: { responses } }: Operation): number {
  return !("422" in responses) && "400" in responses ? 400 : 422;
}
