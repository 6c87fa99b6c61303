// Every exchange of a run as an HTTP archive (HAR 1.2), without keys.
import type { Operation } from "../../contract/operations.js";
import type { TestResponse } from "../exchange.js";
import { keysOf, redact } from "../redact-report.js";
import type { Target } from "../target.js";

export interface Har {
  add(operation: Operation | undefined, response: TestResponse): void;
  toText(): string;
}

const MAX_TEXT_LENGTH = 20_000; // a run has thousands of exchanges

export function createHar(target: Target): Har {
  const entries: object[] = [];
  const keys = keysOf(target);
  return {
    add(_operation, { request, status, headers, text }) {
      const url = new URL(target.url.origin + request.target);
      const body = request.body?.toString();
      entries.push(
        redact(
          {
            startedDateTime: new Date().toISOString(),
            time: 0,
            request: {
              method: request.method,
              url: target.url.origin + request.target,
              httpVersion: "HTTP/1.1",
              headers: toPairs(request.headers),
              queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
              cookies: [],
              headersSize: -1,
              bodySize: body?.length ?? 0,
              ...(body === undefined
                ? {}
                : { postData: { mimeType: request.headers["content-type"] ?? "", text: cut(body) } }),
            },
            response: {
              status,
              statusText: "",
              httpVersion: "HTTP/1.1",
              headers: toPairs(headers),
              cookies: [],
              content: { size: text.length, mimeType: headers["content-type"] ?? "", text: cut(text) },
              redirectURL: "",
              headersSize: -1,
              bodySize: text.length,
            },
            cache: {},
            timings: { send: 0, wait: 0, receive: 0 },
          },
          keys,
        ),
      );
    },
    toText: () =>
      JSON.stringify({ log: { version: "1.2", creator: { name: "notifications-contract", version: "" }, entries } }),
  };
}

function toPairs(headers: Record<string, string | string[] | undefined>): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values ?? []].flat().map((value) => ({ name, value })));
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}… (${text.length} characters)`;
}
