// The contract's verdict on a response: its status, headers, media type and body, each violation with its clause or decision.
import { type CitedViolation, citeResponse } from "../../contract/citation.js";
import type { Contract } from "../../contract/contract.js";
import { findResponse } from "../../contract/operations.js";
import type { Violation } from "../../contract/violation.js";
import type { Exchange } from "./exchange.js";
import type { ForwardedResponse } from "./forward.js";
import { readResponseBody } from "./read-response-body.js";

export interface ResponseVerdict {
  violations: CitedViolation[];
  /** Why the body, or a part of it, was not checked. */
  unchecked?: string | undefined;
  /** The body as JSON; undefined unless its shape is the contract's. */
  responseBody?: unknown;
}

export interface CheckResponseOptions {
  bodyLimitBytes: number;
  /** Names of headers outside the contract that are not reported, such as a CDN's. */
  allowedHeaders: readonly string[];
}

// Headers of the transport, beside those that the contract's check ignores: how a body is encoded, framed and relayed.
const TRANSPORT_HEADERS = ["content-encoding", "trailer", "via", "proxy-connection", "te", "upgrade"];

const MAX_VIOLATIONS = 100;
// Ajv's time grows with the square of the number of errors behind a $ref: a list of 50,000 invalid items would block the
// process, forwarding included, for seconds. A page with large payloads has fewer entries.
const MAX_ENTRIES = 10_000;
const MAX_LIST_ITEMS = 1000;
const MAX_DEPTH = 12;

export function createCheckResponse(contract: Contract, options: CheckResponseOptions) {
  const ignored = new Set([...TRANSPORT_HEADERS, ...options.allowedHeaders.map((name) => name.toLowerCase())]);
  for (const name of Object.keys(contract.document.components.headers)) ignored.delete(name.toLowerCase());
  const contractNames = new Set(JSON.stringify(contract.document).match(/(?<=")[^"]+(?=":)/g));

  return async function checkResponse(exchange: Exchange, response: ForwardedResponse): Promise<ResponseVerdict> {
    const { operation, rejection } = exchange;
    const isOutside = !operation || rejection === 405;
    if (isOutside && response.status < 400) return { violations: [] }; // another page of the upstream
    const { violations, unchecked, value } = await checkShape(exchange, response);
    const isShaped = unchecked === undefined && !violations.some(({ location }) => location.startsWith("body"));
    return {
      violations: cite(violations, exchange, response.status),
      unchecked,
      responseBody: isShaped ? value : undefined,
    };
  };

  async function checkShape(
    { method, operation }: Exchange,
    response: ForwardedResponse,
  ): Promise<{ violations: Violation[]; unchecked?: string; value?: unknown }> {
    const { status } = response;
    const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !ignored.has(name)));
    const check = (body?: unknown) =>
      operation || body !== undefined ? contract.checkResponse(operation, { status, headers, body }) : [];
    const head = check();
    const isUndeclared = head.some(({ location }) => location === "status");
    if (isUndeclared || method === "HEAD" || status === 204 || status === 304) return { violations: head };
    const declared = operation && findResponse(contract.document, operation, status)?.object;
    const mediaTypes = declared ? Object.keys(declared.content ?? {}) : ["application/json"];
    const body = await readResponseBody(response, mediaTypes, options.bodyLimitBytes);
    if ("violation" in body) return { violations: [...head, body.violation] };
    if ("unchecked" in body) return { violations: head, unchecked: body.unchecked };
    const isTruncated = truncate(body.value);
    const unchecked = `items of a list after the first ${MAX_LIST_ITEMS}, or entries after the first ${MAX_ENTRIES}`;
    return { violations: check(body.value), value: body.value, ...(isTruncated ? { unchecked } : {}) };
  }

  /** Truncates long lists, and removes members that the contract does not know once there were many, in place. */
  function truncate(value: unknown, depth = MAX_DEPTH, room = { entries: MAX_ENTRIES }): boolean {
    if (typeof value !== "object" || value === null || depth === 0) return false;
    const isList = Array.isArray(value);
    const names = Object.keys(value).filter((name) => isList || !contractNames.has(name));
    const count = Math.min(names.length, room.entries, isList ? MAX_LIST_ITEMS : MAX_ENTRIES);
    room.entries -= count;
    if (isList) value.length = count;
    else for (const name of names.slice(count)) delete (value as Record<string, unknown>)[name];
    const isTruncated = names.length > count;
    return Object.values(value).reduce<boolean>((any, child) => truncate(child, depth - 1, room) || any, isTruncated);
  }

  function cite(violations: readonly Violation[], { operation }: Exchange, status: number): CitedViolation[] {
    const more = violations.length - MAX_VIOLATIONS;
    return [
      ...violations.slice(0, MAX_VIOLATIONS).map(({ keyword, ...violation }) => ({
        ...violation,
        ...citeResponse(contract.document, operation, status, {
          ...violation,
          ...(keyword !== undefined && { keyword }),
        }),
      })),
      ...(more > 0 ? [{ location: "body", message: `has ${more} more violations, which are not listed` }] : []),
    ];
  }
}
