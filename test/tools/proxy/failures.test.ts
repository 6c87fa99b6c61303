// Failures between client and upstream: the proxy reports them, both sides notice, and the proxy goes on.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createProxyCommand, openReportFile } from "../../../src/cli/proxy-command.js";
import { loadContract } from "../../../src/contract/contract.js";
import { ConfigError } from "../../../src/core/options.js";
import { startProxy } from "../../../src/tools/proxy/proxy-server.js";
import { runInProcess } from "../../support/in-process.js";
import {
  AUTHORIZED,
  exchanged,
  list,
  PAGE,
  PAGE_HEADERS,
  proxied,
  proxiedSocket,
  received,
  reported,
  responding,
  sendRaw,
  type Watched,
} from "./proxied.js";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n";

const LEFT = {
  kind: "notChecked",
  direction: "response",
  location: "connection",
  message: "not checked: the client left before the end",
};

describe("the upstream", () => {
  test("is down › the proxy responds with 502 and reports it, and the next request is forwarded", async () => {
    const { proxy, server, url } = await proxied(responding());
    server.close();
    const down = await list(proxy, "?limit=1");
    expect(down.status).toBe(502);
    expect(down.headers.get("via")).toBe("1.1 notifications-contract");
    const body = (await down.json()) as { statusCode: number; path: string; message: string };
    expect(body).toMatchObject({ statusCode: 502, path: "/v1/notifications?limit=1" });
    expect(body.message).toMatch(/^No response from http:\S+: .*ECONNREFUSED.*The proxy sent this/);
    const { schemas } = await loadContract();
    expect(schemas.get("ErrorResponse")?.check(body, ["body"])).toEqual([]);

    server.listen(Number(new URL(url).port), "127.0.0.1");
    await once(server, "listening");
    const up = await list(proxy);
    expect(up.status).toBe(200);
    expect(await up.json()).toEqual(PAGE);
    expect(await reported(proxy)).toMatchObject([{ direction: "response", exchange: 1, location: "connection" }]);
    expect(proxy.entries[0]?.message).toContain("ECONNREFUSED");
  });

  test("sends 200 members that are not known › 100 are reported, and the rest is counted", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1]));
    const { entries } = await exchanged(responding({ ...PAGE, ...unknown }));
    expect(entries).toHaveLength(101);
    expect(entries.at(-1)?.message).toBe("has 100 more violations, which are not listed");
  });

  test.each([
    ["50,000 items", `[${"{},".repeat(5e4)}{}]`],
    ["lists nested without end", "[".repeat(2e5) + "]".repeat(2e5)],
  ])("sends %s › they are forwarded, and not checked", async (_title, items) => {
    const body = `{"page":0,"pageSize":10,"hasMore":false,"data":[${items}]}`;
    const { proxy } = await proxied(responding(body));
    expect(await (await list(proxy)).text()).toBe(body);
    await proxy.close();
    const message = "not checked: the body has more than 20000 entries, or more than 200 levels";
    expect(proxy.entries.map((entry) => entry.message)).toEqual([message]);
    expect(proxy.internalErrors).toEqual([]);
  });

  test.each([
    ["closes without a response", "", 502],
    ["sends what is not HTTP", "hello\r\n\r\n", 502],
    ["changes the protocol unasked", "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", 502],
    ["sends a status that cannot be written", "HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\nok", 502],
    ["sends a reason phrase that cannot be written", "HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\nok", 502],
    [
      "sends a header that cannot be written",
      "HTTP/1.1 200 OK\r\nX-A: 1\r\nX-B: \x01\r\nContent-Length: 2\r\n\r\nok",
      502,
    ],
  ])("%s › %j › %d", async (_title, response, status) => {
    const { proxy } = await proxiedSocket((socket) => socket.once("data", () => socket.end(response)));
    const { status: sent, statusText, headers } = await list(proxy);
    expect([sent, statusText, headers.has("date"), headers.get("x-a")]).toEqual([status, "Bad Gateway", true, null]);
    expect(await reported(proxy)).toMatchObject([{ direction: "response", location: "connection" }]);
    expect(proxy.internalErrors).toEqual([]);
  });

  test("ends its response early › the client sees that, and it is reported", async () => {
    const { proxy } = await proxiedSocket((socket) => socket.once("data", () => socket.end(`${HEAD}{"page"`)));
    const response = await list(proxy);
    await expect(response.text()).rejects.toThrow();
    expect(await reported(proxy)).toMatchObject([{ direction: "response", status: 200, location: "body" }]);
    expect(proxy.entries[0]?.message).toMatch(/^ended early/);
  });

  test("responds before it has read the body › the response is forwarded, and the body is checked", async () => {
    const { proxy, server } = await proxied(() => {});
    server.on("request", (_incoming, response) => response.writeHead(401).end());
    const outgoing = request(`${proxy.url}/v2/subscribers/a/preferences`, { method: "PATCH", headers: AUTHORIZED });
    outgoing.setHeader("content-type", "application/json");
    outgoing.write('{"chan');
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(401);
    outgoing.end('nels":1}');
    response.resume();
    await once(response, "end");
    await proxy.close();
    const [sent] = proxy.entries;
    expect(sent).toMatchObject({ direction: "request", location: "body.channels", message: "must be an object" });
  });
});

describe("the client", () => {
  test.each([
    ["before", false],
    ["during", true],
  ])("leaves %s the response › the upstream's is aborted, and that is counted", async (_title, isBegun) => {
    const { proxy, server } = await proxied(() => {});
    const outgoing = request(`${proxy.url}/v1/notifications`, { headers: AUTHORIZED }).end();
    outgoing.on("error", () => {});
    const { response } = await received(server);
    if (isBegun) {
      response.writeHead(200, PAGE_HEADERS).write('{"page"');
      const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
      incoming.on("error", () => {});
    }
    outgoing.destroy();
    await once(response, "close");
    expect(response.writableFinished).toBe(false);
    expect(await reported(proxy)).toMatchObject([LEFT]);
    expect(proxy.summary()).toMatchObject({ violations: { request: 0, response: 0 }, notChecked: 1 });
  });

  test("leaves while it sends its body › the upstream sees that, and it is counted", async () => {
    const { proxy, server } = await proxied(() => {});
    const outgoing = request(`${proxy.url}/v2/subscribers/a/preferences`, { method: "PATCH" });
    outgoing.on("error", () => {});
    outgoing.write("{");
    const { incoming } = await received(server);
    const cut = once(incoming, "error");
    outgoing.destroy();
    expect((await cut)[0]).toMatchObject({ code: "ECONNRESET" });
    expect(await reported(proxy)).toMatchObject([LEFT]);
  });

  test("does not send HTTP › 400, reported without its text, and nothing is forwarded", async () => {
    const { proxy, server } = await proxied(() => {});
    server.on("request", () => expect.unreachable());
    const { head } = await sendRaw(proxy.url, "GET /\xe9 HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(head[0]).toBe("HTTP/1.1 400 Bad Request");
    await proxy.close();
    expect(proxy.entries).toMatchObject([{ direction: "request", operation: null, method: "?", location: "request" }]);
  });

  test("sends more headers than the proxy forwards › 431, which names the proxy's own limit", async () => {
    const { proxy, server } = await proxied(() => {});
    server.on("request", () => expect.unreachable());
    const large = `X-Large: ${"x".repeat(65 * 1024)}`;
    const { head, body } = await sendRaw(proxy.url, `GET / HTTP/1.1\r\nHost: x\r\n${large}\r\n\r\n`);
    expect(head[0]).toBe("HTTP/1.1 431 Request Header Fields Too Large");
    expect(body).toContain("larger than 64 KiB");
    expect(await reported(proxy)).toMatchObject([{ direction: "request", decision: "D-73" }]);
  });

  test.each(["h2c", "websocket"])("offers %s › the response is HTTP/1.1, as RFC 9110 §7.8 allows", async (protocol) => {
    const { proxy } = await proxied((incoming, response) => {
      expect(incoming.headers).not.toHaveProperty("upgrade");
      response.writeHead(200, PAGE_HEADERS).end(JSON.stringify(PAGE));
    });
    const upgrade = `Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAM`;
    const { head } = await sendRaw(proxy.url, `GET /v1/notifications HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`);
    expect(head[0]).toBe("HTTP/1.1 200 OK");
  });
});

/** Stops a proxy and skips the grace period of exchanges in progress. */
async function closeOutOfTime(proxy: Watched): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = proxy.close();
  vi.advanceTimersByTime(5000);
  await closed;
}

describe("the proxy", () => {
  test.skipIf(!existsSync("/dev/full"))(
    "whose report is on a full disk goes on, whatever it has to report",
    async () => {
      const { proxy } = await proxied(responding("{}"));
      proxy.events.on("entry", openReportFile("/dev/full"));
      expect((await sendRaw(proxy.url, "hello\r\n\r\n")).head[0]).toBe("HTTP/1.1 400 Bad Request");
      expect((await list(proxy)).status).toBe(200);
      await proxy.close();
      expect(proxy.internalErrors.map(({ message }) => message)).toEqual(
        Array(2).fill(expect.stringMatching(/^ENOSPC/)),
      );
      expect(proxy.summary()).toMatchObject({ requests: 2, internalErrors: 2 });
    },
  );

  test("finishes exchanges in progress before it closes", async () => {
    const { proxy, server } = await proxied(() => {});
    const pending = list(proxy);
    const { response } = await received(server);
    const closed = proxy.close();
    response.writeHead(200, PAGE_HEADERS).end(JSON.stringify({ ...PAGE, page: -1 }));
    expect((await pending).status).toBe(200);
    await closed;
    expect(proxy.entries.map(({ location }) => location)).toEqual(["body.page"]);
  });

  const NONE = "the upstream sent no response: the proxy stopped before it came";
  const CUT = "not checked: the proxy stopped before the end";
  test.each([
    ["the missing response", false, { kind: "violation", direction: "response", message: NONE }],
    ["one that its stop aborts", true, { kind: "notChecked", message: CUT }],
  ])(
    "closes in any case after some seconds; both sides see that, and %s is reported",
    async (_title, isBegun, want) => {
      const { proxy, server } = await proxied(() => {});
      const pending = list(proxy);
      const { response } = await received(server);
      if (isBegun) response.writeHead(200, PAGE_HEADERS).write('{"page"');
      const rejected = expect(isBegun ? (await pending).text() : pending).rejects.toThrow();
      await Promise.all([closeOutOfTime(proxy), rejected, once(response, "close")]);
      expect(proxy.entries).toMatchObject([{ location: "connection", ...want }]);
      expect(proxy.summary().violations.response).toBe(isBegun ? 0 : 1);
    },
  );

  test.each([
    ["is still sending", "/v1/notifications", [CUT]],
    ["has its response and is still sending", "/other", []],
  ])("closes in any case, and does not blame the upstream for a client that %s", async (_title, path, messages) => {
    const { proxy, server } = await proxied((incoming, response) => {
      if (incoming.url === "/other") response.end();
    });
    const outgoing = request(proxy.url + path, { method: "PUT", headers: AUTHORIZED });
    outgoing.on("error", () => {});
    const isWaiting = path === "/other" ? once(outgoing, "response") : once(server, "request");
    outgoing.write("{");
    await isWaiting;
    await closeOutOfTime(proxy);
    expect(proxy.entries.map(({ message }) => message)).toEqual(messages);
  });

  test("reports what is not HTTP behind a pending response once, whatever the client still sends", async () => {
    const { proxy, server } = await proxied(() => {});
    const socket = connect(proxy.port, "127.0.0.1");
    socket.write("GET /v1/notifications HTTP/1.1\r\nHost: x\r\n\r\n");
    const { response } = await received(server);
    for (let count = 0; count < 12; count += 1) {
      socket.write("hello\r\n\r\n");
      await pause(10); // so that each is read alone
    }
    response.writeHead(200, PAGE_HEADERS).end(JSON.stringify(PAGE));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 400 /s);
    expect(proxy.entries.filter(({ message }) => message.startsWith("is not valid HTTP"))).toHaveLength(1);
  });

  test("closes although clients have connections with no request, or with half of one", async () => {
    const { proxy } = await proxied(() => {});
    for (const text of ["", "GET / HTTP/1.1\r\nHo"]) {
      const socket = connect(proxy.port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      await once(socket, "connect");
      await new Promise((resolve) => socket.write(text, resolve));
    }
    await proxy.close(); // else Node waits a minute, and the test fails
    expect(proxy.summary().requests).toBe(0);
  });

  test.each([
    ["ftp://a.example", /http or https/],
    ["not a url", /http or https/],
    ["http://user:secret@a.example", /Credentials belong to the requests/],
    ["http://a.example/?key=secret", /no user, query or fragment/],
    ["http://localhost:4030", /the proxy itself/],
  ])("does not start before %s", async (upstream, message) => {
    const start = startProxy({ upstream, port: 4030 });
    await expect(start).rejects.toThrow(ConfigError);
    await expect(start).rejects.toThrow(message);
  });

  test("--report in a folder that does not exist exits with 2", async () => {
    const options = ["--upstream", "http://127.0.0.1:9", "--report", "nowhere/violations.jsonl"];
    const { code, stderr } = await runInProcess(createProxyCommand(), ...options);
    expect([code, stderr]).toEqual([2, expect.stringContaining("violations.jsonl")]);
  });
});
