// Checks a response (status, headers, media type, body) against what the contract declares for an operation.

import type { Pointer } from "./contract-file.js";
import {
  type HeaderObject,
  type OpenApiDocument,
  type ResponseObject,
  resolve,
  toPointer,
  valueAt,
} from "./openapi-document.js";
import type { Operation } from "./operations.js";
import type { SchemaChecker, Violation } from "./schema-checker.js";

/** A response as received, its body parsed. */
export interface WireResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** undefined when the response has no body. */
  body: unknown;
}

// Headers of HTTP itself, the connection or CORS; every other header has to be in the contract.
const STANDARD_HEADERS = new Set(
  [
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "keep-alive",
    "transfer-encoding",
  ].concat(
    ["vary", "access-control-expose-headers", "access-control-max-age"],
    ["origin", "methods", "headers", "credentials"].map((name) => `access-control-allow-${name}`),
  ),
);

const ERROR_SCHEMA: Pointer = ["components", "schemas", "ErrorResponse"];

/**
 * The violations of a response. Without an operation (the path is none of the contract's) it has to be an error of the
 * contract's shape.
 */
export function checkResponse(
  document: OpenApiDocument,
  schemas: Pick<SchemaChecker, "check">,
  operation: Operation | undefined,
  response: WireResponse,
): Violation[] {
  if (!operation) return [...checkMediaType(response), ...schemas.check(ERROR_SCHEMA, response.body, "body")];
  const key = String(response.status);
  const place = operation.object.responses[key];
  if (!place) return [{ location: "status", message: `${key} is not declared for ${operation.id}` }];
  const declaration = resolve<ResponseObject>(document, place);
  const base: Pointer = ["paths", operation.path, operation.method, "responses", key];
  const pointer = "$ref" in place ? toPointer(place.$ref) : base;
  const headers = checkHeaders(document, schemas, { ...declaration, pointer }, response.headers);
  if (response.body === undefined) return headers; // HEAD
  const schema = [...pointer, "content", "application/json", "schema"];
  const body = valueAt(document, schema) === undefined ? [] : schemas.check(schema, response.body, "body");
  return [
    ...headers,
    ...checkMediaType(response, Object.keys(declaration.content ?? { "application/json": {} })),
    ...body,
  ];
}

function checkMediaType({ headers }: WireResponse, mediaTypes = ["application/json"]): Violation[] {
  const [mediaType = ""] = String(headers["content-type"] ?? "none").split(";");
  if (mediaTypes.includes(mediaType.trim().toLowerCase())) return [];
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
    .map((name) => ({ location: `header.${name}`, message: "is not declared for this status" }));
  const invalid = [...declarations].flatMap(([lowerCased, { name, header }]) => {
    const { required, schema } = resolve<HeaderObject>(document, header);
    const value = headers[lowerCased];
    const location = `header.${lowerCased}`;
    if (value === undefined) return required ? [{ location, message: "is missing" }] : [];
    const typedValue = schema.type === "integer" && /^\d+$/.test(String(value)) ? Number(value) : String(value);
    const pointer = "$ref" in header ? toPointer(header.$ref) : [...response.pointer, "headers", name];
    return schemas.check([...pointer, "schema"], typedValue, location);
  });
  return [...undeclaredViolations, ...invalid];
}
