// What a browser may do with a response that it opens: nothing on this origin, unless it is a page of ours.
import { createServer } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { startMock } from "../../../src/mock/mock-server.js";
import { startServer } from "../../../src/start-server.js";
import { startProxy } from "../../../src/tools/proxy/proxy-server.js";
import { listen } from "../../support/listen.js";
import { writeSmallContract } from "../../support/small-contract.js";
import { sendTo } from "../../support/socket-request.js";

const SCRIPT = "<script>fetch('/_control/environments')</script>";
const TYPES = { html: "text/html", svg: "image/svg+xml", xml: "application/xhtml+xml", text: "text/plain" };

/** Operations that respond with these media types. */
const paths = Object.entries(TYPES).map(([name, type]) => {
  const headers = { "Content-Security-Policy": { schema: { type: "string" }, example: "script-src *" } };
  const content = { [type]: { schema: { type: "string" }, example: SCRIPT } };
  const responses = { 200: { description: "A page.", headers, content } };
  return [`/v1/${name}`, { get: { operationId: name, responses } }];
});
const contractPath = await writeSmallContract(Object.fromEntries(paths), {}, afterAll);
const server = await startServer({ contractPath, checkResponses: true });
const mock = await startMock({ contractPath });
const proxy = await startProxy({ contract: contractPath, upstream: server.url, missing: Object.keys(TYPES) });
afterAll(async () => {
  for (const { close } of [proxy, mock, server]) await close();
});

describe.each(Object.entries({ server, mock, proxy }))("%s", (_title, { url }) => {
  test.each(Object.entries(TYPES))("a mocked response of type %s is sandboxed", async (name, type) => {
    const { status, headers, text } = await sendTo(url, { target: `/v1/${name}` });
    expect([status, text, headers["content-type"]]).toEqual([200, SCRIPT, expect.stringContaining(type)]);
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "content-security-policy": "sandbox" });
  });

  test.each([
    ["an error", "/v1/html?unknown=1", 422],
    ["a path that does not exist", "/nowhere", 404],
    ["no HTTP", "http://", 400],
  ])("%s has its type, without sniffing", async (_title, target, status) => {
    const headers = { authorization: "ApiKey demo-key" };
    const response = await sendTo(url, { target, headers });
    expect([response.status, response.headers["x-content-type-options"]]).toEqual([status, "nosniff"]);
  });
});

test.each([
  ["the control plane", "/_control/environments"],
  ["an error of the control plane", "/_control/nowhere"],
  ["its contract", "/_control/openapi.yaml"],
  ["the contract", "/openapi.yaml"],
])("%s has its type, without sniffing", async (_title, target) => {
  expect((await sendTo(server.url, { target })).headers["x-content-type-options"]).toBe("nosniff");
});

test("the proxy reports neither header of an upstream", async () => {
  const headers = { "content-type": "application/json; charset=utf-8", "x-request-id": "r-1" };
  const upstream = createServer((_request, response) => {
    response.writeHead(200, { ...headers, "x-content-type-options": "nosniff", "content-security-policy": "sandbox" });
    response.end('{"page":0,"pageSize":10,"hasMore":false,"data":[]}');
  });
  const before = await startProxy({ upstream: await listen(upstream) });
  const entries: unknown[] = [];
  before.events.on("entry", (entry) => entries.push(entry));
  await sendTo(before.url, { target: "/v1/notifications", headers: { authorization: "ApiKey demo-key" } });
  await before.close();
  upstream.close();
  expect(entries).toEqual([]);
});
