// Each limit of core/request/limits.ts, for clients that send slowly, too much or nothing, and for many clients.
import { once } from "node:events";
import { type RequestListener, request } from "node:http";
import { type AddressInfo, connect, Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { LIMITS, type Limits } from "../../../src/core/request/limits.js";
import { startMock } from "../../../src/mock/mock-server.js";
import { type Listener, startListener } from "../../../src/server/http/listener.js";
import { type RunningServer, startServer } from "../../../src/start-server.js";
import { startProxy } from "../../../src/tools/proxy/proxy-server.js";
import { API_KEY, createReference } from "../../support/reference.js";

const { app } = await createReference();
const KEY = `Authorization: ApiKey ${API_KEY}\r\n`;
const LIST = `GET /v1/notifications?limit=1 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`;
const PREFERENCES = "/v2/subscribers/ines-moreau/preferences";
const UPDATE = `PATCH ${PREFERENCES} HTTP/1.1\r\nHost: x\r\n${KEY}Content-Type: application/json\r\n`;
const CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
const BODY = '{"channels":{"email":false}}';
const ADDRESS = { host: "127.0.0.1", port: 0 };

async function listen(limits: Partial<Limits> = {}): Promise<Listener> {
  const all = { ...LIMITS, checkMs: 20, ...limits };
  const listener = await startListener({ handle: app }, ADDRESS, all);
  onTestFinished(listener.stop);
  return listener;
}

test.each<[string, () => Promise<RunningServer>]>([
  ["the server", startServer],
  ["the mock", startMock],
])("%s has them all", async (_title, start) => {
  const listening = vi.spyOn(Server.prototype, "listen");
  onTestFinished(() => void listening.mockRestore());
  const { port, close } = await start();
  onTestFinished(close);
  const servers = listening.mock.contexts as Server[];
  const server = servers.find((candidate) => (candidate.address() as AddressInfo | null)?.port === port);
  expect(server).toMatchObject({
    maxHeaderSize: LIMITS.headBytes,
    headersTimeout: LIMITS.headMs,
    requestTimeout: LIMITS.requestMs,
    keepAliveTimeout: LIMITS.keepAliveMs,
    timeout: LIMITS.silenceMs,
    connectionsCheckingInterval: LIMITS.checkMs,
    maxConnections: LIMITS.connections,
  });
});

/** Opens a connection whose own half stays open whatever the server does. */
async function open(port: number, text = ""): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}); // the server may end it while bytes are on the way
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

async function startProxyOf(upstream: string): Promise<string> {
  const proxy = await startProxy({ upstream });
  onTestFinished(proxy.close);
  return proxy.url;
}

const statusesOf = (responses: string) =>
  [...responses.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

async function expectListed(port: number): Promise<void> {
  const [response] = await once(await open(port, LIST), "data");
  expect(statusesOf(String(response))).toEqual([200]);
}

describe("time limits", () => {
  const SLOW_HEAD = { headMs: 100, requestMs: 200 };
  const SLOW_BODY = { headMs: 100, requestMs: 100 };
  test.each<[string, string, Partial<Limits>]>([
    ["nothing is sent", "", SLOW_HEAD],
    ["half a head is sent", UPDATE, SLOW_HEAD],
    ["half a body is sent", `${UPDATE}Content-Length: ${BODY.length}\r\n\r\n{"chan`, SLOW_BODY],
    ["half a chunk is sent", `${UPDATE}${CHUNKED}1c\r\n{"chan`, SLOW_BODY],
  ])("%s: 408, and the connection ends", async (_title, request, limits) => {
    const { port } = await listen(limits);
    const response = await text(await open(port, request));
    expect(statusesOf(response)).toEqual([408]);
    const body = JSON.parse(response.slice(response.indexOf("{")));
    expect(body).toMatchObject({ statusCode: 408, ctx: { decision: "D-73" } });
  });

  test("a head sent byte by byte is 408, too", async () => {
    const { port } = await listen(SLOW_HEAD);
    const socket = await open(port, "GET / HTTP/1.1\r\nX-Slow: ");
    const dripping = setInterval(() => socket.write("x"), 5);
    onTestFinished(() => clearInterval(dripping));
    expect(statusesOf(await text(socket))).toEqual([408]);
  });

  test("a client that keeps sending after its 408 loses the connection", async () => {
    const { port } = await listen({ ...SLOW_HEAD, connections: 1 });
    const socket = await open(port, "GET / HTTP/1.1\r\nX-Slow: ");
    const dripping = setInterval(() => socket.write("x"), 20);
    onTestFinished(() => clearInterval(dripping));
    await new Promise((resolve) => socket.resume().once("close", resolve)); // otherwise only its own half could end it
    await expectListed(port);
  });

  test("an idle kept connection ends", async () => {
    const { port } = await listen({ keepAliveMs: 50 });
    const response = await text(await open(port, LIST));
    expect(statusesOf(response)).toEqual([200]);
  });

  test("a client that reads none of its responses is disconnected", async () => {
    const { port } = await listen({ silenceMs: 100 });
    const socket = await open(port);
    socket.pause();
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => socket.once("error", resolve));
    socket.write(LIST.replace("limit=1", "limit=50").repeat(200)); // more than all buffers hold
    const writing = setInterval(() => socket.write("x"), 20); // a paused socket notices its end when it writes
    onTestFinished(() => clearInterval(writing));
    expect((await failed).code).toMatch(/^(ECONNRESET|EPIPE)$/);
  });
});

describe("counts", () => {
  test("a connection beyond the limit is closed; once another ends, a new one is accepted", async () => {
    const { port } = await listen({ connections: 2 });
    const first = await open(port, LIST);
    await once(first, "data");
    const second = await open(port, LIST);
    await once(second, "data");
    expect(await text(await open(port, LIST))).toBe("");
    first.end();
    await once(first.resume(), "close");
    await expectListed(port);
  });

  test("thousands of headers: none is dropped", async () => {
    const { port } = await listen();
    const many = "a:\r\n".repeat(3000);
    const head = `${UPDATE}${many}Idempotency-Key: last\r\nConnection: close\r\nContent-Length: ${BODY.length}\r\n\r\n`;
    const response = await text(await open(port, head + BODY));
    expect(statusesOf(response)).toEqual([200]);
    expect(response).toContain("Idempotency-Key: last\r\n");
  });

  test("starts few of thousands of requests on one connection before earlier ones have responses", async () => {
    let [waiting, most] = [0, 0];
    const respond: (() => void)[] = [];
    const handle: RequestListener = (_request, response) => {
      waiting += 1;
      most = Math.max(most, waiting);
      respond.push(() => {
        waiting -= 1;
        response.end();
      });
    };
    const listener = await startListener({ handle }, ADDRESS);
    onTestFinished(listener.stop);
    const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    const last = request.replace("Host", "Connection: close\r\nHost");
    const responses = text(await open(listener.port, request.repeat(10_000) + last));
    let isOver = false;
    responses.finally(() => (isOver = true));
    while (!isOver) {
      for (const next of respond.splice(0)) next();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(statusesOf(await responses)).toHaveLength(10_001);
    expect(most).toBeLessThan(5000); // those of the chunk already read
  });
});

describe.each([
  ["the server", async (url: string) => url],
  ["the proxy", startProxyOf],
])("%s: requests that Node accepts, or would reject in another shape", (_title, toUrl) => {
  const CLOSE = "Host: x\r\nConnection: close";
  test.each([
    ["a request without Host", LIST.replace("Host: x", "Connection: close"), 400],
    ["a request with two Hosts", LIST.replace("Host: x", "Host: x\r\nhost: y"), 400],
    ["chunks in HTTP/1.0", `${UPDATE.replace("1.1", "1.0")}${CHUNKED}1c\r\n${BODY}\r\n0\r\n\r\n`, 400],
    ["HTTP/0.9", "GET /v1/notifications\r\n\r\n", 400],
    ["HTTP/2.0", LIST.replace("HTTP/1.1", "HTTP/2.0"), 400],
    ["a target without host or path", LIST.replace("/v1/notifications", "http://"), 400],
    ["an unknown expectation", LIST.replace("Host: x", `${CLOSE}\r\nExpect: y`), 200],
    ["a header after 2,000 others", LIST.replace("Host: x", `${"a:b\r\n".repeat(2001)}${CLOSE}`), 200],
  ])("%s", async (_title, request, status) => {
    const { url } = await listen();
    const response = await text(await open(Number(new URL(await toUrl(url)).port), request));
    expect(statusesOf(response)).toEqual([status]);
    const body = JSON.parse(response.slice(response.indexOf("\r\n\r\n")));
    if (status === 400) expect(body).toMatchObject({ statusCode: 400, ctx: { decision: "D-73" } });
  });
});

test.each([
  ["the server", async (url: string) => url],
  ["the proxy", startProxyOf],
])("%s: a client that closes gets the response to a body that nothing reads", async (_title, toUrl) => {
  const { url } = await listen();
  const target = `${await toUrl(url)}${PREFERENCES}`;
  const headers = { authorization: `ApiKey ${API_KEY}`, "content-type": "text/plain", connection: "close" };
  for (let time = 0; time < 10; time += 1) {
    const sending = request(target, { method: "PATCH", headers });
    sending.end(Buffer.alloc(10_000_000, " "));
    const [response] = await once(sending, "response");
    expect(response.resume().statusCode).toBe(415);
    if (!sending.destroyed) await once(sending, "close"); // the rest of the body is under way
  }
});

describe("several requests at once, one of them malformed", () => {
  const UPDATE_WHOLE = `${UPDATE}Content-Length: ${BODY.length}\r\nPrefer: delay=50\r\n\r\n${BODY}`;
  test.each([
    ["no HTTP", "garbage\r\n\r\n", async (url: string) => url],
    ["a body that is no chunk", `${UPDATE}${CHUNKED}zz\r\n`, async (url: string) => url],
    ["no Host", "GET / HTTP/1.1\r\n\r\n", async (url: string) => url],
    ["no HTTP to the proxy", "garbage\r\n\r\n", startProxyOf],
  ])("%s after a valid request: each gets its response, in order", async (_title, broken, toUrl) => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const port = Number(new URL(await toUrl((await listen()).url)).port);
    expect(statusesOf(await text(await open(port, UPDATE_WHOLE + broken)))).toEqual([200, 400]);
    expect(warnings, "too many listeners, for example").toEqual([]);
  });

  test.each([
    ["the server", async (url: string) => url],
    ["the proxy", startProxyOf],
  ])(
    "%s ends the connection if a response had begun: a second one would be read as its rest",
    async (_title, toUrl) => {
      const handle: RequestListener = (_request, response) => void response.writeHead(200).write("half of it");
      const upstream = await startListener({ handle }, ADDRESS);
      onTestFinished(upstream.stop);
      const socket = await open(Number(new URL(await toUrl(upstream.url)).port));
      const received = text(socket);
      socket.write(UPDATE + CHUNKED);
      await once(socket, "data");
      socket.write("zz\r\n");
      expect(statusesOf(await received)).toEqual([200]);
    },
  );
});
