// A page on another origin, in a real browser, calls the mock and the reference server with fetch.
import { createServer, type Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/server/server.js";
import { listen } from "../support/listen.js";
import { closePages, hasChromium, launchChromium } from "./chromium.js";

const API_KEY = "page-key";
const KEY = { authorization: `ApiKey ${API_KEY}` };
const LIST = "/v1/notifications";
const PREFERENCES = "/v2/subscribers/ines-moreau/preferences";
const HTML = "<!doctype html><title>A page elsewhere</title>";

interface Answer {
  status: number;
  headers: Record<string, string | null>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies
  body: any;
}

const { document } = await loadContract();
const READ = ["content-type", ...Object.keys(document.components.headers)]; // what the page may read, if exposed

/** A page's own fetch, from within the page. */
function call(page: Page, url: string, init: { method?: string; headers: Record<string, string>; body?: string }) {
  return page.evaluate(
    async ({ url, init, names }): Promise<Answer> => {
      const response = await fetch(url, init);
      const headers = Object.fromEntries(names.map((name) => [name.toLowerCase(), response.headers.get(name)]));
      return { status: response.status, headers, body: await response.json() };
    },
    { url, init, names: READ },
  );
}

const targets = [
  { name: "mock", start: () => startMock({ apiKey: API_KEY }), replay: null },
  { name: "reference", start: () => startServer({ apiKey: API_KEY, checkResponses: true }), replay: "true" },
];

describe.skipIf(!hasChromium)("a page on another origin", () => {
  let browser: Browser;
  let elsewhere: Server;
  let page: Page;
  beforeAll(async () => {
    elsewhere = createServer((_request, response) => void response.setHeader("content-type", "text/html").end(HTML));
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(await listen(elsewhere));
  }, 180_000);
  afterAll(async () => {
    await closePages(browser);
    await new Promise((resolve) => (elsewhere ? elsewhere.close(resolve) : resolve(undefined)));
  });

  describe.each(targets)("at the $name", ({ start, replay }) => {
    let server: Awaited<ReturnType<(typeof targets)[number]["start"]>>;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server?.close());

    test("lists, and reads the headers", async () => {
      const response = await call(page, `${server.url}${LIST}?limit=2`, { headers: KEY });
      expect(response).toMatchObject({ status: 200, headers: { "content-type": "application/json; charset=utf-8" } });
      expect(response.body.data.length).toBeGreaterThan(0);
      expect(response.headers["x-request-id"]).toMatch(/./);
    });

    test("updates after a preflight, twice by one idempotency key", async () => {
      const urls: string[] = [];
      const devtools = await page.context().newCDPSession(page); // sees preflights, which the page does not
      await devtools.send("Network.enable");
      devtools.on("Network.requestWillBeSent", ({ request }) => void urls.push(`${request.method} ${request.url}`));
      const update = {
        method: "PATCH",
        headers: { ...KEY, "content-type": "application/json", "idempotency-key": "from-a-page" },
        body: '{"channels":{"email":false}}',
      };
      const url = `${server.url}${PREFERENCES}`;
      const first = await call(page, url, update);
      const second = await call(page, url, update);
      await devtools.detach();
      expect(first.status).toBe(200);
      expect(first.headers).toMatchObject({ "idempotency-key": "from-a-page", "idempotency-replay": null });
      expect(second.status).toBe(200);
      expect(second.headers).toMatchObject({ "idempotency-key": "from-a-page", "idempotency-replay": replay });
      expect(second.body).toEqual(first.body);
      expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
      expect(
        urls.filter((one) => one === `OPTIONS ${url}`),
        "the second update needs no preflight",
      ).toHaveLength(1);
      expect(urls.filter((one) => one === `PATCH ${url}`)).toHaveLength(2);
    });

    test("reads errors: 422, and 401 with its header", async () => {
      const wrong = await call(page, `${server.url}${LIST}?limit=51`, { headers: KEY });
      expect(wrong).toMatchObject({ status: 422, body: { statusCode: 422, errors: { "query.limit": {} } } });
      expect(wrong.headers["x-request-id"]).toMatch(/./);
      const keyless = await call(page, `${server.url}${LIST}`, { headers: {} });
      expect(keyless).toMatchObject({ status: 401, headers: { "www-authenticate": "ApiKey" } });
    });

    test("prefers a response, and reads Preference-Applied", async () => {
      const response = await call(page, `${server.url}${LIST}`, { headers: { ...KEY, prefer: "code=429" } });
      expect(response).toMatchObject({
        status: 429,
        headers: { "preference-applied": "code=429", "retry-after": "1" },
      });
    });
  });
});
