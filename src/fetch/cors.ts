// CORS as the server has it (http/cors.ts): pages of any origin may call, and read every header of the contract.
import { allowedMethods } from "../contract/operations.js";
import { contract } from "./contract.js";

const { document, operations } = contract;

export const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": Object.keys(document.components.headers).join(","),
};

/** The response to any OPTIONS. */
export function respondToOptions({ headers: sent }: Request, requestId: string): Response {
  const requested = sent.get("access-control-request-headers");
  const headers = {
    ...CORS_HEADERS,
    "X-Request-Id": requestId,
    "Access-Control-Allow-Methods": [...allowedMethods(operations), "OPTIONS"].join(","),
    "Access-Control-Max-Age": "86400",
    Vary: "Access-Control-Request-Headers",
    ...(requested === null ? {} : { "Access-Control-Allow-Headers": requested }),
  };
  return new Response(null, { status: 204, headers });
}
