// The API key in a request (document §5), and the errors where there is none.
import { RequestError } from "./errors.js";

export const UNKNOWN_KEY = "API Key not found";

/** @throws RequestError */
export function readApiKey(header: string | null | undefined): string {
  if (!header) throw unauthorized("Missing authorization header");
  const blank = header.indexOf(" ");
  const scheme = blank === -1 ? header : header.slice(0, blank);
  if (scheme !== "ApiKey") throw unauthorized("Invalid authentication scheme");
  const key = blank === -1 ? "" : header.slice(blank + 1).trim();
  if (key === "") throw unauthorized("Missing API key");
  return key;
}

/** The header is never repeated: it may be a key (D-45). */
export function unauthorized(what: string): RequestError {
  const headers = { "WWW-Authenticate": "ApiKey" };
  return new RequestError("unauthorized", `${what}. Send "Authorization: ApiKey <key>".`, { headers });
}
