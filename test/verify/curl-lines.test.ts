// Lines for a shell, pasted into one: what arrives is what the suite has sent.
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toCurlLines } from "../../src/verify/run-case.js";
import { WRONG_KEYS } from "../../src/verify/secrets.js";
import type { Target } from "../../src/verify/target.js";
import { listen } from "../support/listen.js";

const KEY = `k'e"y $x7`;
const OTHER = "other-key-9";
interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}
let received: Received[] = [];
const server = createServer();
server.on("request", async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url, headers } = request;
  received.push({ method, url, headers, body: Buffer.concat(chunks).toString("latin1") });
  response.end(method === "HEAD" ? undefined : "{}");
});
let url: URL;
beforeAll(async () => {
  url = new URL(await listen(server));
});
afterAll(() => void server.close());

const json = { "content-type": "application/json" };
const auth = { authorization: `ApiKey ${KEY}` };

test.each<[string, Parameters<typeof toCurlLines>[0]]>([
  ["a query with brackets and quotes", [{ method: "GET", target: "/v1/notifications?channels[]=a'b", headers: auth }]],
  ["HEAD", [{ method: "HEAD", target: "/v1/notifications", headers: auth }]],
  [
    "a body",
    [{ method: "PATCH", target: "/v2/subscribers/a/preferences", headers: { ...auth, ...json }, body: `{"a":"'$x"}` }],
  ],
  ["a body of GET", [{ method: "GET", target: "/v1/notifications", headers: auth, body: "{" }]],
  ["a body without a type", [{ method: "PATCH", target: "/x", headers: auth, body: "{}" }]],
  ["an empty body", [{ method: "PATCH", target: "/x", headers: { ...auth, ...json }, body: "" }]],
  [
    "bytes",
    [{ method: "PATCH", target: "/x", headers: { ...auth, ...json }, body: Buffer.from([0x7b, 0xff, 0, 0x7d]) }],
  ],
  [
    "a gzipped body",
    [
      {
        method: "PATCH",
        target: "/x",
        headers: { ...auth, ...json, "content-encoding": "gzip" },
        body: gzipSync("{}"),
      },
    ],
  ],
  ["a long body", [{ method: "PATCH", target: "/x", headers: { ...auth, ...json }, body: "{}".padEnd(102_401) }]],
  [
    "control characters",
    [{ method: "PATCH", target: "/x", headers: { ...auth, ...json }, body: '{"a":"\u0000\u001b"}' }],
  ],
  ["an empty header", [{ method: "GET", target: "/x", headers: { authorization: "" } }]],
  [
    "a repeated header",
    [{ method: "PATCH", target: "/x", headers: { ...auth, ...json, "idempotency-key": "a\nb" }, body: "{}" }],
  ],
  ...Object.entries(WRONG_KEYS).map(([name, derive]): [string, Parameters<typeof toCurlLines>[0]] => [
    `a wrong key made of the right one: ${name}`,
    [{ method: "GET", target: "/x", headers: { authorization: `ApiKey ${derive(KEY)}` } }],
  ]),
  ["dots in a path", [{ method: "GET", target: "/v1/./notifications", headers: auth }]],
  [
    "a sequence with both keys",
    [
      { method: "PATCH", target: "/one", headers: { ...auth, ...json }, body: "{}" },
      { method: "GET", target: "/two", headers: { authorization: `ApiKey ${OTHER}` } },
    ],
  ],
])("%s", async (_title, requests) => {
  received = [];
  const lines = toCurlLines(requests, { url, apiKey: KEY, otherApiKey: OTHER } as Target);
  for (const key of [KEY, OTHER, KEY.slice(0, -1), KEY.slice(1)]) expect(lines).not.toContain(key);
  await promisify(execFile)("sh", ["-c", lines], { env: { ...process.env, NC_API_KEY: KEY, NC_OTHER_API_KEY: OTHER } });
  const shown = received.map(({ method, url: target, headers, body }, index) => {
    const names = Object.keys(requests[index]?.headers ?? {});
    return { method, target, headers: Object.fromEntries(names.map((name) => [name, headers[name]])), body };
  });
  const wanted = requests.map(({ method, target, headers, body = "" }) => ({
    method,
    target,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("\n", ", ")])),
    body: Buffer.from(body).toString("latin1"),
  }));
  expect(shown).toEqual(wanted);
  if (requests[0]?.body !== undefined && requests[0].headers["content-type"] === undefined)
    expect(received[0]?.headers["content-type"]).toBeUndefined();
});
