// The log keeps the start of a long body: what is left of it, and how it is shown.
import type { LoggedRequest } from "../../browser/client/control.js";

const LOGGED_BYTES = 8_192;

/** `cut at 8 KB of 165 KB`, or an empty text for a whole body. */
export function describeCut({ bodyBytes = 0, responseBytes = 0 }: LoggedRequest, part: "request" | "response"): string {
  const bytes = part === "response" ? responseBytes : bodyBytes;
  return bytes > LOGGED_BYTES ? `cut at ${formatSize(LOGGED_BYTES)} of ${formatSize(bytes)}` : "";
}

/** Says that the log lacks the body; empty if it does not. */
export function describeUnread({ headers, body }: LoggedRequest): string {
  const isSent = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
  return isSent && body === undefined ? "The server did not read the body, so the log lacks it." : "";
}

const formatSize = (bytes: number) => `${Math.round(bytes / 1024).toLocaleString("en")} KB`;

/** Ends a JSON text that was cut after its last whole value: `{"data":[{"a":1,"b":"te` → `{"data":[{"a":1}]}`. */
export function closeJson(text: string): string {
  const open: string[] = [];
  let end = 0;
  let closers = "";
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.?)*(?:"|$)|[[\]{},]/g)) {
    if (token.startsWith('"')) continue;
    if (token === "{" || token === "[") open.unshift(token === "{" ? "}" : "]");
    if (token === "}" || token === "]") open.shift();
    end = token === "," ? index : index + 1;
    closers = open.join("");
  }
  return text.slice(0, end) + closers;
}
