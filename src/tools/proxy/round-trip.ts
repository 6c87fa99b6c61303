// A request and its response, as far as the proxy knows them. Each step adds what it learns.
import type { IncomingHttpHeaders } from "node:http";
import type { CitedViolation } from "../../contract/citation.js";
import type { Operation } from "../../contract/model.js";
import type { HttpResponse } from "../../core/request/exchange.js";

export interface RoundTrip {
  /** Counts the requests from 1. */
  number: number;
  /** When the request began, in milliseconds since 1970. */
  startedAt: number;
  method: string;
  /** Path and query. */
  target: string;
  headers: IncomingHttpHeaders;
  /** The bodies as they were sent, as far as they are known. */
  sent?: Buffer | undefined;
  received?: Buffer;
  /** The request's body as JSON; undefined if it is not JSON. */
  requestBody?: unknown;
  /** Undefined for a path outside the contract. */
  operation?: Operation | undefined;
  /** The request's violations of the contract. */
  violations: readonly CitedViolation[];
  /** The status with which the contract rejects the request (D-47). */
  rejection?: number | undefined;
  /** The response that the server would reject it with. */
  rejected?: HttpResponse | undefined;
  /** Requests with the same method and target that are in progress at the same time. */
  overlapping: RoundTrip[];

  /** The response's status. All members below describe the response. */
  status?: number;
  responseHeaders: ResponseHeaders;
  /** The body as JSON; undefined unless its shape is the contract's. */
  responseBody?: unknown;
}

/** Names in lower case, each with all its values. */
export type ResponseHeaders = Readonly<Record<string, readonly string[] | undefined>>;

export interface ProxyViolation extends CitedViolation {
  /** The cause in words, where place and message are none. */
  title?: string;
}

export function createViolation(location: string, message: string, decision: string): ProxyViolation {
  return { location, message, decision };
}
