import { once } from "node:events";
import { request as openRequest } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Controlled, startControlled } from "../support/controlled.js";
import { createLogLines } from "../support/log-lines.js";
import { sendTo } from "../support/socket-request.js";

const PREFERENCES = "PATCH /v2/subscribers/ines-moreau/preferences";

const { log, lines, logged } = createLogLines();
const server = await startControlled({ log }, afterAll);

describe("the request history", () => {
  beforeEach(async () => {
    await server.control("DELETE /requests");
    lines.splice(0);
  });

  test("shows requests to the API with their responses, without public pages and the control plane", async () => {
    const server = await startControlled();
    await fetch(`${server.url}/health`);
    await server.request(server.apiKey, PREFERENCES, { body: '{"channels":{"email":false}}' });
    const { body } = await server.control("GET /requests");
    const sent = { method: "PATCH", target: PREFERENCES.slice(6), body: '{"channels":{"email":false}}' };
    const outcome = { operation: "updatePreferences", environment: "default", status: 200, violations: [] };
    expect(body).toMatchObject({ latest: 1, requests: [{ number: 1, ...sent, ...outcome }] });
    expect(JSON.parse(body.requests[0].responseBody).global.channels.email).toBe(false);
    const { responseBody: _body, responseBytes: _bytes, responseHeaders, ...others } = body.requests[0];
    expect(responseHeaders).toMatchObject({
      "content-type": expect.stringMatching(/^application\/json/),
      "x-request-id": others.id,
    });
    expect((await server.control("GET /requests?responseBodies=false")).body.requests).toEqual([others]);
  });

  test("keeps 8 KiB of each body with its size, and says which one is a replay", async () => {
    const server = await startControlled();
    const query = "x".repeat(10_000);
    await server.request(server.apiKey, PREFERENCES, { body: JSON.stringify({ query }) });
    await server.request(server.apiKey, "GET /v1/notifications?limit=1");
    await server.request(server.apiKey, "GET /v1/notifications?limit=50");
    const update = { body: '{"channels":{"email":false}}', headers: { "idempotency-key": "key-1" } };
    for (const _time of [1, 2]) await server.request(server.apiKey, PREFERENCES, update);
    const [long, one, fifty, first, replay] = (await server.control("GET /requests")).body.requests;
    expect([long.body.length, long.bodyBytes]).toEqual([8_192, 10_012]);
    expect(JSON.parse(one.responseBody).data).toHaveLength(1);
    expect(one.responseBytes).toBe(Buffer.byteLength(one.responseBody));
    expect(Buffer.byteLength(fifty.responseBody)).toBe(8_192);
    expect(fifty.responseBytes).toBe(Number(fifty.responseHeaders["content-length"]));
    expect([first.replayed, replay.replayed]).toEqual([undefined, true]);
    expect((await server.control("GET /requests?search=Replay")).body.requests).toEqual([replay]);
  });

  test("is in the order and with the time of receipt, whatever the environment's clock says", async () => {
    const mine = await server.createEnvironment();
    const list = () => mine.request("GET /v1/notifications?limit=1");
    await mine.control("POST /clock/advance", { milliseconds: 86_400_000 });
    await list();
    await mine.control("DELETE /clock");
    await list();
    await mine.control("PUT /clock", { mode: "frozen", now: "2031-05-05T12:00:00Z" });
    await list();
    const { requests } = (await server.control(`GET /requests?environment=${mine.name}`)).body;
    const times: number[] = requests.map(({ at }: { at: string }) => Date.parse(at));
    expect(times).toEqual(times.toSorted());
    for (const time of times) expect(Math.abs(Date.now() - time)).toBeLessThan(60_000);
    const [ahead, usual, frozen] = requests;
    expect(Date.parse(ahead.environmentTime) - Date.parse(ahead.at)).toBeCloseTo(86_400_000, -4);
    expect([usual.environmentTime, frozen.environmentTime]).toEqual([undefined, "2031-05-05T12:00:00.000Z"]);
  });

  test("the polling of our own pages is not logged; what they change is", async () => {
    const headers = { "x-requested-by": "console" };
    await server.control("GET /requests", undefined, headers);
    await server.control("GET /environments", undefined, headers);
    await server.request(server.apiKey, "GET /v1/notifications?limit=1", { headers });
    await server.control("DELETE /requests", undefined, headers);
    await server.control("GET /ready");
    await logged(/ready/);
    expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "DELETE /_control/requests",
      "GET /_control/ready",
    ]);
  });

  const unread: [string, string, Record<string, string>, number, boolean][] = [
    ["of another media type", PREFERENCES, { "content-type": "text/plain" }, 415, true],
    ["by another method", PREFERENCES.replace("PATCH", "PUT"), {}, 405, true],
    ["to an unknown path", "POST /nowhere", {}, 404, true],
    ["without a valid key", PREFERENCES, { authorization: "ApiKey none" }, 401, true],
    ["that is compressed in an unknown way", PREFERENCES, { "content-encoding": "compress" }, 415, false],
    ["that is long", "POST /nowhere", {}, 404, false],
  ];
  test.each(unread)("has a body that was not read: %s", async (title, what, headers, status, isLogged) => {
    const body = JSON.stringify({
      channels: { email: false },
      note: "x".repeat(title === "that is long" ? 8_192 : 1),
    });
    await server.request(server.apiKey, what, { body, headers });
    const { requests } = (await server.control("GET /requests?waitMs=5000")).body;
    expect([requests[0].status, requests[0].body]).toEqual([status, isLogged ? body : undefined]);
  });

  test("a response does not wait for the rest of a body that nothing reads", async () => {
    const { port, apiKey } = server;
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST /nowhere HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${apiKey}\r\nContent-Length: 4\r\n\r\nab`);
    const [response] = await once(socket, "data");
    expect(String(response)).toMatch(/^HTTP\/1.1 404/);
    socket.destroy();
    const { requests } = (await server.control("GET /requests?waitMs=5000")).body;
    expect(requests).toMatchObject([{ status: 404, body: "ab" }]);
  });

  test.each<[string, string, string | undefined, object]>([
    [
      "a misspelled name",
      "GET /v1/notifications?limmit=5",
      undefined,
      { violations: [{ location: "query.limmit", messages: ["is unknown. Did you mean limit?"] }] },
    ],
    [
      "a path with a prefix",
      "GET /api/v1/notifications",
      undefined,
      { message: expect.stringContaining("Did you mean") },
    ],
    ["invalid JSON", PREFERENCES, '{"channels', { status: 400, body: '{"channels', violations: [] }],
  ])("shows why a request is rejected: %s", async (_title, what, body, expected) => {
    await server.request(server.apiKey, what, body === undefined ? {} : { body });
    const { requests } = (await server.control("GET /requests?rejected=true")).body;
    expect(requests).toMatchObject([expected]);
  });

  test("filters and pages: environment, operation, method, status, rejected, failed, after, limit", async () => {
    const server = await startControlled();
    const mine = await server.createEnvironment({ name: "mine" });
    await server.request(server.apiKey, "GET /v1/notifications");
    await mine.request("GET /v1/notifications?limit=0");
    await mine.request(PREFERENCES, {
      body: '{"channels":{}}',
      headers: { "x-requested-by": "console", "idempotency-key": "key-1" },
    });
    await server.request("unknown", "GET /v1/notifications");
    await mine.control("POST /faults", { status: 503, count: 1 });
    await mine.request("GET /v1/notifications?limit=9");
    await server.control("POST /environments/default/faults", { delayMs: 1, maxDelayMs: 2 });
    await server.request(server.apiKey, "GET /v1/notifications?limit=8");
    await server.control("DELETE /environments/default/faults");
    const rows: [string, number[]][] = [
      ["", [1, 2, 3, 4, 5, 6]],
      ["?environment=mine", [2, 3, 5]],
      ["?operation=listNotifications", [1, 2, 5, 6]],
      ["?method=patch", [3]],
      ["?status=401", [4]],
      ["?rejected=true", [2, 4]],
      ["?rejected=false", [1, 3, 5, 6]],
      ["?failed=true", [5]],
      ["?failed=false", [1, 2, 3, 4, 6]],
      ["?after=2", [3, 4, 5, 6]],
      ["?after=1&limit=1", [2]],
      ["?limit=1", [6]],
      ["?before=4&limit=2", [2, 3]],
      ["?search=V1%2Fnotifications%3F", [2, 5, 6]],
      ["?search=mine&limit=1", [5]],
      ["?search=min", []],
      ["?search=fault", [5, 6]],
      ["?search=delayed", [6]],
      ["?search=422", [2]],
      ["?search=KEY-1", [3]],
      ["?console=true", [3]],
      ["?console=false", [1, 2, 4, 5, 6]],
      ["?environment=mine&rejected=true", [2]],
    ];
    for (const [query, numbers] of rows) {
      const { requests } = (await server.control(`GET /requests${query}`)).body;
      const shown = requests.map((request: { number: number }) => request.number);
      expect(shown, query).toEqual(numbers);
    }
    const { requests: slow } = (await server.control("GET /requests?after=5")).body;
    const injected = { delayMs: 1, maxDelayMs: 2, share: 1, seed: 1 };
    expect(slow, "with its fault, which was removed").toMatchObject([{ fault: expect.any(String), injected }]);
    await server.control("DELETE /requests?environment=mine");
    expect((await server.control("GET /requests")).body.requests).toHaveLength(3);
    await server.control("DELETE /requests");
    expect((await server.control("GET /requests")).body).toEqual({ requests: [], latest: 6, dropped: 0 });
  });

  test("waits for a matching request, or until the time is over", async () => {
    const server = await startControlled();
    const waiting = server.control("GET /requests?status=404&after=0&waitMs=30000");
    await server.request(server.apiKey, "GET /v1/notifications");
    await server.request(server.apiKey, "GET /nowhere");
    expect((await waiting).body.requests).toMatchObject([{ number: 2, status: 404 }]);
    expect((await server.control("GET /requests?status=500&waitMs=20")).body.requests).toEqual([]);
  });

  test("a waiting client does not delay the stop", async () => {
    const server = await startControlled();
    const waiting = server.control("GET /requests?waitMs=30000");
    await server.control("GET /ready"); // so that the first request has arrived
    await server.close();
    expect((await waiting).body.requests).toEqual([]);
  });

  test("contains no key, wherever it was sent", async () => {
    const mine = await server.createEnvironment({ apiKey: "secret+key/1" });
    const inQuery = `GET /v1/notifications?search=${encodeURIComponent(mine.apiKey)}&apiKey=another-one&k=sk_1a2b3c`;
    const others = { "x-api-key": "third-one", "x-auth-token": "fourth-one", "proxy-authorization": "Basic fifth-one" };
    await mine.request(inQuery, { headers: { cookie: "session=mine", ...others } });
    await mine.request(PREFERENCES, { body: `{"channels":{"${mine.apiKey}":true}}` });
    const text = JSON.stringify((await server.control("GET /requests")).body);
    const secrets = [mine.apiKey, encodeURIComponent(mine.apiKey), "another-one", "sk_1a2b3c", "session=mine"];
    for (const secret of [...secrets, "third-one", "fourth-one", "fifth-one"]) expect(text).not.toContain(secret);
    expect(text).toContain('"authorization":"ApiKey …"');
    expect(text).toContain('"x-api-key":"…"');
    expect(text).toContain('"content-type":"application/json"');
  });

  test.each([
    ["before the scheme", "/v1/notifications", { authorization: "secret-key-1 ApiKey" }],
    ["without a scheme", "/v1/notifications", { authorization: "secret-key-1" }],
    ["under another scheme, and in the path", "/v1/secret-key-1", { authorization: "Bearer secret-key-1" }],
    ["in the name of a header", "/v1/notifications", { authorization: "Bearer secret-key-1", "x-secret-key-1": "1" }],
  ])("contains no key that was sent %s", async (_title, target, headers: Record<string, string>) => {
    expect((await sendTo(server.url, { target, headers })).status).toBe(401);
    const { body } = await server.control("GET /requests");
    expect(body.requests).toHaveLength(1);
    expect(decodeURIComponent(JSON.stringify(body))).not.toContain("secret-key-1");
    await logged(/ 401/);
    expect(decodeURIComponent(lines.join("\n"))).not.toContain("secret-key-1");
  });
});

describe("access to the control plane", () => {
  const call = (server: Controlled, headers: Record<string, string>, host = "127.0.0.1") =>
    new Promise<number>((resolve, reject) => {
      openRequest({ host, port: server.port, path: "/_control/ready", headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on("error", reject)
        .end();
    });
  const rows: [string, Record<string, string>, number][] = [
    ["a program of this machine", {}, 200],
    ["a page of this server", { host: "localhost:4010", origin: "http://localhost:4010" }, 200],
    ["a page of another origin", { host: "localhost:4010", origin: "http://localhost:3000" }, 403],
    ["a page of another site that only reads", { host: "localhost:4010", "sec-fetch-site": "cross-site" }, 403],
    ["a typed address", { host: "localhost:4010", "sec-fetch-site": "none" }, 200],
    ["a name that leads here (DNS rebinding)", { host: "evil.example:4010" }, 403],
  ];
  test.each(rows)("%s", async (_title, headers, status) => {
    expect(await call(server, headers)).toBe(status);
  });

  test("with a control key: only with this key", async () => {
    const server = await startControlled({ controlKey: "control-secret" });
    const rejection = await server.control("GET /ready");
    expect([rejection.status, rejection.headers.get("www-authenticate")]).toEqual([401, "ControlKey"]);
    const wrong: Record<string, string>[] = [{ authorization: "ControlKey x" }, { authorization: "ApiKey demo-key" }];
    for (const headers of wrong) expect((await server.control("GET /ready", undefined, headers)).status).toBe(401);
    expect(await call(server, { authorization: "ControlKey control-secret", host: "server.example" })).toBe(200);
  });

  test("with --control-origin: pages of this origin, their preflights included, and no others", async () => {
    const origin = "http://localhost:5173";
    const server = await startControlled({ controlOrigin: origin });
    const headers = { host: "localhost:4010", origin, "sec-fetch-site": "cross-site" };
    expect(await call(server, headers)).toBe(200);
    expect(await call(server, { ...headers, origin: "http://localhost:5174" })).toBe(403);
    const preflight = await fetch(`${server.url}/_control/environments`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type");
  });

  const outside = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  test.runIf(outside)("without one: not from another address", async () => {
    const server = await startControlled({ host: "0.0.0.0", apiKey: "own-key" });
    expect(await call(server, { host: "127.0.0.1" }, outside?.address)).toBe(403);
  });

  test("switched off: its paths are 404, and the API works", async () => {
    const server = await startControlled({ control: false });
    const response = await fetch(`${server.url}/_control/ready`, { headers: { authorization: "ApiKey demo-key" } });
    expect(response.status).toBe(404);
    expect((await server.request(server.apiKey, "GET /v1/notifications")).status).toBe(200);
  });

  test("a path that does not exist is a 404, which names the contract", async () => {
    const { status, body } = await server.control("GET /nowhere");
    expect([status, body.message]).toEqual([404, expect.stringContaining("/_control/openapi.yaml lists the paths")]);
  });

  test.each([
    ["a notification", "POST /environments/default/notifications", { subscriberId: "ines-moreau" }, 413],
    ["an environment with its seed", "POST /environments", {}, 422],
  ])("the size limit of a body: %s", async (_title, what, body, status) => {
    const large = { ...body, [what.endsWith("notifications") ? "payload" : "data"]: { text: "x".repeat(200_000) } };
    expect((await server.control(what, large)).status).toBe(status);
  });
});
