// An exchange as far as a report shows it: without keys, and with long lists shortened.
import { formatCurl } from "../../contract/request.js";
import type { Redactor } from "../../core/request/redactor.js";
import { shortenBody } from "../body-excerpt.js";
import type { RoundTrip } from "./round-trip.js";

export interface Evidence {
  /** Sends the request again, to the upstream. */
  curl: string;
  requestBody?: string | undefined;
  /** The client's name for itself: its `User-Agent`. */
  client?: string | undefined;
  /** The response's; undefined if there was none. */
  status?: number | undefined;
  responseBody?: string | undefined;
}

const MAX_CLIENT = 200; // characters
const KEY_VARIABLE = "$NC_API_KEY";

/** Headers that a request is sent again with. Any other may hold a secret. */
const SHOWN: ReadonlySet<string> = new Set(["content-type", "content-encoding", "idempotency-key", "prefer"]);

/**
 * @param upstream the upstream's base URL.
 * @param wrong the violated place, of the request or the response.
 */
export function buildEvidence(
  { method, target, headers, status, sent, received }: RoundTrip,
  { redact, redactForLog }: Redactor,
  { upstream, wrong }: { upstream: string; wrong: { direction: "request" | "response"; path?: readonly string[] } },
): Evidence {
  function show(body: Buffer | undefined, direction: typeof wrong.direction): string | undefined {
    if (!body?.length) return undefined;
    const path = wrong.direction === direction ? wrong.path?.slice(1) : undefined;
    return redact(shortenBody(normalizeJson(redact(body.toString())), path)); // twice: an escape in JSON may hide a key
  }
  const requestBody = show(sent, "request");
  const shown = Object.entries(headers).filter(([name, value]) => value !== undefined && SHOWN.has(name));
  const request = {
    method,
    target: redactForLog(target),
    headers: {
      ...(headers.authorization === undefined ? {} : { authorization: `ApiKey ${KEY_VARIABLE}` }),
      ...Object.fromEntries(shown.map(([name, value]) => [name, redact(String(value))])),
    },
    ...(requestBody === undefined ? {} : { body: requestBody }),
  };
  const curl = formatCurl(request, upstream, { [KEY_VARIABLE]: KEY_VARIABLE });
  const client = headers["user-agent"] === undefined ? undefined : redact(headers["user-agent"].slice(0, MAX_CLIENT));
  return { curl, client, requestBody, status, responseBody: show(received, "response") };
}

function normalizeJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text; // not JSON
  }
}
