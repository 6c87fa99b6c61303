// The log as an HTTP Archive (HAR 1.2), which the network panels of browsers open. Keys are redacted, as in the log.
import type { LoggedRequest } from "../../browser/client/control.js";
import { queryOf } from "../../contract/target.js";
import { describeCut } from "./cut-body.js";

/** @param requests oldest first. @param version that of the contract. */
export function formatHar(requests: readonly LoggedRequest[], origin: string, version: string): string {
  const entries = requests.map((request) => toEntry(request, origin));
  const creator = { name: "notifications-contract", version };
  return JSON.stringify({ log: { version: "1.2", creator, entries } }, null, 2);
}

/** The log has only the size of the body, and the whole time. */
const UNKNOWN = -1;
const HTTP = { httpVersion: "HTTP/1.1", cookies: [], headersSize: UNKNOWN, bodySize: UNKNOWN };

function toEntry(request: LoggedRequest, origin: string): object {
  const { at, milliseconds = 0, method, target, headers, body, responseHeaders = {}, responseBody = "" } = request;
  const { status = 0, id, environment, responseBytes = UNKNOWN } = request; // 0: no response, as browsers write it
  const cut = describeCut(request, "response");
  return {
    startedDateTime: at,
    time: milliseconds,
    request: {
      method,
      url: origin + target,
      headers: toPairs(Object.entries(headers)),
      queryString: toPairs([...queryOf(target)]),
      ...(body !== undefined && { postData: { mimeType: headers["content-type"] ?? "", text: body } }),
      ...HTTP,
    },
    response: {
      status,
      statusText: "",
      headers: toPairs(Object.entries({ ...responseHeaders, "x-request-id": id })),
      content: {
        size: responseBytes,
        mimeType: responseHeaders["content-type"] ?? "",
        text: responseBody,
        ...(cut !== "" && { comment: cut }),
      },
      redirectURL: "",
      ...HTTP,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    ...(environment !== undefined && { comment: `environment ${environment}` }),
  };
}

function toPairs(entries: readonly (readonly [name: string, value: string])[]): { name: string; value: string }[] {
  return entries.map(([name, value]) => ({ name, value }));
}
