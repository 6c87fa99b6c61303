// Connections: malformed heads, and a stop while connections are open.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type RunningServer, startServer } from "../../../src/start-server.js";
import { contract } from "../../support/contract.js";

const HEAD = "PATCH /v2/subscribers/ines-moreau/preferences HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey demo-key\r\n";
const LIST = "GET /v1/notifications?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey demo-key\r\n\r\n";

let server: RunningServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

async function open(text: string): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

test.each([
  ["no HTTP at all", "hello\r\n\r\n", 400],
  ["a header without a name", `${LIST.slice(0, -2)}: x\r\n\r\n`, 400],
  ["two lengths", `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`, 400],
  ["a length and chunks", `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ["a method in lower case", `patch${LIST.slice(3)}`, 400, "Methods are case-sensitive: PATCH."],
  ["a method that HTTP lacks", `FIND${LIST.slice(3)}`, 400],
  ["a head of 17 KiB", `GET /v1/notifications?search=${"x".repeat(17 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
])(
  "a request that is not HTTP (D-73): %s gets an error response, and the connection ends",
  async (_title, request, status, remedy = "") => {
    const response = await text(await open(request));
    const [head = "", body = ""] = response.split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(contract.schemas.get("ErrorResponse")?.check(JSON.parse(body), ["body"])).toEqual([]);
    const message = expect.stringContaining(remedy);
    expect(JSON.parse(body)).toMatchObject({ statusCode: status, message, ctx: { decision: "D-73" } });
  },
);

test("behind a delayed response it is rejected once, whatever the client still sends", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const socket = await open(LIST.replace("Host: x", "Host: x\r\nPrefer: delay=300"));
  const received = text(socket);
  for (let count = 0; count < 12; count += 1) {
    socket.write("hello\r\n\r\n");
    await pause(10); // so that each is read alone
  }
  const statuses = [...(await received).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  expect([statuses, warnings]).toEqual([[200, 400], []]);
});

test("an empty host is rejected, since it would listen on all addresses", async () => {
  await expect(startServer({ host: "", apiKey: "own-key" })).rejects.toThrow("(no address is given)");
});

describe("a stop while connections are open", () => {
  test.each([
    ["nothing was sent", ""],
    ["half a head was sent", HEAD],
    ["a request had its response and the connection was kept", LIST],
  ])("%s: the connection ends immediately", async (_title, request) => {
    const socket = await open(request);
    if (request === LIST) await once(socket, "data");
    socket.resume();
    socket.on("error", (error: NodeJS.ErrnoException) => expect(error.code).toBe("ECONNRESET")); // ended as well
    const ended = new Promise((resolve) => socket.once("close", resolve));
    await server.close();
    await ended;
  });

  test("a request in progress on a kept connection gets its response", async () => {
    const socket = await open(LIST);
    await once(socket, "data");
    const closed = server.close();
    setImmediate(() => socket.write(LIST));
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1.1 200 /);
    expect(response).toContain("Connection: close\r\n");
    await closed;
  });

  test("a second close waits for the first", async () => {
    const closed: string[] = [];
    const close = (name: string) => server.close().then(() => closed.push(name));
    await Promise.all([close("first"), close("second")]);
    expect(closed).toEqual(["first", "second"]);
  });
});
