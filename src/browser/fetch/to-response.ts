// Converts a response of the API to a WHATWG Response, with the same CORS headers as the server (server/app.ts).

import { allowedMethods } from "../../contract/find-operation.js";
import { headerNamesOf } from "../../contract/operation-responses.js";
import { bodyTextOf } from "../../core/domain/notifications.js";
import { type HttpResponse, protectionOf } from "../../core/operations/exchange.js";
import { contract } from "./built-contract.js";

const encoder = new TextEncoder();

/** @param headers set by earlier steps. */
export function createResponse(
  { status, headers: own, body }: HttpResponse,
  headers: Record<string, string>,
  method: string,
): Response {
  const payload = encoder.encode(bodyTextOf(body));
  const allHeaders = new Headers({ ...headers, ...own, ...protectionOf() });
  allHeaders.set("Content-Type", "application/json; charset=utf-8"); // D-68
  allHeaders.set("Content-Length", String(payload.length));
  return new Response(method === "HEAD" ? null : payload, { status, headers: allHeaders });
}

export const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": headerNamesOf(contract.operations).join(","),
};

/** The headers of the response to any OPTIONS. */
export function preflightHeadersOf({ headers }: Request): Record<string, string> {
  const requested = headers.get("access-control-request-headers");
  return {
    ...CORS_HEADERS,
    "Access-Control-Allow-Methods": [...allowedMethods(contract.operations), "OPTIONS"].join(","),
    "Access-Control-Max-Age": "86400",
    Vary: "Access-Control-Request-Headers",
    ...(requested === null ? {} : { "Access-Control-Allow-Headers": requested }),
  };
}
