// Every exchange of a run as an HTTP archive (HAR 1.2), without keys.
import type { TestResponse } from "../exchange.js";
import { keysOf, redact } from "../secrets.js";
import type { Target } from "../target.js";

export type Har = ReturnType<typeof createHar>;

const MAX_TEXT_LENGTH = 20_000; // a run has thousands of exchanges
const MESSAGE = { httpVersion: "HTTP/1.1", cookies: [], headersSize: -1 };

export function createHar(target: Target) {
  const entries: object[] = [];
  const keys = keysOf(target);
  return {
    add: (response: TestResponse): void => void entries.push(redact(toEntry(response, target.url.origin), keys)),
    toText: () =>
      JSON.stringify({ log: { version: "1.2", creator: { name: "notifications-contract", version: "" }, entries } }),
  };
}

function toEntry({ request, status, headers, text }: TestResponse, origin: string): object {
  const { method, target, body } = request;
  const sent = body?.toString();
  const postData = { mimeType: request.headers["content-type"] ?? "", text: truncate(sent ?? "") };
  return {
    startedDateTime: new Date().toISOString(),
    time: 0,
    request: {
      ...MESSAGE,
      method,
      url: origin + target,
      headers: toPairs(request.headers),
      queryString: [...new URL(origin + target).searchParams].map(([name, value]) => ({ name, value })),
      bodySize: sent?.length ?? 0,
      ...(sent === undefined ? {} : { postData }),
    },
    response: {
      ...MESSAGE,
      status,
      statusText: "",
      headers: toPairs(headers),
      content: { size: text.length, mimeType: headers["content-type"] ?? "", text: truncate(text) },
      redirectURL: "",
      bodySize: text.length,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}

function toPairs(headers: Record<string, string | string[] | undefined>): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values ?? []].flat().map((value) => ({ name, value })));
}

function truncate(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}… (${text.length} characters)`;
}
