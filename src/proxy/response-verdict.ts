// The contract's verdict on a forwarded response: its status, headers, media type and body, each violation with its clause
// or decision.
import type { Contract } from "../contract/contract.js";
import type { WireResponse } from "../contract/response-check.js";
import { citeResponse } from "../contract/response-citation.js";
import type { Violation } from "../contract/schema-checker.js";
import { decodeBody } from "./decode-body.js";
import type { ForwardedResponse } from "./forward.js";
import { type CitedViolation, mergeByLocation } from "./report-entry.js";
import type { RequestVerdict } from "./request-verdict.js";

export interface ResponseVerdict {
  violations: CitedViolation[];
  /** Why the body, or a part of it, was not checked. */
  unchecked?: string | undefined;
  /** The body, parsed; undefined unless its shape is the contract's. */
  value?: unknown;
}

interface JudgedRequest {
  method: string;
  verdict: RequestVerdict;
}

export type ResponseCheck = (request: JudgedRequest, response: ForwardedResponse) => Promise<ResponseVerdict>;

// Headers of the transport, beside those that the contract's check ignores: how a body is encoded, framed and relayed.
const TRANSPORT_HEADERS = ["content-encoding", "trailer", "via", "proxy-connection", "te", "upgrade"];

export interface ResponseCheckOptions {
  bodyLimitBytes: number;
  /** Names of headers outside the contract that are not reported, such as a CDN's. */
  allowedHeaders: readonly string[];
}

export function createResponseCheck(contract: Contract, options: ResponseCheckOptions): ResponseCheck {
  const ignored = new Set([...TRANSPORT_HEADERS, ...options.allowedHeaders.map((name) => name.toLowerCase())]);
  for (const name of Object.keys(contract.document.components.headers ?? {})) ignored.delete(name.toLowerCase());
  const knownNames = findNames(contract.document);
  return async function checkResponse({ method, verdict }, response) {
    const { operation, violations, rejection } = verdict;
    const { status } = response;
    if (verdict.isPreflight) return { violations: [] };
    if (status < 400 && !operation) return { violations: [] }; // another page of the upstream, outside the contract
    const accepted = status < 300 && rejection !== undefined ? [toAccepted(status, rejection, violations)] : [];
    if (accepted.length > 0 && rejection === 405) return { violations: accepted }; // its body is outside the contract

    const check = (body: unknown) => {
      const headers = Object.entries(response.headers).filter(([name]) => !ignored.has(name));
      const checked: WireResponse = { status, headers: Object.fromEntries(headers), body };
      const trailers = response.trailerNames.map((name) => ({
        location: `trailer.${name}`,
        message: "is not declared",
      }));
      return [...(operation || body !== undefined ? contract.checkResponse(operation, checked) : []), ...trailers];
    };
    const checked = await checkMessage(check, method, response, { ...options, knownNames });
    const cited = checked.violations.map((violation) => ({
      ...violation,
      ...citeResponse(contract.document, operation, status, violation.location),
    }));
    const value = checked.violations.some(({ location }) => location.startsWith("body")) ? undefined : checked.value;
    return { violations: shorten(mergeByLocation([...accepted, ...cited])), unchecked: checked.unchecked, value };
  };
}

/** The contract rejects such a request, so an upstream that accepts it violates the contract (D-28, D-47, D-49). */
function toAccepted(status: number, rejection: number, violations: readonly CitedViolation[]): CitedViolation {
  const places = violations.map(({ location }) => location).join(", ");
  const message = `${status} for a request that the contract rejects with ${rejection}: ${places}`;
  return { ...violations[0], location: "status", message }; // with the citation of the first
}

/** @param check checks status and headers, and the body unless it is undefined. */
async function checkMessage(
  check: (body: unknown) => Violation[],
  method: string,
  { status, headers, body, error }: ForwardedResponse,
  { bodyLimitBytes, knownNames }: { bodyLimitBytes: number; knownNames: ReadonlySet<string> },
): Promise<{ violations: Violation[]; unchecked?: string; value?: unknown }> {
  const head = check(undefined);
  const inBody = (message: string) => ({ violations: [...head, { location: "body", message }] });
  const isUndeclared = head.some(({ location }) => location === "status");
  if (isUndeclared || method === "HEAD" || status === 204 || status === 304) return { violations: head };
  if (error) return inBody(`ended early: ${error.message}`);

  const bytes = body.bytes();
  if (bytes.length === 0) return inBody("is missing");
  const mediaType = headers["content-type"]?.join(",").split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    const message = `must be application/json, is ${mediaType ?? "missing"}`;
    return { violations: [...head, { location: "header.content-type", message }] };
  }
  if (body.isTruncated()) return { violations: head, unchecked: `the body is larger than ${bodyLimitBytes} bytes` };
  const decoded = await decodeBody(bytes, (headers["content-encoding"] ?? []).join(","), bodyLimitBytes);
  if ("unchecked" in decoded) return { violations: head, unchecked: decoded.unchecked };
  if ("invalid" in decoded) return inBody(decoded.invalid);
  const parts = [
    ...(truncateLists(decoded.value, LIST_DEPTH) ? [`the items of a list after the first ${LIST_LENGTH}`] : []),
    ...(removeUnknown(decoded.value, knownNames) ? [`unknown members after the first ${MAX_UNKNOWN}`] : []),
  ];
  const violations = check(decoded.value);
  return parts.length > 0 ? { violations, unchecked: parts.join(" and ") } : { violations, value: decoded.value };
}

const MAX_ENTRIES = 100;

function shorten(violations: CitedViolation[]): CitedViolation[] {
  if (violations.length <= MAX_ENTRIES) return violations;
  const message = `has ${violations.length - MAX_ENTRIES} more violations, which are not listed`;
  return [...violations.slice(0, MAX_ENTRIES), { location: "body", message }];
}

// Ajv's time grows with the square of the number of errors behind a $ref: a list of 50,000 invalid items would block the
// process, forwarding included, for seconds.
const LIST_LENGTH = 500;
const LIST_DEPTH = 4;

const MAX_UNKNOWN = 10_000; // members; a page with large payloads has fewer
const OBJECT_DEPTH = 12;

/** Removes members that the contract does not know, in place, once there were many. Returns whether it has removed one. */
function removeUnknown(
  value: unknown,
  known: ReadonlySet<string>,
  count = { unknown: 0 },
  depth = OBJECT_DEPTH,
): boolean {
  if (typeof value !== "object" || value === null || depth === 0) return false;
  const record = value as Record<string, unknown>;
  if (!Array.isArray(value)) {
    for (const name of Object.keys(record)) {
      if (known.has(name)) continue;
      count.unknown += 1;
      if (count.unknown > MAX_UNKNOWN) delete record[name];
    }
  }
  for (const child of Object.values(record)) removeUnknown(child, known, count, depth - 1);
  return count.unknown > MAX_UNKNOWN;
}

/** The names of all members that schemas of the contract declare. */
function findNames(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return names;
  for (const [key, child] of Object.entries(value)) {
    if (key === "properties" && typeof child === "object" && child !== null) {
      for (const name of Object.keys(child)) names.add(name);
    }
    findNames(child, names);
  }
  return names;
}

/** Truncates long lists in place, and returns whether there was one. */
function truncateLists(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth === 0) return false;
  const isLong = Array.isArray(value) && value.length > LIST_LENGTH;
  if (isLong) value.length = LIST_LENGTH;
  return Object.values(value).reduce<boolean>((any, child) => truncateLists(child, depth - 1) || any, isLong);
}
