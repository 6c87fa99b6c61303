// Laws that hold for every response, beyond what a schema can express. Shared by `verify` and the
// proxy, which judge a response as its reader does, decoded.

import { promisify } from "node:util";
import { brotliDecompress, unzip } from "node:zlib";
import type { Contract } from "../../contract/contract.js";
import { isObject } from "../../contract/json.js";
import { mapDefined } from "../../contract/lists.js";
import { memoize } from "../../contract/memoize.js";
import type { DeclaredResponse, Operation } from "../../contract/model.js";
import { findResponse, mainMedia } from "../../contract/operation.js";
import { mayBeBare } from "../../contract/response-check.js";
import { type KeyPlace, readKey } from "../../contract/security.js";
import { queryOf } from "../../contract/target.js";
import type { Violation } from "../../contract/violation.js";
import { knownNameOf } from "./operations.js";
import type { CitedDifference } from "./preferences.js";

/** A response, and the parts of its request that the laws read. */
interface JudgedResponse {
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
interface BrokenLaw extends CitedDifference {
  needs?: Need | undefined;
}

type Row = [cite: string, isKept: unknown, what: string, expected: unknown, actual: unknown, needs?: Need];

const JSON_TYPE = "application/json";
const LEAST_KEY_LENGTH = 8; // shorter texts occur in responses by chance

/** @param operation undefined for a path outside the contract. */
export function findBrokenLaws(
  response: JudgedResponse,
  contract: Contract,
  operation: Operation | undefined,
): BrokenLaw[] {
  const { status, headers, body, request } = response;
  const error = status >= 400 && isObject(body) ? body : undefined;
  const key = findRepeatedKey(response, keyPlacesOf(contract));
  const id = headers["x-request-id"];
  const type = String(headers["content-type"] ?? "");
  const isBare = type === "" && status >= 400 && body === undefined; // an error by HEAD (RFC 9110 §9.3.2)
  const isJson = isBare || /^application\/json *(; *charset=(utf-8|"utf-8"))?$/i.test(type);
  const remaining = headers["ratelimit-remaining"];
  const isLimited = remaining === undefined || headers["ratelimit-limit"] !== undefined;
  const isPath = !error || request.headers.prefer || isPathOf(String(error.path), response);
  const isCited = !error || namesCitation(error.ctx, contract);
  const laws: Row[] = [
    ["D-45", !key, String(key), "nothing of the key", "the key that was sent"],
    ["D-66", id, "header.x-request-id", "the request's id", id, "exact-headers"],
    ["D-68", isJson, "header.content-type", "application/json, in UTF-8", type],
    ["D-54", isLimited, "header.ratelimit-remaining", undefined, remaining],
    ["D-48", isPath, "body.path", request.target, error?.path],
    ["D-48", isCited, "body.ctx", "a clause or decision of the contract", error?.ctx, "cited-errors"],
  ];
  return mapDefined(laws, ([cite, isKept, what, expected, actual, needs]) =>
    isKept || !isDeclared(contract, operation, status, { cite, what })
      ? undefined
      : { cite, what, expected, actual, needs },
  );
}

/**
 * True if the contract lets a response keep a law: it declares the request id, JSON, or the error's path and citation.
 * An operation that the decisions do not cover is held to the law of keys alone.
 */
function isDeclared(
  contract: Contract,
  operation: Operation | undefined,
  status: number,
  { cite, what }: Pick<BrokenLaw, "cite" | "what">,
): boolean {
  if (cite === "D-45") return true;
  if (!operation && cite === "D-48") return contract.errorBody?.members.has(what.replace("body.", "")) === true;
  if (!operation && cite === "D-66") return hasIdEverywhere(contract);
  if (!operation && cite === "D-68")
    return (contract.errorTypes[0] ?? JSON_TYPE) === JSON_TYPE && !mayBeBare(contract.operations, status);
  if (!operation) return true;
  if (!knownNameOf(operation)) return false;
  const declared = findResponse(operation, status);
  if (cite === "D-66") return declared ? hasId(declared) : hasIdEverywhere(contract);
  if (!declared) return true;
  const media = mainMedia(declared);
  if (cite === "D-68") return media !== undefined && declared.content.every(({ type }) => type === JSON_TYPE);
  return cite !== "D-48" || media?.schema?.members.has(what.replace("body.", "")) === true;
}

const hasId = ({ headers }: DeclaredResponse) => headers.some(({ name }) => /^x-request-id$/i.test(name));
/** True if every response of the contract has an id. */
export const hasIdEverywhere = memoize(({ operations }: Contract) =>
  operations.every(({ responses }) => responses.every(hasId)),
);

/** Every place where some operation has a key. */
const keyPlacesOf = memoize(({ operations }: Contract) => operations.flatMap(({ security }) => security.flat()));

/** Finds the place where a response repeats a key of its request. The path of an error may (D-48). */
function findRepeatedKey(response: JudgedResponse, places: readonly KeyPlace[]): string | undefined {
  const { headers, body, text, request, apiKey } = response;
  const sent = { headers: request.headers, query: queryOf(request.target) };
  const elsewhere = places.map((place) => readKey(place, sent));
  const secrets = [request.headers.authorization, ...elsewhere, apiKey].flatMap((text) =>
    String(text ?? "").split(/\s+/),
  );
  const keys = [...new Set(secrets)].filter((secret) => secret.length >= LEAST_KEY_LENGTH);
  // An error may have its path in any member.
  const paths = [request.target, request.target.slice(response.prefix.length)].filter(Boolean);
  const hasKey = (text: string) => keys.some((key) => text.includes(key));
  const isRepeatedIn = (value: unknown) => {
    const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
    return hasKey(text) && hasKey(paths.reduce((rest, path) => rest.replaceAll(path, ""), text));
  };
  const members = Object.entries(isObject(body) ? body : {}).filter(([name]) => name !== "path");
  const isHere = text === undefined || /\\[/u]/.test(text) || hasKey(text); // escapes may hide it
  const parts = [
    ...(isHere ? members : []).map(([name, value]) => [`body.${name}`, value] as const),
    ...Object.entries(headers).map(([name, value]) => [`header.${name}`, value] as const),
  ];
  return parts.find(([, value]) => isRepeatedIn(value))?.[0];
}

/** Frameworks show a path as it was sent, decoded, or encoded anew. */
function isPathOf(path: string, { prefix, request: { target } }: JudgedResponse): boolean {
  // The server has redacted a key.
  const comparedPartOf = (text: string) => (path.includes("…") ? text.replace(/\?.*/, "") : text).replaceAll("+", " ");
  const shown = comparedPartOf(path);
  const inner = target.slice(prefix.length);
  return [target, inner, inner.replace(/^\/\//, "/")].some((form) => {
    const decoded = comparedPartOf(decodeEscapes(form));
    return shown === comparedPartOf(form) || shown === decoded || decodeEscapes(shown) === decoded;
  });
}

const decodeEscapes = (text: string) =>
  text.replaceAll(/(%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll("%", ""), "hex").toString());

function namesCitation(ctx: unknown, { document }: Contract): boolean {
  const { clause, decision } = (isObject(ctx) ? ctx : {}) as Record<string, string>;
  return decision ? decision in document["x-decisions"] : clause?.startsWith("§") === true;
}

/** True for a header that the contract does not declare, as frameworks and CDNs add them. Those of idempotency are all declared. */
export const isFurtherHeader = ({ location, code }: Violation): boolean =>
  code === "undeclaredHeader" && !location.startsWith("header.idempotency-");

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: Readonly<Record<string, Decode>> = {
  identity: async (bytes) => bytes,
  gzip: promisify(unzip),
  "x-gzip": promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
};

/** undefined for a coding that is not supported. */
export function findDecoder(contentEncoding = ""): Decode | undefined {
  return DECODERS[contentEncoding.trim().toLowerCase() || "identity"];
}
