// The curl lines of a failure, run by a shell, send what the suite has sent.
import { execFile } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { formatCurlLines } from "../../../src/tools/verify/case-run.js";
import { basicOf, redact, type Target } from "../../../src/tools/verify/declared-target.js";
import { listen } from "../../support/listen.js";

const KEY = `k'e"y $x7`;
const TOGETHER = "/v1/notifications?page=1";
const OTHER = "other-key-9";
let received: (Pick<IncomingMessage, "method" | "url" | "headers"> & { body: string })[] = [];
const held: ServerResponse[] = [];
/** Responds once three requests wait, so that requests one after the other get no response. */
function heldUntilThree(response: ServerResponse): void {
  if (held.push(response) === 3) for (const one of held.splice(0)) one.end("{}");
}
const server = createServer();
server.on("request", async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url, headers } = request;
  received.push({ method, url, headers, body: Buffer.concat(chunks).toString("latin1") });
  if (url === TOGETHER) return void heldUntilThree(response);
  response.end(method === "HEAD" ? undefined : "{}");
});
const url = new URL(await listen(server));
afterAll(() => void server.close());

type Requests = Parameters<typeof formatCurlLines>[0];
const json = { "content-type": "application/json" };
const auth = { authorization: `ApiKey ${KEY}` };
const get = (target: string, headers: Record<string, string> = auth): Requests => [{ method: "GET", target, headers }];
const patch = (body: string | Buffer, more: object = {}): Requests => [
  { method: "PATCH", target: "/v2/subscribers/a/preferences", headers: { ...auth, ...json, ...more }, body },
];

test.each<[string, Requests]>([
  ["a query with brackets and quotes", get("/v1/notifications?channels[]=a'b")],
  ["HEAD", [{ method: "HEAD", target: "/v1/notifications", headers: auth }]],
  ["a body", patch(`{"a":"'$x"}`)],
  ["a body of GET", [{ method: "GET", target: "/v1/notifications", headers: auth, body: "{" }]],
  ["a body without a type", [{ method: "PATCH", target: "/x", headers: auth, body: "{}" }]],
  ["an empty body", patch("")],
  ["bytes", patch(Buffer.from([0x7b, 0xff, 0, 0x7d]))],
  ["a gzipped body", patch(gzipSync("{}"), { "content-encoding": "gzip" })],
  ["a long body", patch("{}".padEnd(102_401))],
  ["control characters", patch('{"a":"\u0000\u001b"}')],
  ["an empty header", get("/x", { authorization: "" })],
  ["a repeated header", patch("{}", { "idempotency-key": "a\nb" })],
  ["the key as Basic's password", get("/x", { authorization: `Basic ${basicOf(KEY)}` })],
  ["dots in a path", get("/v1/./notifications")],
  ["a sequence with both keys", [...patch("{}"), ...get("/two", { authorization: `ApiKey ${OTHER}` })]],
])("%s", async (_title, requests) => {
  const lines = formatCurlLines(requests, { url, apiKey: KEY, otherApiKey: OTHER } as Target);
  for (const key of [KEY, OTHER]) expect(lines).not.toContain(key);
  await expectSent(lines, requests, KEY);
  if (requests[0]?.body !== undefined && requests[0].headers["content-type"] === undefined)
    expect(received[0]?.headers["content-type"]).toBeUndefined();
});

test.each(["H", "7", "curl", "http", "a.b*"])("the key %s, which a command may have", async (apiKey) => {
  const requests = [
    ...get("/v1/x", { authorization: `ApiKey ${apiKey}`, "x-api-key": apiKey }),
    ...get("/v1/x", { authorization: `Basic ${basicOf(apiKey)}` }),
  ];
  const { curl } = redact({ curl: formatCurlLines(requests, { url, apiKey } as Target) }, [apiKey]);
  expect(curl).not.toContain(`ApiKey ${apiKey}`);
  await expectSent(curl, requests, apiKey);
});

test("requests that were sent at once are one script, which sends them at once", async () => {
  const together = [1, 2, 3].flatMap(() => get(TOGETHER));
  const requests = [...patch("{}"), ...together, ...get("/after")];
  const lines = formatCurlLines(requests, { url, apiKey: KEY } as Target, { concurrent: new Set(together) });
  expect(lines.replaceAll(/'[^']*'|"[^"]*"/g, "").match(/&|\bwait$/gm)).toEqual(["&", "&", "&", "wait"]);
  await expectSent(lines, requests, KEY);
});

test("a key in a query is encoded as a whole", async () => {
  const requests = get(`/x?apiKey=${encodeURIComponent(KEY)}`);
  const curl = formatCurlLines(requests, { url, apiKey: KEY } as Target);
  expect(curl).not.toContain(encodeURIComponent(KEY));
  received = [];
  await promisify(execFile)("sh", ["-c", curl], { env: { ...process.env, NC_API_KEY: KEY } });
  expect(decodeURIComponent(received[0]?.url ?? "")).toBe(`/x?apiKey=${KEY}`);
});

/** Runs the lines in a shell. */
async function expectSent(lines: string, requests: Requests, key: string): Promise<void> {
  received = [];
  await promisify(execFile)("sh", ["-c", lines], { env: { ...process.env, NC_API_KEY: key, NC_OTHER_API_KEY: OTHER } });
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
}
