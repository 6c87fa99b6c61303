// Requests and responses arrive as they were sent: each test compares both ends.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  list,
  PAGE,
  PAGE_HEADERS,
  proxied,
  proxiedSocket,
  received,
  reported,
  responding,
  sendRaw,
  update,
} from "./proxied.js";

const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** A proxy before an upstream that records the last request and responds with a page. */
async function noting() {
  const noted: { method?: string; url?: string; rawHeaders?: string[]; rawTrailers?: string[]; body?: Buffer } = {};
  const upstream = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "", url = "", rawHeaders, rawTrailers } = incoming;
    Object.assign(noted, { method, url, rawHeaders, rawTrailers, body: Buffer.concat(chunks) });
    response.writeHead(200, PAGE_HEADERS).end(JSON.stringify(PAGE));
  };
  return { noted, upstream, ...(await proxied(upstream)) };
}

const MANY = 4000; // bytes of headers

describe("a request is forwarded as it was sent", () => {
  test("method, path and query, byte by byte", async () => {
    const { noted, proxy } = await noting();
    const target = "/v1//notifications/../a%7e%2F{}^?b=+%20&&c&channels[]=x;y='\"|";
    await sendRaw(proxy.url, `LINK ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(noted.method).toBe("LINK");
    expect(noted.url).toBe(target);
  });

  test("headers in their order and case, the repeated ones too; Host names the upstream", async () => {
    const { noted, proxy, url } = await noting();
    const headers =
      "X-Odd: 1\r\nhOsT: x\r\nX-mid: m\r\nx-odD: 2\r\nAuthorization: ApiKey k\r\nX-Latin: \xe9\r\nprefer: code=503";
    await sendRaw(proxy.url, `GET / HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
    const sent = ["X-Odd", "1", "hOsT", new URL(url).host, "X-mid", "m", "x-odD", "2", "Authorization", "ApiKey k"];
    expect(noted.rawHeaders?.slice(0, 14)).toEqual([...sent, "X-Latin", "\xe9", "prefer", "code=503"]);
    expect(noted.rawHeaders?.slice(14)).toEqual(["Connection", "close"]); // the proxy's own connection
  });

  test("without the headers of its connection, and those that Connection names", async () => {
    const { noted, proxy } = await noting();
    const own = "Connection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=9\r\nTE: trailers";
    await sendRaw(proxy.url, `POST / HTTP/1.1\r\nHost: x\r\n${own}\r\nX-End: 1\r\nContent-Length: 2\r\n\r\nok`);
    const names = noted.rawHeaders?.filter((_, index) => index % 2 === 0);
    expect(names).toEqual(["Host", "X-End", "Content-Length", "Connection"]);
    expect(noted.body?.toString()).toBe("ok");
  });

  const SECOND = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
  const LENGTH = `Content-Length: ${SECOND.length}`;
  const CHUNKS = `${SECOND.length.toString(16)}\r\n${SECOND}\r\n0\r\n\r\n`;
  test.each([
    ["its length is an option of Connection", `Connection: close, content-length\r\n${LENGTH}`, SECOND],
    [
      "its chunks are an option of Connection",
      "Connection: Transfer-Encoding, close\r\nTransfer-Encoding: chunked",
      CHUNKS,
    ],
    ["its host is an option of Connection", `Connection: HOST\r\nConnection: close\r\n${LENGTH}`, SECOND],
    ["its length comes after 2,000 other headers", `${"a:b\r\n".repeat(2001)}${LENGTH}\r\nConnection: close`, SECOND],
  ])("with its whole body, though %s: no second request is read from it", async (_title, headers, body) => {
    for (const method of ["GET", "HEAD", "DELETE", "OPTIONS", "POST"]) {
      const requests: string[] = [];
      const { proxy, server } = await proxied(async (incoming, response) => {
        const bytes = Buffer.concat(await incoming.toArray());
        requests.push(`${incoming.method} ${incoming.url} ${incoming.headers.host} ${bytes}`);
        response.end();
      });
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { head } = await sendRaw(proxy.url, `${method} / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`);
      const isRejected = headers.length > MANY && head[0]?.includes(" 431 "); // by newer versions of Node, as a whole
      expect(requests).toEqual(isRejected ? [] : [`${method} / ${host} ${SECOND}`]);
    }
  });

  test("in chunks, without trailers", async () => {
    const { noted, proxy } = await noting();
    const head =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\nTrailer: X-Sum\r\nX-Latin: \xe9\r\nConnection: close\r\n\r\n";
    await sendRaw(proxy.url, `${head}3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n`);
    expect(noted.rawHeaders?.slice(2, 6)).toEqual(["Transfer-Encoding", "Chunked", "X-Latin", "\xe9"]);
    expect(noted.body?.toString()).toBe("abcde");
    expect(noted.rawTrailers).toEqual([]);
  });

  test("without a body when it has none", async () => {
    const { noted, proxy } = await noting();
    await sendRaw(proxy.url, "PATCH / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(noted.rawHeaders).toEqual(["Host", expect.anything(), "Content-Length", "0", "Connection", "close"]);
  });

  test("from HTTP/1.0, and in absolute form", async () => {
    const { noted, proxy, url } = await noting();
    const { body } = await sendRaw(proxy.url, "GET http://elsewhere.example?x=1 HTTP/1.0\r\n\r\n");
    expect(noted.url).toBe("/?x=1");
    expect(noted.rawHeaders?.slice(0, 2)).toEqual(["Host", new URL(url).host]);
    expect(body).toBe(JSON.stringify(PAGE));
  });

  test("after the upstream's own path", async () => {
    const { noted, upstream, url } = await noting();
    const { proxy } = await proxied(upstream, { upstream: `${url}/pre%20fix/` });
    await list(proxy, "?limit=10");
    expect(noted.url).toBe("/pre%20fix/v1/notifications?limit=10");
    expect(await reported(proxy)).toEqual([]); // the contract's path is the one that the client requested
  });

  test("before it has ended", async () => {
    const { proxy, server } = await proxied(() => {});
    const outgoing = request(`${proxy.url}/`, { method: "POST" });
    outgoing.write("first");
    const { incoming, response } = await received(server);
    const [first] = await once(incoming, "data");
    expect(String(first)).toBe("first"); // the client holds back the rest until here
    outgoing.end("second");
    const [second] = await once(incoming, "data");
    expect(String(second)).toBe("second");
    response.end();
    await once(outgoing, "response");
  });
});

describe("a response is forwarded as it was sent", () => {
  test("status, reason and headers in their order and case, Set-Cookie twice", async () => {
    const lines = [
      "HTTP/1.1 299 Fine By Me",
      "X-Odd: 1",
      "Set-Cookie: a=1",
      "X-mid: \xe9",
      "set-cookie: b=2",
      "x-ODD: 2",
    ];
    const { proxy } = await proxiedSocket((socket) =>
      socket.once("data", () => socket.end([...lines, "Content-Length: 2", "", "ok"].join("\r\n"), "latin1")),
    );
    const { head, body } = await sendRaw(proxy.url, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(head).toEqual([...lines, "Content-Length: 2", "Connection: close"]); // no Date, no Via
    expect(body).toBe("ok");
  });

  test("without the headers of its connection, in chunks, without trailers", async () => {
    const hop = "Connection: close, X-Hop\r\nX-Hop: 1\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked";
    const sent = `HTTP/1.1 200 OK\r\n${hop}\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 3\r\n\r\n`;
    const { proxy } = await proxiedSocket((socket) => socket.once("data", () => socket.end(sent)));
    const { head, body } = await sendRaw(proxy.url, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(head).toEqual(["HTTP/1.1 200 OK", "Connection: close", "Transfer-Encoding: chunked"]);
    expect(body).toBe("3\r\nabc\r\n0\r\n\r\n");
  });

  test.each([
    ["HEAD", "200 OK", ["Content-Length: 50"]],
    ["GET", "204 No Content", []],
    ["GET", "304 Not Modified", ["ETag: x", "Content-Length: 50"]],
  ])("%s › %s › no body", async (method, status, lines) => {
    const { proxy } = await proxiedSocket((socket) =>
      socket.on("data", () => socket.write([`HTTP/1.1 ${status}`, ...lines, "", ""].join("\r\n"))),
    );
    const { head, body } = await sendRaw(proxy.url, `${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(head).toEqual([`HTTP/1.1 ${status}`, ...lines, "Connection: close"]);
    expect(body).toBe("");
  });

  test("before it has ended, its head before its body", async () => {
    const { proxy, server } = await proxied(() => {});
    const outgoing = request(`${proxy.url}/v1/notifications`).end();
    const { response } = await received(server);
    response.writeHead(200).flushHeaders();
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    response.write("first"); // the upstream holds each piece back until the one before has arrived
    expect(String((await once(incoming, "data"))[0])).toBe("first");
    const ended = once(incoming, "end");
    response.end("second");
    expect(String((await once(incoming, "data"))[0])).toBe("second");
    await ended;
  });

  test("compressed, byte by byte, and is still checked", async () => {
    const bytes = gzipSync(JSON.stringify({ ...PAGE, extra: 1 }));
    const coding = { "Content-Encoding": "gzip", "Content-Length": bytes.length };
    const { proxy } = await proxied(responding(bytes, 200, coding));
    const headers = "Host: x\r\nAuthorization: ApiKey k\r\nConnection: close";
    const { head, body } = await sendRaw(proxy.url, `GET /v1/notifications HTTP/1.1\r\n${headers}\r\n\r\n`);
    expect(Buffer.from(body, "latin1")).toEqual(bytes);
    expect(head).toContain("Content-Encoding: gzip");
    expect((await reported(proxy)).map(({ location }) => location)).toEqual(["body.extra"]);
  });

  test("in full, when it is too large to be checked; that is reported", async () => {
    const bytes = Buffer.from(JSON.stringify({ ...PAGE, filling: "x".repeat(5_300_000) }));
    const { proxy } = await proxied(responding(bytes));
    const response = await list(proxy);
    expect(digest(Buffer.from(await response.arrayBuffer()))).toBe(digest(bytes));
    await proxy.close();
    expect(proxy.entries).toMatchObject([{ kind: "notChecked", direction: "response", status: 200, location: "body" }]);
    expect(proxy.entries[0]?.message).toContain("larger than 5242880 bytes");
    expect(proxy.summary()).toMatchObject({ violations: { request: 0, response: 0 }, notChecked: 1 });
  });

  test("in full, when it is small and large once decoded", async () => {
    const bytes = gzipSync(Buffer.alloc(6_000_000));
    const { proxy } = await proxied(responding(bytes, 200, { "content-encoding": "gzip" }));
    expect((await (await list(proxy)).arrayBuffer()).byteLength).toBe(6_000_000);
    expect((await reported(proxy)).map(({ kind }) => kind)).toEqual(["notChecked"]);
  });

  test("a large request is forwarded in full, and reported as one", async () => {
    const { noted, proxy } = await noting();
    const body = Buffer.from(JSON.stringify({ channels: {}, filling: "x".repeat(1_000_000) }));
    await update(proxy, body.toString());
    expect(digest(noted.body ?? Buffer.alloc(0))).toBe(digest(body));
    expect((await reported(proxy))[0]).toMatchObject({ direction: "request", location: "body", decision: "D-52" });
  });
});
