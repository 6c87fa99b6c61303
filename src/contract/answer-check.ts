// Checks a whole answer (status, headers, media type, body) against what the contract promises of an operation.

import type { Pointer } from "./contract-file.js";
import { type HeaderObject, type OpenApiDocument, type ResponseObject, resolve } from "./openapi-document.js";
import type { Operation } from "./operations.js";
import type { Problem, SchemaChecker } from "./schema-checker.js";

/** An answer as it is on the wire, its body already parsed. */
export interface WireAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** undefined when the answer has no body. */
  body: unknown;
}

// Headers that HTTP itself, the connection or CORS bring; every other one has to be in the contract.
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
 * What is wrong with an answer. Without an operation (the path is none of the contract's) it has to be an error of the
 * contract's shape.
 */
export function checkAnswer(
  document: OpenApiDocument,
  schemas: SchemaChecker,
  operation: Operation | undefined,
  answer: WireAnswer,
): Problem[] {
  if (!operation) return [...checkMediaType(answer), ...schemas.check(ERROR_SCHEMA, answer.body, "body")];
  const key = String(answer.status);
  const place = operation.object.responses[key];
  if (!place) return [{ location: "status", message: `${key} is not declared for ${operation.id}` }];
  const response = resolve<ResponseObject>(document, place);
  const base: Pointer = ["paths", operation.path, operation.method, "responses", key];
  const pointer =
    "$ref" in place ? ["components", "responses", place.$ref.slice(place.$ref.lastIndexOf("/") + 1)] : base;
  const headers = checkHeaders(document, schemas, response, answer.headers);
  if (answer.body === undefined) return headers; // HEAD
  const body = schemas.check([...pointer, "content", "application/json", "schema"], answer.body, "body");
  return [...headers, ...checkMediaType(answer), ...body];
}

function checkMediaType({ headers }: WireAnswer): Problem[] {
  const [mediaType] = String(headers["content-type"] ?? "none").split(";");
  if (mediaType?.trim().toLowerCase() === "application/json") return [];
  return [{ location: "header.content-type", message: `must be application/json, is ${mediaType}` }];
}

function checkHeaders(
  document: OpenApiDocument,
  schemas: SchemaChecker,
  response: ResponseObject,
  headers: WireAnswer["headers"],
): Problem[] {
  const declared = new Map(
    Object.entries(response.headers ?? {}).map(([name, header]) => [name.toLowerCase(), { name, header }]),
  );
  const undeclared = Object.keys(headers)
    .filter((name) => headers[name] !== undefined && !declared.has(name) && !STANDARD_HEADERS.has(name))
    .map((name) => ({ location: `header.${name}`, message: "is not declared for this status" }));
  const broken = [...declared].flatMap(([lowerCased, { name, header }]) => {
    const { required, schema } = resolve<HeaderObject>(document, header);
    const value = headers[lowerCased];
    const location = `header.${lowerCased}`;
    if (value === undefined) return required ? [{ location, message: "is missing" }] : [];
    const typed = schema.type === "integer" && /^\d+$/.test(String(value)) ? Number(value) : String(value);
    return schemas.check(["components", "headers", name, "schema"], typed, location);
  });
  return [...undeclared, ...broken];
}
