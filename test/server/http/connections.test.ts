// Connections: each limit of core/request/limits.ts, requests that are not HTTP, and a stop while connections are open.
import { once } from "node:events";
import { type RequestListener, request } from "node:http";
import { type AddressInfo, connect, Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { LIMITS, type Limits } from "../../../src/core/request/limits.js";
import { startMock } from "../../../src/mock/mock-server.js";
import { type Listener, startListener } from "../../../src/server/http/listener.js";
import { type RunningServer, startServer } from "../../../src/start-server.js";
import { startProxy } from "../../../src/tools/proxy/proxy-server.js";
import { contract } from "../../support/contract.js";
import { API_KEY, createReference } from "../../support/reference.js";
import { writeSmallContract } from "../../support/small-contract.js";

const { app } = await createReference();
const KEY = `Authorization: ApiKey ${API_KEY}\r\n`;
const LIST = `GET /v1/notifications?limit=1 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`;
const PREFERENCES = "/v2/subscribers/ines-moreau/preferences";
const UPDATE = `PATCH ${PREFERENCES} HTTP/1.1\r\nHost: x\r\n${KEY}Content-Type: application/json\r\n`;
const CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
const BODY = '{"channels":{"email":false}}';

async function listen(limits: Partial<Limits> = {}, handle: RequestListener = app): Promise<Listener> {
  const listener = await startListener(
    { handle },
    { host: "127.0.0.1", port: 0 },
    { ...LIMITS, checkMs: 20, ...limits },
  );
  onTestFinished(listener.stop);
  return listener;
}

async function startProxyOf(upstream: string): Promise<string> {
  const proxy = await startProxy({ upstream });
  onTestFinished(proxy.close);
  return proxy.url;
}

/** Opens a connection whose own half stays open whatever the server does. */
async function open({ port }: { port: number | string }, text = ""): Promise<Socket> {
  const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}); // the server may end it while bytes are on the way
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

const statusesOf = (responses: string) =>
  [...responses.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** The rejection of what is not HTTP (D-73). */
function expectRejection(response: string, status: number): { message: string } {
  expect(statusesOf(response)).toEqual([status]);
  const body = JSON.parse(response.slice(response.indexOf("\r\n\r\n")));
  expect(contract.schemas.get("ErrorResponse")?.check(body, ["body"])).toEqual([]);
  expect(body).toMatchObject({ statusCode: status, ctx: { decision: "D-73" } });
  return body;
}

async function expectListed(listener: Listener): Promise<void> {
  const [response] = await once(await open(listener, LIST), "data");
  expect(statusesOf(String(response))).toEqual([200]);
}

/** Returns the warnings from now on, such as that there are too many listeners. */
function collectWarnings(): Error[] {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  return warnings;
}

test.each<[string, (options: { contractPath: string }) => Promise<RunningServer>]>([
  ["the server", startServer],
  ["the mock", startMock],
])("%s has all limits", async (_title, start) => {
  const contractPath = await writeSmallContract({});
  const listening = vi.spyOn(Server.prototype, "listen");
  onTestFinished(() => void listening.mockRestore());
  const { port, close } = await start({ contractPath });
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

describe("time limits", () => {
  const SLOW_HEAD = { headMs: 50, requestMs: 100 };
  const SLOW_BODY = { headMs: 50, requestMs: 50 };
  test.each<[string, string, Partial<Limits>]>([
    ["nothing is sent", "", SLOW_HEAD],
    ["half a head is sent", UPDATE, SLOW_HEAD],
    ["half a body is sent", `${UPDATE}Content-Length: ${BODY.length}\r\n\r\n{"chan`, SLOW_BODY],
    ["half a chunk is sent", `${UPDATE}${CHUNKED}1c\r\n{"chan`, SLOW_BODY],
  ])("%s: 408, and the connection ends", async (_title, request, limits) => {
    expectRejection(await text(await open(await listen(limits), request)), 408);
  });

  test("a head sent byte by byte is 408, too, and a client that keeps sending loses the connection", async () => {
    const listener = await listen({ ...SLOW_HEAD, connections: 1 });
    const socket = await open(listener, "GET / HTTP/1.1\r\nX-Slow: ");
    const dripping = setInterval(() => socket.write("x"), 5);
    onTestFinished(() => clearInterval(dripping));
    const closed = new Promise((resolve) => socket.once("close", resolve)); // otherwise only its own half could end it
    const [response] = await once(socket, "data");
    expectRejection(String(response), 408);
    await closed;
    await expectListed(listener);
  });

  test("an idle kept connection ends", async () => {
    const response = await text(await open(await listen({ keepAliveMs: 50 }), LIST));
    expect(statusesOf(response)).toEqual([200]);
  });

  test("a client that reads no response is disconnected", async () => {
    const large = Buffer.alloc(20_000_000); // more than all buffers hold
    const socket = await open(await listen({ silenceMs: 50 }, (_request, response) => void response.end(large)));
    socket.pause();
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => socket.once("error", resolve));
    socket.write(LIST);
    const writing = setInterval(() => socket.write("x"), 200); // a paused socket notices its end when it writes
    onTestFinished(() => clearInterval(writing));
    expect((await failed).code).toMatch(/^(ECONNRESET|EPIPE)$/);
  });
});

describe("counts", () => {
  test("a connection beyond the limit is closed; once another ends, a new one is accepted", async () => {
    const listener = await listen({ connections: 2 });
    const first = await open(listener, LIST);
    await once(first, "data");
    await once(await open(listener, LIST), "data");
    expect(await text(await open(listener, LIST))).toBe("");
    first.end();
    await once(first.resume(), "close");
    await expectListed(listener);
  });

  test("a head of 17 KiB is rejected", async () => {
    const head = LIST.replace("limit=1", `search=${"x".repeat(17 * 1024)}`);
    expectRejection(await text(await open(await listen(), head)), 431);
  });

  test("thousands of headers: none is dropped", async () => {
    const many = "a:\r\n".repeat(3000);
    const head = `${UPDATE}${many}Idempotency-Key: last\r\nConnection: close\r\nContent-Length: ${BODY.length}\r\n\r\n`;
    const response = await text(await open(await listen(), head + BODY));
    expect(statusesOf(response)).toEqual([200]);
    expect(response).toContain("Idempotency-Key: last\r\n");
  });

  test("starts few of many requests on one connection before earlier ones have responses", async () => {
    const waiting: { end(): unknown }[] = [];
    const listener = await listen({}, (_request, response) => void waiting.push(response));
    const request = LIST.replace("Host", `X-Long: ${"x".repeat(500)}\r\nHost`);
    const last = request.replace("Host", "Connection: close\r\nHost");
    const responses = text(await open(listener, request.repeat(1000) + last));
    await pause(100);
    expect(waiting.length).toBeLessThan(500); // those of the chunk already read
    let isOver = false;
    responses.finally(() => (isOver = true));
    while (!isOver) {
      for (const response of waiting.splice(0)) response.end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(statusesOf(await responses)).toHaveLength(1001);
  });
});

describe.each([
  ["the server", async (url: string) => url],
  ["the proxy", startProxyOf],
])("%s", (_title, toUrl) => {
  let at: URL;
  beforeEach(async () => {
    at = new URL(await toUrl((await listen()).url));
  });

  const CLOSE = "Host: x\r\nConnection: close";
  test.each([
    ["no HTTP at all", "hello\r\n\r\n"],
    ["a header without a name", `${LIST.slice(0, -2)}: x\r\n\r\n`],
    ["two lengths", `${UPDATE}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`],
    ["a length and chunks", `${UPDATE}Content-Length: 5\r\n${CHUNKED}0\r\n\r\n`],
    ["a method in lower case", `patch${LIST.slice(3)}`, "Methods are case-sensitive: PATCH."],
    ["a method that HTTP lacks", `FIND${LIST.slice(3)}`],
    ["a request without Host", LIST.replace("Host: x", "Connection: close")],
    ["a request with two Hosts", LIST.replace("Host: x", "Host: x\r\nhost: y")],
    ["chunks in HTTP/1.0", `${UPDATE.replace("1.1", "1.0")}${CHUNKED}1c\r\n${BODY}\r\n0\r\n\r\n`],
    ["HTTP/0.9", "GET /v1/notifications\r\n\r\n"],
    ["HTTP/2.0", LIST.replace("HTTP/1.1", "HTTP/2.0")],
    ["a target without host or path", LIST.replace("/v1/notifications", "http://")],
  ])("%s is rejected, and the connection ends", async (_title, request, remedy = "") => {
    expect(expectRejection(await text(await open(at, request)), 400).message).toContain(remedy);
  });

  test.each([
    ["an unknown expectation", LIST.replace("Host: x", `${CLOSE}\r\nExpect: y`)],
    ["a header after 2,000 others", LIST.replace("Host: x", `${"a:b\r\n".repeat(2001)}${CLOSE}`)],
  ])("%s is accepted", async (_title, request) => {
    expect(statusesOf(await text(await open(at, request)))).toEqual([200]);
  });

  test("a client that closes gets the response to a body that nothing reads", async () => {
    const headers = { authorization: `ApiKey ${API_KEY}`, "content-type": "text/plain", connection: "close" };
    for (let time = 0; time < 3; time += 1) {
      const sending = request(`${at.origin}${PREFERENCES}`, { method: "PATCH", headers });
      sending.end(Buffer.alloc(10_000_000, " "));
      const [response] = await once(sending, "response");
      expect(response.resume().statusCode).toBe(415);
      if (!sending.destroyed) await once(sending, "close"); // the rest of the body is under way
    }
  });

  test.each([
    ["no HTTP", "garbage\r\n\r\n"],
    ["a body that is no chunk", `${UPDATE}${CHUNKED}zz\r\n`],
    ["no Host", "GET / HTTP/1.1\r\n\r\n"],
  ])("%s after a valid request: each gets its response, in order", async (_title, malformed) => {
    const warnings = collectWarnings();
    const valid = `${UPDATE}Content-Length: ${BODY.length}\r\nPrefer: delay=50\r\n\r\n${BODY}`;
    expect(statusesOf(await text(await open(at, valid + malformed)))).toEqual([200, 400]);
    expect(warnings).toEqual([]);
  });

  test("ends the connection if a response had begun: a second one would be read as its rest", async () => {
    const upstream = await listen({}, (_request, response) => void response.writeHead(200).write("half of it"));
    const socket = await open(new URL(await toUrl(upstream.url)));
    const received = text(socket);
    socket.write(UPDATE + CHUNKED);
    await once(socket, "data");
    socket.write("zz\r\n");
    expect(statusesOf(await received)).toEqual([200]);
  });
});

test("behind a delayed response, what is not HTTP is rejected once, whatever the client still sends", async () => {
  const warnings = collectWarnings();
  const socket = await open(await listen(), LIST.replace("Host: x", "Host: x\r\nPrefer: delay=200"));
  const received = text(socket);
  for (let count = 0; count < 12; count += 1) {
    socket.write("hello\r\n\r\n");
    await pause(5); // so that each is read alone
  }
  expect([statusesOf(await received), warnings]).toEqual([[200, 400], []]);
});

test("an empty host is rejected, since it would listen on all addresses", async () => {
  await expect(startServer({ host: "", apiKey: "own-key" })).rejects.toThrow("(no address is given)");
});

describe("a stop while connections are open", () => {
  test.each([
    ["nothing was sent", ""],
    ["half a head was sent", UPDATE],
    ["a request had its response and the connection was kept", LIST],
  ])("%s: the connection ends immediately", async (_title, request) => {
    const listener = await listen();
    const socket = await open(listener, request);
    if (request === LIST) await once(socket, "data");
    const ended = new Promise((resolve) => socket.resume().once("close", resolve));
    socket.once("end", () => socket.end());
    await listener.stop();
    await ended;
  });

  test("a request in progress on a kept connection gets its response", async () => {
    const listener = await listen();
    const socket = await open(listener, LIST);
    await once(socket, "data");
    const closed = listener.stop();
    setImmediate(() => socket.write(LIST));
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1.1 200 /);
    expect(response).toContain("Connection: close\r\n");
    await closed;
  });

  test("a response that has begun is completed first", async () => {
    let finish = () => {};
    const listener = await listen({}, (_request, response) => {
      response.writeHead(200).write("half");
      finish = () => void response.end(" and half");
    });
    const socket = await open(listener, LIST);
    const received = text(socket);
    await once(socket, "data");
    const stopped = listener.stop();
    finish();
    expect(await received).toContain(" and half");
    await stopped;
  });

  test("a second close waits for the first", async () => {
    const server = await startServer({ seed: "empty" });
    const closed: string[] = [];
    const close = (name: string) => server.close().then(() => closed.push(name));
    await Promise.all([close("first"), close("second")]);
    expect(closed).toEqual(["first", "second"]);
  });
});
