// CORS as the server has it (http/cors.ts): pages of any origin may call, and read every header of the contract.
import { allowedMethods } from "../contract/operations.js";
import { contract } from "./contract.js";

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
