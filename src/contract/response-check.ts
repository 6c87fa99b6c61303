// Checks a response (status, headers, media type, body) against what the contract declares for an operation.
import { covers, essenceOf, findMedia, hasJson, preferred } from "./media-type.js";
import type { ContractModel, DeclaredResponse, Header, MediaType, Operation, WireResponse } from "./model.js";
import { findResponse } from "./operation.js";
import { readHeader } from "./parameter-reader.js";
import type { Schema } from "./schema.js";
import { createViolation, type Violation } from "./violation.js";

/** Marks a response that no implementation has made. It is our one header that a contract need not declare. */
export const MOCKED_HEADER = "X-Mocked";

/** Headers of HTTP, the connection, CORS and the protection of browsers. The contract declares every other header. */
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
 * Lists the violations of a response. Without an operation, because the contract does not have the path, the response
 * has to be an error in the contract's form.
 */
export function checkResponse(
  { errorBody, errorTypes, operations }: Pick<ContractModel, "errorBody" | "errorTypes" | "operations">,
  operation: Operation | undefined,
  response: WireResponse,
): Violation[] {
  const { status, body } = response;
  const declared = operation && findResponse(operation, status);
  const isOfPath = status === 405 && !declared; // no operation of the path has the method
  const sent = mediaTypeOf(response);
  if (!operation || isOfPath) {
    if (sent === NO_MEDIA_TYPE && mayBeBare(operations, status)) return [];
    return [
      ...checkMediaType(response, errorTypes.length > 0 ? errorTypes : ["application/json"]),
      ...(body === undefined ? [] : checkBody(errorBody, response)), // HEAD
    ];
  }
  if (!declared) return [createViolation("status", ["status"], { status, operation: operation.id })];
  const headers = checkHeaders(declared, response);
  if (body === undefined) return headers; // HEAD
  const { content } = declared;
  if (content.length === 0 && sent === NO_MEDIA_TYPE) return headers; // a 204
  const types = content.length === 0 ? ["application/json"] : content.map(({ type }) => type);
  const media = mediaOf(declared, response);
  const schema = media && isReadable(media, sent) ? media.schema : undefined;
  return [...headers, ...checkMediaType(response, types), ...checkBody(schema, response)];
}

/** The declared form of a body: that of its media type, else the usual one. */
export function mediaOf({ content }: DeclaredResponse, response: Pick<WireResponse, "headers">): MediaType | undefined {
  return findMedia(content, mediaTypeOf(response)) ?? preferred(content);
}

/** True if some operation declares a status without a body. */
export function mayBeBare(operations: readonly Operation[], status: number): boolean {
  return operations.some((operation) => findResponse(operation, status)?.content.length === 0);
}

/** False for a schema that is not about the text of a body, but about what the text stands for: XML, for example. */
export function isReadable({ type, schema }: MediaType, sent = type): boolean {
  return hasJson(sent) || schema === undefined || schema.types.includes("string");
}

function checkBody(schema: Schema | undefined, { body, isKnownBody }: WireResponse): Violation[] {
  return (isKnownBody ? undefined : schema)?.check(body, ["body"], "response") ?? [];
}

const NO_MEDIA_TYPE = "none";

function mediaTypeOf({ headers }: Pick<WireResponse, "headers">): string {
  return essenceOf(String(headers["content-type"] ?? NO_MEDIA_TYPE));
}

function checkMediaType(response: WireResponse, declared: readonly string[]): Violation[] {
  const sent = mediaTypeOf(response);
  if (declared.some((range) => covers(range, sent))) return [];
  return [createViolation("mediaType", ["header", "content-type"], { declared, sent })];
}

function checkHeaders({ headers: declared }: DeclaredResponse, { status, headers }: WireResponse): Violation[] {
  const names = new Set(declared.map(({ name }) => name.toLowerCase()));
  const undeclared = Object.keys(headers).filter(
    (name) => headers[name] !== undefined && !names.has(name) && !isStandard(name, status),
  );
  return [
    ...undeclared.map((name) => createViolation("undeclaredHeader", ["header", name])),
    ...declared.flatMap((header) => checkHeader(header, headers[header.name.toLowerCase()])),
  ];
}

/** A 405 says which methods there are (RFC 9110 §15.5.6). */
export function isStandard(name: string, status: number): boolean {
  return STANDARD_HEADERS.has(name) || (status === 405 && name === "allow");
}

function checkHeader(header: Header, value: unknown): Violation[] {
  const path = ["header", header.name.toLowerCase()];
  if (value === undefined) return header.isRequired ? [createViolation("required", path)] : [];
  const { schema } = header;
  return schema ? schema.check(readHeader({ ...header, schema }, String(value)), path) : [];
}
