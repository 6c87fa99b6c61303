// The contract's operations, and what each declares for a request, a body or a status. Their types are in schemas.ts.
import { METHODS } from "./grammar.js";
import { isJson } from "./media-type.js";
import {
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  resolve,
  type SchemaObject,
} from "./openapi-document.js";
import { type Pointer, toPointer } from "./pointer.js";

export { METHODS } from "./grammar.js";
export { isJson } from "./media-type.js";

/** An operation of a document, with references followed. */
export interface Operation {
  /** The operationId, or method and path if the document has none. */
  id: string;
  method: (typeof METHODS)[number];
  /** As in the document: `/v2/subscribers/{subscriberId}/preferences`. */
  path: string;
  parameters: ParameterObject[];
  hasBody: boolean;
  object: OperationObject;
  /** Names in the query that hold an API key and are not parameters. */
  keyNames?: readonly string[];
}

/** A place of the API key in a request, from a security scheme. */
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

export function toOperations(document: OpenApiDocument): Operation[] {
  const keyNames = keyPlacesOf(document).flatMap((place) => (place.in === "query" ? [place.name] : []));
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const object = item[method] as OperationObject;
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

/** The schema of an operation's request body. */
export function bodySchemaOf({ object }: Operation): SchemaObject | undefined {
  return mainContent(object.requestBody?.content)?.[1].schema;
}

/** The schema of a response's body. */
export function responseSchemaOf(
  document: OpenApiDocument,
  operation: Operation,
  status = successStatusOf(operation),
): SchemaObject | undefined {
  return mainContent(findResponse(document, operation, status)?.object.content)?.[1].schema;
}

/** The media type that bodies are read as: JSON if declared, else the first one. */
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
  /** Where it stands after following a reference. */
  pointer: Pointer;
}

/** Finds the declaration of a status: its own, then that of its range, then `default`. */
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

/**
 * A status that a declaration covers. `4XX` becomes 400. `default` becomes 200, or an error if there is another success,
 * unless that status has a declaration of its own.
 */
export function toStatus(key: string, { responses }: Operation["object"]): number {
  if (key !== "default") return Number(key.replace(/xx$/i, "00"));
  const hasSuccess = Object.keys(responses).some((name) => name.startsWith("2"));
  return [...(hasSuccess ? [] : [200]), 500, 400].find((status) => !Object.hasOwn(responses, String(status))) ?? 418;
}

/** The lowest declared success, else the status of `default`, else that of any other response. */
export function successStatusOf({ object }: Operation): number {
  const keys = Object.keys(object.responses).toSorted();
  const key = keys.find((name) => name.startsWith("2")) ?? keys.find((name) => name === "default") ?? keys[0];
  return key === undefined ? 200 : toStatus(key, object);
}

/** The status of an invalid request: 422, or 400 if the contract declares only that. */
export function rejectionStatusOf({ object: { responses } }: Operation): number {
  return !("422" in responses) && "400" in responses ? 400 : 422;
}
