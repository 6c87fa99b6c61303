// `/check`: a fetch of one's own, held to the contract.
import { describe, expect, onTestFinished, test } from "vitest";
import { type CheckOptions, ContractViolationError, checkFetch, toKeepContract } from "../../src/browser/check.js";
import { createClient } from "../../src/browser/client/client.js";
import { createFetchHandler } from "../../src/browser/fetch/fetch-handler.js";
import { buildNotification, buildPage, examples } from "../../src/browser/fetch/fixtures.js";
import { loadSeed } from "../../src/server/store/seed.js";
import { startServer } from "../../src/start-server.js";
import { contract } from "../support/contract.js";

expect.extend({ toKeepContract });
declare module "vitest" {
  interface Matchers<T> {
    toKeepContract(operation: Parameters<typeof toKeepContract>[1]): Promise<T>;
  }
}

const LIST = "https://api.example.com/v1/notifications";
const { firstPage, emptyPage, unavailable } = examples.listNotifications;
const undatedPage = { ...emptyPage, data: [{ createdAt: "today" }] };
const seed = await loadSeed("demo", contract);
const respondWith = (body: unknown, init?: ResponseInit) => checkFetch(async () => Response.json(body, init));

describe("checkFetch", () => {
  test("passes what keeps the contract: the fetch handler and the server, every status, with and without bodies", async () => {
    const server = await startServer();
    onTestFinished(() => server.close());
    const { fetch: handlerFetch } = createFetchHandler({ seed });
    const options: CheckOptions = { baseUrl: server.url, except: [404, 422] };
    for (const { baseUrl, ...more } of [
      { baseUrl: server.url, fetch: checkFetch(fetch, options) },
      { baseUrl: "https://api.example.com", fetch: checkFetch(handlerFetch, { except: [404, 422] }) },
    ]) {
      const client = createClient({ baseUrl, apiKey: "demo-key", ...more });
      const statuses = [
        await client.listNotifications({ limit: 2, channels: ["email"], search: "a b" }),
        await client.updatePreferences("crew/night shift", { channels: { sms: false } }, { idempotencyKey: true }),
        await client.updatePreferences("nobody", { channels: {} }),
        await client.listNotifications({ limit: 51 }),
        await createClient({ baseUrl, apiKey: "other", ...more }).listNotifications(),
      ].map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 404, 422, 401]);
    }
  });

  test.each<[string, string, RequestInit, RegExp]>([
    ["a name", `${LIST}?chanels=email`, {}, /query\.chanels: is unknown\. Did you mean channels\? \(D-28\)/],
    ["a value", `${LIST}?limit=51`, {}, /query\.limit: must be at most 50 \(§4\.2\)/],
    ["a path", "https://api.example.com/v1/notification", {}, /Did you mean GET \/v1\/notifications\?/],
    ["a method", LIST, { method: "DELETE" }, /DELETE/],
    [
      "a body",
      "https://api.example.com/v2/subscribers/x/preferences",
      { method: "PATCH", body: '{"channels":{"emial":true}}', headers: { "content-type": "application/json" } },
      /body\.channels\.emial: is unknown\. Did you mean email\?/,
    ],
  ])("rejects a request by %s, and does not send it", async (_title, url, init, message) => {
    let sent = 0;
    const checked = checkFetch(async () => Response.json({}, { status: 200 + sent++ }));
    await expect(checked(url, init)).rejects.toThrow(message);
    await expect(checked(new Request(url, init))).rejects.toThrow(ContractViolationError);
    expect(sent).toBe(0);
  });

  test("sends an invalid request that is meant, and rejects where its status is another", async () => {
    const { fetch } = createFetchHandler({ seed, apiKey: "demo-key" });
    const init = { headers: { authorization: "ApiKey demo-key" } };
    expect((await checkFetch(fetch, { except: [422] })(`${LIST}?limit=51`, init)).status).toBe(422);
    await expect(checkFetch(fetch, { except: [400] })(`${LIST}?limit=51`, init)).rejects.toThrow("query.limit");
  });

  test.each<[string, unknown, ResponseInit, RegExp]>([
    ["a member", undatedPage, {}, /body\.data\.0\.createdAt: must be a date and time such as 2026-11-02T09:00:00Z/],
    ["a missing member", { page: 0, pageSize: 10, data: [] }, {}, /body\.hasMore: is required \(D-24\)/],
    ["a status", firstPage, { status: 201 }, /status: 201 is not declared for listNotifications/],
    ["a header", unavailable, { status: 503 }, /header\.retry-after: is required/],
    ["a media type", firstPage, { headers: { "content-type": "text/html" } }, /header\.content-type/],
    ["an error's shape", { error: "no" }, { status: 422 }, /body\.statusCode: is required/],
  ])("rejects a response by %s", async (_title, body, init, message) => {
    await expect(respondWith(body, init)(LIST)).rejects.toThrow(message);
  });

  test("leaves the response to be read, names of gateways in it, and other hosts alone", async () => {
    const checked = respondWith(firstPage, { headers: { server: "gateway" } });
    expect(await (await checked(LIST)).json()).toEqual(firstPage);
    const elsewhere = checkFetch(async () => new Response("logo"), { baseUrl: "https://api.example.com/base" });
    expect((await elsewhere("https://cdn.example.com/logo.svg")).status).toBe(200);
    await expect(elsewhere("https://api.example.com/base/v1/notifications")).rejects.toThrow("GET /v1/notifications");
  });

  test("has its own options checked", () => {
    expect(() => checkFetch(fetch, { exept: [] } as never)).toThrow("Did you mean `except`?");
  });
});

describe("toKeepContract", () => {
  test("passes a response and a body of the contract, and explains another", async () => {
    await expect(Response.json(emptyPage)).toKeepContract("listNotifications");
    await expect(buildPage([buildNotification()])).toKeepContract("listNotifications");
    await expect({ data: [] }).not.toKeepContract("listNotifications");
    const failing = expect(Response.json({ page: "0" })).toKeepContract("listNotifications");
    await expect(failing).rejects.toThrow(
      /The response 200 of listNotifications violates the contract:\n.*body\.page: must be an integer/s,
    );
    await expect(expect({}).toKeepContract("listNotification" as never)).rejects.toThrow(
      "Did you mean `listNotifications`?",
    );
  });
});
