// Checks a response (status, headers, media type, body) against what the contract declares for an operation.

import type { Pointer } from "./contract-file.js";
import {
  type HeaderObject,
  type OpenApiDocument,
  type ResponseObject,
  resolve,
  toPointer,
} from "./openapi-document.js";
import { findResponse, isJson, mainContent, type Operation, toOperations } from "./operations.js";
import type { SchemaChecker } from "./schema-checker.js";
import type { Violation } from "./violation.js";

/** A response as received, its body parsed. */
export interface WireResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** undefined when the response has no body. */
  body: unknown;
}

/** Marks a response that no implementation has made. It is our one header that a contract need not declare. */
export const MOCKED_HEADER = "X-Mocked";

/** Headers of HTTP, the connection, CORS and the protection of browsers. The contract has to declare every other header. */
export const STANDARD_HEADERS: ReadonlySet<string> = new Set([
  ..."connection content-encoding content-length content-type date keep-alive transfer-encoding vary".split(" "),
  ...["expose-headers", "max-age", "allow-origin", "allow-methods", "allow-headers", "allow-credentials"].map(
    (name) => `access-control-${name}`,
  ),
  MOCKED_HEADER.toLowerCase(),
  "x-content-type-options",
  "content-security-policy",
]);

/**
 * Lists the violations of a response. Without an operation, because the contract does not have the path, the response has to
 * be an error in the contract's form.
 */
export function checkResponse(
  document: OpenApiDocument,
  schemas: Pick<SchemaChecker, "check">,
  operation: Operation | undefined,
  response: WireResponse,
): Violation[] {
  if (!operation) return checkError(document, schemas, response);
  const { status } = response;
  const declared = findResponse(document, operation, status);
  if (!declared) return [{ location: "status", message: `${status} is not declared for ${operation.id}` }];
  const { object, pointer } = declared;
  const headers = checkHeaders(document, schemas, { ...object, pointer }, response.headers);
  if (response.body === undefined) return headers; // HEAD
  const content = object.content ?? { "application/json": undefined };
  const mediaType = mediaTypeOf(response);
  if (!object.content && mediaType === NO_MEDIA_TYPE) return headers; // a 204
  const type =
    Object.keys(content).find((name) => isOfMediaType(name, mediaType)) ?? mainContent(object.content)?.[0] ?? "";
  const schema = object.content?.[type]?.schema;
  const body =
    schema === undefined ? [] : schemas.check([...pointer, "content", type, "schema"], response.body, "body");
  return [...headers, ...checkMediaType(response, Object.keys(content)), ...body];
}

function checkError(
  document: OpenApiDocument,
  schemas: Pick<SchemaChecker, "check">,
  response: WireResponse,
): Violation[] {
  const pointer = findErrorSchema(document);
  return [...checkMediaType(response), ...(pointer ? schemas.check(pointer, response.body, "body") : [])];
}

/** The schema of errors: the one that the first JSON 401 or 404 refers to, else its own. */
export function findErrorSchema(document: OpenApiDocument): Pointer | undefined {
  for (const operation of toOperations(document)) {
    for (const status of [401, 404]) {
      const declared = findResponse(document, operation, status);
      const [type, object] = mainContent(declared?.object.content) ?? [];
      if (!declared || !type || !isJson(type) || !object?.schema) continue;
      const { $ref, allOf = [] } = object.schema;
      const shared = $ref ?? allOf.find((part) => part.$ref !== undefined)?.$ref;
      return shared ? toPointer(shared) : [...declared.pointer, "content", type, "schema"];
    }
  }
  return undefined;
}

const NO_MEDIA_TYPE = "none";

function mediaTypeOf({ headers }: WireResponse): string {
  return (String(headers["content-type"] ?? NO_MEDIA_TYPE).split(";")[0] ?? "").trim().toLowerCase();
}

/**
 * @param range a media type of the contract, or a range: `text/*`.
 * @param mediaType in lower case.
 */
export function isOfMediaType(range: string, mediaType: string): boolean {
  const [type = ""] = range.toLowerCase().split(";");
  return type.trim() === mediaType || (type.includes("*") && mediaType.startsWith(type.replace(/\*.*/, "")));
}

function checkMediaType(response: WireResponse, mediaTypes = ["application/json"]): Violation[] {
  const mediaType = mediaTypeOf(response);
  if (mediaTypes.some((range) => isOfMediaType(range, mediaType))) return [];
  return [{ location: "header.content-type", message: `must be ${mediaTypes.join(" or ")}, is ${mediaType}` }];
}

function checkHeaders(
  document: OpenApiDocument,
  schemas: Pick<SchemaChecker, "check">,
  response: ResponseObject & { pointer: Pointer },
  headers: WireResponse["headers"],
): Violation[] {
  const declarations = new Map(
    Object.entries(response.headers ?? {}).map(([name, header]) => [name.toLowerCase(), { name, header }]),
  );
  const undeclaredViolations = Object.keys(headers)
    .filter((name) => headers[name] !== undefined && !declarations.has(name) && !STANDARD_HEADERS.has(name))
    .map((name): Violation => {
      return { location: `header.${name}`, message: "is not declared for this status", code: "undeclared-header" };
    });
  const invalid = [...declarations].flatMap(([lowerCased, { name, header }]) => {
    const { required, schema: place } = resolve<HeaderObject>(document, header);
    const schema = resolve(document, place ?? {});
    const value = headers[lowerCased];
    const location = `header.${lowerCased}`;
    if (value === undefined) return required ? [{ location, message: "is missing" }] : [];
    if (place === undefined) return [];
    const pointer = "$ref" in header ? toPointer(header.$ref) : [...response.pointer, "headers", name];
    return schemas.check([...pointer, "schema"], toTyped(String(value), [schema.type].flat()), location);
  });
  return [...undeclaredViolations, ...invalid];
}

/** Converts the text of a header or parameter to a type of its schema. */
export function toTyped(text: string, types: readonly unknown[]): unknown {
  if (types.some((type) => type === "integer" || type === "number") && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text);
  if (types.includes("boolean") && /^(true|false)$/.test(text)) return text === "true";
  return types.includes("array") ? text.split(/,\s*/) : text;
}
