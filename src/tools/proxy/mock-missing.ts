// Responses of the proxy in the place of an upstream that lacks an operation: what `serve` would send without an implementation,
// with `X-Mocked: missing-upstream`. A page of another origin may read them: the upstream, which says so otherwise, gets no request.
import type { IncomingMessage } from "node:http";
import type { Contract } from "../../contract/contract.js";
import { isJson, type Operation } from "../../contract/operations.js";
import { MOCKED_HEADER } from "../../contract/response-check.js";
import type { HttpResponse } from "../../core/operations/errors.js";
import { toMockResponse } from "../../server/proposals/mock-response.js";
import type { Client } from "./forward.js";
import type { RoundTrip } from "./round-trip.js";

/** Sends the response: an invalid request is rejected. */
export function mockMissing(
  contract: Contract,
  operation: Operation,
  { method, target, requestBody, rejected }: RoundTrip,
  { request, response }: Client,
): HttpResponse {
  const mocked = rejected ?? toMockResponse(contract, operation, { method, target, body: requestBody });
  const { status, headers, body, mediaType = "application/json; charset=utf-8" } = mocked;
  const text = body === undefined ? "" : isJson(mediaType) ? JSON.stringify(body) : String(body);
  response.writeHead(status, {
    ...headers,
    ...(body === undefined ? {} : { "Content-Type": mediaType, "Content-Length": Buffer.byteLength(text) }),
    ...toCors(request, { "Access-Control-Expose-Headers": [MOCKED_HEADER, ...Object.keys(headers)].join() }),
    [MOCKED_HEADER]: "missing-upstream",
  });
  response.end(text);
  return mocked;
}

/** Responds to the preflight request of an operation that the upstream lacks. */
export function sendPreflight({ request, response }: Client): void {
  const { "access-control-request-method": method = "", "access-control-request-headers": names = "" } =
    request.headers;
  const allowed = { "Access-Control-Allow-Methods": method, "Access-Control-Allow-Headers": names };
  response.writeHead(204, toCors(request, allowed)).end();
}

function toCors({ headers: { origin } }: IncomingMessage, more: Record<string, string>): Record<string, string> {
  return origin === undefined ? {} : { "Access-Control-Allow-Origin": origin, Vary: "Origin", ...more };
}
