// The production set-up: the client without a key at a path of the page's origin, for the subscriber `me`. The fetch
// handler takes the place of the server that adds the key.
import { dehydrate, hydrate, QueryClient } from "@tanstack/react-query";
import { parse, stringify } from "devalue";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createClient } from "../../src/browser/client/client.js";
import { preferencesQuery, updatePreferencesMutation } from "../../src/browser/client/query.js";
import { createGateway } from "../../src/browser/fetch/fetch-exchange.js";
import { createFetchHandler } from "../../src/browser/fetch/fetch-handler.js";
import { DEMO } from "../support/demo-seed.js";

const GATEWAY = { basePath: "/api", isKeyless: true, subscriberAliases: { me: "ines-moreau" } };
const PAGE = "https://app.example.com/settings";
const ORIGIN = new URL(PAGE).origin;

afterEach(() => vi.unstubAllGlobals());

describe("the gateway", () => {
  const forward = createGateway({ ...GATEWAY, subscriberAliases: { me: "crew/night shift" } }, "demo-key");
  test.each([
    ["/api/v1/notifications?limit=2", "/v1/notifications?limit=2"],
    ["/api/v2/subscribers/me/preferences", "/v2/subscribers/crew%2Fnight%20shift/preferences"],
    ["/api/v2/subscribers/me2/preferences", "/v2/subscribers/me2/preferences"],
    [
      "/api/v1/notifications?subscriberIds=me&subscriberIds=ann",
      "/v1/notifications?subscriberIds=crew%2Fnight%20shift&subscriberIds=ann",
    ],
    ["/api/v1/notifications?search=me", "/v1/notifications?search=me"],
    ["/api", "/"],
    ["/apis/v1/notifications", undefined],
    ["/v1/notifications", undefined],
  ])("%s leads to %s", (target, forwarded) => {
    expect(forward({ target, authorization: undefined })?.target).toBe(forwarded);
  });

  test.each([
    [undefined, "ApiKey demo-key"],
    ["ApiKey", "ApiKey demo-key"],
    ["ApiKey ", "ApiKey demo-key"],
    ["ApiKey other", "ApiKey other"],
    ["Bearer x", "Bearer x"],
  ])("the key of %s is %s", (authorization, forwarded) => {
    expect(forward({ target: "/api/", authorization })?.authorization).toBe(forwarded);
  });
});

describe("the production's client", () => {
  test("works with the fetch handler, whose fetch completes a relative URL by the page's", async () => {
    vi.stubGlobal("location", new URL(PAGE));
    const { handle, fetch } = createFetchHandler({ seed: DEMO, ...GATEWAY });
    const client = createClient({ baseUrl: "/api", apiKey: "", fetch: handle });
    const updated = await client.updatePreferences("me", { channels: { sms: false } });
    expect(updated).toMatchObject({ ok: true, data: { global: { channels: { sms: false } } } });
    const listed = await client.listNotifications({ subscriberIds: ["me"], limit: 3, after: new Date("2020-01-01") });
    if (!listed.ok) throw new Error(listed.error.message);
    expect(listed.data.data.map(({ subscriber }) => subscriber?.subscriberId)).toEqual(Array(3).fill("ines-moreau"));
    expect((await fetch("/api/v1/notifications")).status).toBe(200);
  });

  test("an alias of the client is sent as the id that it stands for", async () => {
    const handler = createFetchHandler({ seed: DEMO });
    const aliased = { subscriberAliases: GATEWAY.subscriberAliases, fetch: handler.fetch };
    const client = createClient({ baseUrl: ORIGIN, apiKey: "demo-key", ...aliased });
    await client.readPreferences("me");
    await client.listNotifications({ subscriberIds: ["me", "ann"] });
    expect(handler.requests().map(({ target }) => target)).toEqual([
      "/v2/subscribers/ines-moreau/preferences",
      "/v1/notifications?subscriberIds=ines-moreau&subscriberIds=ann",
    ]);
  });
});

/** True for objects all of whose members are enumerable, on all levels. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  const names = Object.getOwnPropertyNames(value).filter((name) => !(Array.isArray(value) && name === "length"));
  return names.every((name) => Object.keys(value).includes(name)) && Object.values(value).every(isPlain);
}

describe("a result that leaves the server", () => {
  const handler = createFetchHandler({ seed: DEMO });
  const createFor = (fetch: (request: Request) => Promise<Response>) =>
    createClient({ baseUrl: ORIGIN, apiKey: "demo-key", fetch });
  const fail = async () => {
    throw new TypeError("fetch failed", { cause: new Error("refused") });
  };
  test.each<[string, () => Promise<object>]>([
    ["success", () => createFor(handler.fetch).listNotifications()],
    ["error", () => createFor(handler.fetch).listNotifications({ limit: 99 })],
    ["update", () => createFor(handler.fetch).updatePreferences("a", { channels: {} }, { idempotencyKey: true })],
    ["page", async () => (await createFor(handler.fetch).pages().next()).value],
    ["network error", () => createFor(fail).listNotifications()],
    ["page of HTML", () => createFor(async () => new Response("<html>")).listNotifications()],
    ["call that is refused", () => createFor(fail).readPreferences("")],
  ])("a %s is copied by SvelteKit, Nuxt, and JSON, and keeps its Response", async (_outcome, get) => {
    const result = await get();
    expect(structuredClone(result)).toEqual(result);
    expect(parse(stringify(result)), "devalue").toEqual(result);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    expect(result).toHaveProperty("response", expect.any(Response));
    expect(Object.keys(result)).not.toContain("response");
    expect(isPlain({ ...result }), "React warns of hidden members in development").toBe(true);
  });
});

test("SvelteKit's responses, whose headers throw unless a hook names them, are read", async () => {
  const handler = createFetchHandler({ seed: DEMO, faults: [{ preset: "rate-limited", count: 1 }] });
  const fetch = async (request: Request) => {
    const response = await handler.handle(request);
    const get = (name: string) => {
      throw new Error(`Failed to get response header "${name}"`);
    };
    Object.assign(response.headers, { get });
    return response;
  };
  const client = createClient({ baseUrl: ORIGIN, apiKey: "demo-key", fetch, retry: { attempts: 2, maxDelayMs: 1 } });
  const { status, response } = await client.listNotifications();
  expect([status, response.headers.get("content-type")]).toEqual([429, "application/json; charset=utf-8"]);
});

test("what a server has prefetched is in the browser's cache, though base URL, key and id differ", async () => {
  const cacheKey = "notifications";
  const server = new QueryClient();
  const onServer = createClient({
    ...{ baseUrl: "http://10.0.0.7:4010", apiKey: "demo-key", cacheKey },
    fetch: createFetchHandler({ seed: DEMO }).fetch,
    subscriberAliases: { me: "ines-moreau" },
  });
  await server.prefetchQuery(preferencesQuery(onServer, "me"));

  vi.stubGlobal("location", new URL(PAGE));
  const inBrowser = createFetchHandler({ seed: DEMO, ...GATEWAY });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const fetch = (request: Request) => released.then(() => inBrowser.fetch(request));
  const client = createClient({ baseUrl: "/api", apiKey: "", cacheKey, fetch });
  const browser = new QueryClient();
  hydrate(browser, JSON.parse(JSON.stringify(dehydrate(server))));
  const { queryKey } = preferencesQuery(client, "me");
  expect(browser.getQueryData(queryKey)).toMatchObject({ global: { enabled: true } });
  const seen: unknown[] = [];
  browser.getQueryCache().subscribe(() => {
    const data = browser.getQueryData<{ global: { channels: { email?: boolean } } }>(queryKey);
    const { email } = data?.global.channels ?? {};
    if (email !== seen.at(-1)) seen.push(email);
  });
  const update = browser.getMutationCache().build(browser, updatePreferencesMutation(client, "me"));
  const done = update.execute({ channels: { email: false } });
  await vi.waitUntil(() => seen.includes(false)); // before the response
  release();
  await done;
  expect(browser.getQueryData(queryKey)).toMatchObject({ global: { channels: { email: false } } });
});
