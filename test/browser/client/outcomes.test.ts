import { describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import {
  type Client,
  type ClientOptions,
  createClient,
  type PagePosition,
  type Result,
} from "../../../src/browser/client/client.js";
import { ControlError, createControl } from "../../../src/browser/client/control.js";

const OK = { global: { enabled: true, channels: {} }, workflows: [] };
type Scripted = Response | Error;

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
const failure = (status: number, headers?: Record<string, string>) =>
  json(status, { message: `is ${status}` }, headers);

/** A client whose server sends these responses in turn, and the requests that it was sent. */
function createScripted(responses: Scripted[], options: Partial<ClientOptions> = {}) {
  const requests: Request[] = [];
  const client = createClient({
    baseUrl: "http://example.com",
    apiKey: "key",
    async fetch(request) {
      requests.push(request);
      request.signal.throwIfAborted();
      const next = responses.shift() ?? new Error("nothing is left of the script");
      if (next instanceof Error) throw next;
      return next;
    },
    ...options,
  });
  const keys = () => requests.map(({ headers }) => headers.get("idempotency-key"));
  return { client, requests, keys };
}

test.each([
  ["the client", () => createClient({ baseUrl: "http://example.com", apiKey: "key" }).listNotifications],
  ["the control client", () => createControl({ baseUrl: "http://example.com" }).getReadiness],
])("%s has the global fetch of each request, not of its creation", async (_title, createRequest) => {
  const request = createRequest();
  onTestFinished(() => void vi.unstubAllGlobals());
  for (let replaced = 0; replaced < 2; replaced++) {
    const fetch = vi.fn(async () => json(200, { status: "ready" }));
    vi.stubGlobal("fetch", fetch);
    await request();
    expect(fetch).toHaveBeenCalledOnce();
  }
});

test.each<[string, Response, object]>([
  ["201 with a body", json(201, { id: "a" }), { ok: true, status: 201, data: { id: "a" } }],
  ["204", new Response(null, { status: 204 }), { ok: true, status: 204 }],
  ["a gateway's page", new Response("<p>Hi", { headers: { "content-type": "text/html" } }), { ok: false, status: 0 }],
  ["an error of the contract", failure(409), { ok: false, status: 409, error: { message: "is 409" } }],
])("an operation without a method of its own: %s", async (_title, response, outcome) => {
  const { client, requests } = createScripted([response]);
  const route = "post /v1/topics/{key}" as "get /v1/notifications"; // an operation that the contract may gain
  const input = { path: { key: "a b" }, query: { limit: 1 }, body: { name: "c" } };
  expect(await client.request(route, input as object, { headers: { "x-a": "1" } })).toMatchObject(outcome);
  const [sent] = requests;
  expect([sent?.method, sent?.url, await sent?.json(), sent?.headers.get("x-a")]).toEqual([
    "POST",
    "http://example.com/v1/topics/a%20b?limit=1",
    { name: "c" },
    "1",
  ]);
});

describe("what cannot be sent is a result that names the argument, and nothing is sent", () => {
  const update = { channels: { email: false } };
  const circular: { channels: object; self?: object } = { channels: {} };
  circular.self = circular;
  const HALF = "\ud800"; // of a character
  const { client, requests } = createScripted([], { retry: { attempts: 3 }, subscriberAliases: { me: ".." } });
  test.each<[title: string, send: () => Promise<Result>, message: RegExp]>([
    ["a step in the path", () => client.updatePreferences("..", update), /`subscriberId` must not be "\.\."/],
    ["an alias of one", () => client.readPreferences("me"), /`subscriberId`/],
    ["an id of half a character", () => client.readPreferences(HALF), /`subscriberId` cannot be written/],
    ["no id", () => client.readPreferences(""), /`subscriberId` is empty/],
    ["a number as an id", () => client.readPreferences(7 as never), /`subscriberId` must be a string, not number/],
    ["an idempotency key", () => client.updatePreferences("a", update, { idempotencyKey: "☃" }), /`idempotencyKey`/],
    [
      "a header's value",
      () => client.listNotifications({}, { headers: { "x-user": "Łukasz" } }),
      /`x-user` is no name/,
    ],
    ["a header's name", () => client.updatePreferences("a", update, { headers: { "x user": "a" } }), /`x user` is no/],
    ["a BigInt", () => client.updatePreferences("a", { channels: { email: 1n as never } }), /`body`.*BigInt/],
    ["a circular body", () => client.updatePreferences("a", circular as never), /`body`.*circular/],
    ["a filter of half a character", () => client.listNotifications({ search: HALF }), /`search` cannot be written/],
    ["a filter that is a symbol", () => client.listNotifications({ search: Symbol("a") as never }), /`search`/],
    [
      "a filter that is nested",
      () => client.listNotifications({ search: [{ a: {} }] as never }),
      /cannot be sent|search/,
    ],
    ["no signal", () => client.listNotifications({}, { signal: {} as never }), /`signal` must be an AbortSignal/],
  ])("%s", async (_title, send, message) => {
    const result = await send();
    expect(result).toMatchObject({ ok: false, status: 0, error: { kind: "invalid" } });
    expect(result.error?.message).toMatch(message);
    expect(requests).toEqual([]);
  });
});

describe("a retry", () => {
  const retry = { attempts: 3, delayMs: 1 };

  test.each<[string, Scripted[], number | "network"]>([
    ["no response, then one", [new TypeError("fetch failed"), json(200, OK)], 200],
    ["an outage, an earlier attempt in progress, then a success", [failure(503), failure(409), json(200, OK)], 200],
    ["too many requests until the attempts are over", [failure(429), failure(429), failure(429), json(200, OK)], 429],
    ["no connection at all", [1, 2, 3, 4].map(() => new TypeError("fetch failed")), "network"],
  ])("sends one key after %s", async (_title, script, outcome) => {
    const { client, keys } = createScripted([...script], { retry });
    const result = await client.updatePreferences("ines-moreau", { channels: { sms: false } });
    expect(result.status === 0 ? result.error.kind : result.status).toBe(outcome);
    expect(result.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
    expect(keys()).toEqual(Array(Math.min(script.length, 3)).fill(result.idempotencyKey));
  });

  test.each([
    ["404", failure(404)],
    ["500", failure(500)],
    ["503 with a Retry-After beyond the longest wait", failure(503, { "retry-after": "3600" })],
  ])("a %s is final", async (_title, response) => {
    const { client, requests } = createScripted([response, json(200, OK)], { retry });
    expect((await client.readPreferences("ines-moreau")).status).toBe(response.status);
    expect(requests).toHaveLength(1);
  });

  test("without it, each request is sent once and without a key", async () => {
    const { client, keys } = createScripted([failure(503)]);
    expect((await client.updatePreferences("ines-moreau", { channels: { sms: false } })).status).toBe(503);
    expect(keys()).toEqual([null]);
  });

  const DAYS = 30 * 24 * 3600;
  test.each([
    ["seconds", () => "7", 7, {}],
    ["a date", () => new Date(Date.now() + 7_000).toUTCString(), 7, {}],
    ["more than a timer holds", () => String(DAYS), DAYS, { maxDelayMs: Infinity }],
  ])("waits as long as Retry-After says, in %s", async (_form, toHeader, seconds, longest) => {
    vi.useFakeTimers({ now: new Date("2026-11-02T09:00:00Z") });
    onTestFinished(() => void vi.useRealTimers());
    const { client, requests } = createScripted([failure(429, { "retry-after": toHeader() }), json(200, OK)]);
    const reading = client.readPreferences("ines-moreau", { retry: { ...retry, ...longest } });
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await reading).ok).toBe(true);
  });

  test.each([
    ["of the update", { idempotencyKey: "own" }, "own"],
    ["in the headers", { headers: { "Idempotency-Key": "own" } }, "own"],
    ["of the update, where it is empty", { idempotencyKey: "" }, /^[0-9a-f]{32}$/],
  ])("sends the key %s with each attempt", async (_title, options, key) => {
    const { client, keys } = createScripted([failure(503), json(200, OK)], { retry });
    const result = await client.updatePreferences("ines-moreau", { channels: { sms: false } }, options);
    expect(result.idempotencyKey).toMatch(key);
    expect(keys()).toEqual([result.idempotencyKey, result.idempotencyKey]);
  });

  test.each([{ "X-A": "1" }, new Headers({ "X-A": "1" }) as never])(
    "sends the other headers beside the key, %s",
    async (headers) => {
      const { client, requests } = createScripted([json(200, OK)], { retry });
      await client.updatePreferences("ines-moreau", { channels: { sms: false } }, { headers });
      expect(requests.map((sent) => sent.headers.get("x-a"))).toEqual(["1"]);
    },
  );

  test("a signal ends the wait", async () => {
    const controller = new AbortController();
    const { client, requests } = createScripted([failure(503, { "retry-after": "9" }), json(200, OK)], { retry });
    const listing = client.listNotifications({}, { signal: controller.signal });
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    controller.abort();
    const result = await listing;
    expect(result).toMatchObject({ ok: false, status: 0, error: { kind: "aborted" } });
  });
});

describe("a timeout", () => {
  const never = (request: Request) =>
    new Promise<Response>((_resolve, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });

  test.each([
    ["of the client", { timeoutMs: 1 }, {}],
    ["of a request", {}, { timeoutMs: 1 }],
    ["beside a signal", {}, { timeoutMs: 1, signal: new AbortController().signal }],
  ])("%s ends each attempt, and is a value", async (_title, options, request) => {
    const fetch = vi.fn(never);
    const { client } = createScripted([], { fetch, retry: { attempts: 2, delayMs: 1 }, ...options });
    const result = await client.listNotifications({}, request);
    const message = "There is no response from http://example.com: not within 1 ms.";
    expect(result).toMatchObject({ ok: false, status: 0, error: { kind: "timeout", message } });
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});

describe("an outcome that is not the contract's", () => {
  const html = (status: number) =>
    new Response("<h1>Bad Gateway</h1>", { status, headers: { "content-type": "text/html" } });
  const cutOff = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"global":'));
      controller.error(new TypeError("terminated"));
    },
  });

  test.each<[string, Scripted, { kind: string; message: RegExp; status: number }]>([
    ["no connection", new TypeError("fetch failed"), { kind: "network", message: /fetch failed/, status: 0 }],
    ["a page of a gateway", html(502), { kind: "response", message: /502, text\/html/, status: 502 }],
    ["a page with 200", html(200), { kind: "response", message: /200, text\/html/, status: 200 }],
    ["an empty body", new Response(null, { status: 200 }), { kind: "response", message: /200, no/, status: 200 }],
    ["an empty error", new Response(null, { status: 503 }), { kind: "response", message: /503/, status: 503 }],
    ["an error without a message", json(500, {}), { kind: "response", message: /500/, status: 500 }],
    ["half a body", new Response('{"global":{"ena'), { kind: "response", message: /200/, status: 200 }],
    ["a body that breaks off", new Response(cutOff), { kind: "network", message: /terminated/, status: 0 }],
  ])("%s is a value", async (_title, response, { kind, message, status }) => {
    const { client } = createScripted([response]);
    const result = await client.readPreferences("ines-moreau");
    expect(result).toMatchObject({ ok: false, status: 0, error: { kind, message: expect.stringMatching(message) } });
    expect(result.response.status).toBe(status);
    if (!result.ok) expectTypeOf(result.error.message).toBeString();
  });
});

describe("pages", () => {
  const createdAt = "2026-11-02T09:00:00.000Z";
  const page = (number: number, hasMore = true) =>
    json(200, { page: number, pageSize: 2, hasMore, data: [{ _id: `${number}a`, createdAt }, { _id: `${number}b` }] });
  const queries = (requests: Request[]) => requests.map(({ url }) => new URL(url).search);
  const PIN = "before=2026-11-02T09%3A00%3A00.001Z";

  test("load the same page again after a failure, and end after the last one", async () => {
    const { client, requests } = createScripted([page(0), failure(503), page(1, false)]);
    const pages = client.pages({ limit: 2 });
    const statuses: number[] = [];
    for await (const result of pages) statuses.push(result.status);
    expect(statuses).toEqual([200, 503, 200]);
    expect(queries(requests)).toEqual(["?limit=2&page=0", `?limit=2&page=1&${PIN}`, `?limit=2&page=1&${PIN}`]);
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  test("continue elsewhere from a position", async () => {
    const { client, requests } = createScripted([page(0), page(1), page(2, false)]);
    const { value: first } = await client.pages({}).next();
    const from: PagePosition = JSON.parse(JSON.stringify(first?.ok && first.next));
    for await (const result of client.pages({}, { from })) {
      if (!result.ok) throw new Error(result.error.message);
      expect(result.next?.page).toBe(result.data.hasMore ? result.data.page + 1 : undefined);
    }
    expect(queries(requests)).toEqual(["?page=0", `?page=1&${PIN}`, `?page=2&${PIN}`]);
  });

  test("are loaded one after the other, however fast they are asked for", async () => {
    const { client } = createScripted([page(0), page(1, false)]);
    const pages = client.pages();
    const both = await Promise.all([pages.next(), pages.next()]);
    expect(both.map(({ value }) => value?.ok && value.data.page)).toEqual([0, 1]);
  });
});

describe("a response in another form than the contract's is a value of kind `response`", () => {
  const page = (members: object) => json(200, { page: 0, pageSize: 10, hasMore: false, data: [], ...members });
  const list = async (client: Client) => [await client.listNotifications(), (await client.pages().next()).value];
  const update = async (client: Client) => [
    await client.readPreferences("a"),
    await client.updatePreferences("a", { channels: { sms: true } }),
  ];
  test.each<[string, Response, typeof list]>([
    ["a page without a list of records", page({ data: undefined }), list],
    ["a record that is no object", page({ data: [{}, null] }), list],
    ["a page without a sign of whether there is more", page({ hasMore: "false" }), list],
    ["a list in the place of a page", json(200, []), list],
    ["a page as another success", json(201, { page: 0, pageSize: 10, hasMore: false, data: [] }), list],
    ["a message with status 200", json(200, { message: "ok" }), list],
    ["preferences without a global level", json(200, { workflows: [] }), update],
    ["preferences without workflows", json(200, { global: OK.global }), update],
    ["a level without channels", json(200, { ...OK, global: { enabled: true } }), update],
    ["a workflow without its reference", json(200, { ...OK, workflows: [OK.global] }), update],
  ])("%s", async (_title, response, send) => {
    const { client } = createScripted([response.clone(), response]);
    for (const outcome of await send(client))
      expect(outcome).toMatchObject({ ok: false, status: 0, error: { kind: "response" } });
  });

  test("a record whose time cannot be read leaves the range open", async () => {
    const { client } = createScripted([page({ hasMore: true, data: [{ createdAt: "yesterday" }] })]);
    expect((await client.pages().next()).value).toMatchObject({ ok: true, next: { page: 1 } });
  });

  const others: [string, () => Response][] = [
    ["an object of another form", () => json(200, {})],
    ["HTML", () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } })],
    ["half of an object", () => new Response('{"status":', { headers: { "content-type": "application/json" } })],
  ];
  test.each(others)("every call of the control client rejects %s with a ControlError", async (_title, respond) => {
    const control = createControl({ baseUrl: "http://example.com", fetch: async () => respond() });
    const calls = control as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    for (const [name, call] of Object.entries(calls)) {
      if (/^(delete|remove|clear|export)/.test(name)) continue; // without JSON
      const error = await call("a", "b", {}).catch((reason: unknown) => reason);
      expect(error, name).toBeInstanceOf(ControlError);
      expect(String(error), name).toMatch(/The response \(.*\) does not come from the control plane\. Check baseUrl/);
    }
  });

  test("an export that is HTML is rejected, too", async () => {
    const fetch = async () => new Response("<!doctype html>");
    const control = createControl({ baseUrl: "http://example.com", fetch });
    await expect(control.exportEnvironment("a")).rejects.toThrow(ControlError);
  });
});
