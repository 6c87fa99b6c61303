// A response of the API as a WHATWG Response, and the headers of CORS as the server has them (server/http/express-app.ts).

import { allowedMethods } from "../../contract/operations.js";
import { JsonText } from "../../core/domain/notifications.js";
import type { HttpResponse } from "../../core/operations/errors.js";
import { contract } from "./contract.js";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** `headers` are what earlier steps have set. */
export function toResponse(
  { status, headers: own, body }: HttpResponse,
  headers: Record<string, string>,
  method: string,
): Response {
  const payload = encoder.encode(toText(body));
  const allHeaders = new Headers({ ...headers, ...own });
  allHeaders.set("Content-Type", "application/json; charset=utf-8"); // D-68
  allHeaders.set("Content-Length", String(payload.length));
  return new Response(method === "HEAD" ? null : payload, { status, headers: allHeaders });
}

export function toText(body: unknown): string {
  if (!(body instanceof JsonText)) return JSON.stringify(body);
  return body.parts.map((part) => (typeof part === "string" ? part : decoder.decode(part))).join("");
}

export const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": Object.keys(contract.document.components.headers).join(","),
};

/** The headers of the response to any OPTIONS. */
export function toPreflightHeaders({ headers }: Request): Record<string, string> {
  const requested = headers.get("access-control-request-headers");
  return {
    ...CORS_HEADERS,
    "Access-Control-Allow-Methods": [...allowedMethods(contract.operations), "OPTIONS"].join(","),
    "Access-Control-Max-Age": "86400",
    Vary: "Access-Control-Request-Headers",
    ...(requested === null ? {} : { "Access-Control-Allow-Headers": requested }),
  };
}

/** In lower case: the headers of happy-dom have the case in which they were set. */
export function toHeaderRecord(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value]));
}
