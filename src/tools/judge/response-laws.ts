// Laws that hold for every response, beyond what a schema can express. Shared by `verify` and the proxy.
import type { Contract } from "../../contract/contract.js";
import type { OpenApiDocument } from "../../contract/openapi-document.js";
import { findResponse, keyPlacesOf, mainContent, type Operation } from "../../contract/operations.js";
import { flatten } from "../../contract/schema-flatten.js";
import { knownNameOf } from "./operations.js";
import type { CitedDifference } from "./preferences.js";

/** A response, and the parts of its request that the laws read. */
export interface JudgedResponse {
  status: number;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed; undefined for HEAD. */
  body: unknown;
  /** The body as received, if available: searching it is ten times as fast. */
  text?: string;
  request: { target: string; headers: Readonly<Record<string, string | string[] | undefined>> };
  /** The path of the base URL, which `target` begins with and a gateway may have removed. */
  prefix: string;
  /** The key of the target. */
  apiKey?: string;
}

/** The law applies only to a server with this capability. */
type Need = "exact-headers" | "cited-errors";

/** A law that a response breaks. */
export interface BrokenLaw extends CitedDifference {
  needs?: Need | undefined;
}

type Row = [cite: string, isKept: unknown, what: string, expected: unknown, actual: unknown, needs?: Need];

const LEAST_KEY_LENGTH = 8; // shorter texts occur in responses by chance

/** @param operation undefined for a path outside the contract. */
export function findBrokenLaws(
  response: JudgedResponse,
  { document }: Contract,
  operation: Operation | undefined,
): BrokenLaw[] {
  const { status, headers, body, request } = response;
  const error = status >= 400 && isRecord(body) ? body : undefined;
  const key = findRepeatedKey(response, document);
  const id = headers["x-request-id"];
  const type = String(headers["content-type"] ?? "");
  const isJson = /^application\/json *(; *charset=(utf-8|"utf-8"))?$/i.test(type);
  const remaining = headers["ratelimit-remaining"];
  const isLimited = remaining === undefined || headers["ratelimit-limit"] !== undefined;
  const isPath = !error || request.headers.prefer || isPathOf(String(error.path), response);
  const isCited = !error || namesCitation(error.ctx, document);
  const laws: Row[] = [
    ["D-45", !key, String(key), "nothing of the key", "the key that was sent"],
    ["D-66", id, "header.x-request-id", "the request's id", id, "exact-headers"],
    ["D-68", isJson, "header.content-type", "application/json, in UTF-8", type],
    ["D-54", isLimited, "header.ratelimit-remaining", undefined, remaining],
    ["D-48", isPath, "body.path", request.target, error?.path],
    ["D-48", isCited, "body.ctx", "a clause or decision of the contract", error?.ctx, "cited-errors"],
  ];
  return laws.flatMap(([cite, isKept, what, expected, actual, needs]) =>
    isKept || !isDeclared(document, operation, status, { cite, what }) ? [] : [{ cite, what, expected, actual, needs }],
  );
}

/**
 * True if the contract lets a response keep a law: it declares the request id, JSON, or the error's path and citation. An operation
 * that the decisions do not cover is held to the law of keys alone.
 */
function isDeclared(
  document: OpenApiDocument,
  operation: Operation | undefined,
  status: number,
  { cite, what }: Pick<BrokenLaw, "cite" | "what">,
): boolean {
  if (cite === "D-45" || !operation) return true;
  if (!knownNameOf(operation)) return false;
  const declared = findResponse(document, operation, status)?.object;
  if (!declared) return true;
  if (cite === "D-66") return Object.keys(declared.headers ?? {}).some((name) => /^x-request-id$/i.test(name));
  const [mediaType, media] = mainContent(declared.content) ?? [];
  if (cite === "D-68") return mediaType === undefined || mediaType === "application/json";
  return cite !== "D-48" || flatten(document, media?.schema).properties?.[what.replace("body.", "")] !== undefined;
}

/** Finds the place where a response repeats a key of its request. The path of an error may (D-48). */
function findRepeatedKey(
  { headers, body, text, request, apiKey }: JudgedResponse,
  document: OpenApiDocument,
): string | undefined {
  const query = new URLSearchParams(request.target.replace(/^[^?]*/, ""));
  const elsewhere = keyPlacesOf(document).map(({ in: where, name }) =>
    where === "query" ? query.get(name) : request.headers[name.toLowerCase()],
  );
  const secrets = [request.headers.authorization, ...elsewhere, apiKey].flatMap((text) =>
    String(text ?? "").split(/\s+/),
  );
  const keys = secrets.filter((secret) => secret.length >= LEAST_KEY_LENGTH);
  const { path: _repeated, ...members } = isRecord(body) ? body : { path: body };
  const isHere = text === undefined || /\\[/u]/.test(text) || keys.some((key) => text.includes(key)); // escapes may hide it
  const places = [
    ...Object.entries(isHere ? members : {}).map(([name, value]) => [`body.${name}`, value] as const),
    ...Object.entries(headers).map(([name, value]) => [`header.${name}`, value] as const),
  ];
  return places.find(([, value]) => keys.some((key) => JSON.stringify(value ?? "").includes(key)))?.[0];
}

function isPathOf(path: string, { prefix, request: { target } }: JudgedResponse): boolean {
  const toCompared = (text: string) => (path.includes("…") ? text.replace(/\?.*/, "") : text); // the server has redacted a key
  const own = target.slice(prefix.length);
  return [target, own, own.replace(/^\/\//, "/")].some((form) => toCompared(form) === toCompared(path));
}

function namesCitation(ctx: unknown, document: OpenApiDocument): boolean {
  const { clause, decision } = (isRecord(ctx) ? ctx : {}) as Record<string, string>;
  return decision ? decision in document["x-decisions"] : clause?.startsWith("§") === true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
