// A page on another origin, in a real browser, calls the mock and the reference server with fetch.
import { createServer } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/start-server.js";
import { contract } from "../support/contract.js";
import { listen } from "../support/listen.js";
import { hasChromium, openPage } from "./chromium.js";

const API_KEY = "page-key";
const KEY = { authorization: `ApiKey ${API_KEY}` };
const LIST = "/v1/notifications";

const elsewhere = createServer((_request, response) => void response.end("A page elsewhere"));
const origin = await listen(elsewhere);
const mock = await startMock({ apiKey: API_KEY });
const reference = await startServer({ apiKey: API_KEY, checkResponses: true });
afterAll(() => Promise.all([mock.close(), reference.close(), new Promise((resolve) => elsewhere.close(resolve))]));

const { document } = contract;
/** What the page may read, if it is exposed. */
const NAMES = ["content-type", ...Object.keys(document.components.headers).map((name) => name.toLowerCase())];

type Init = { method?: string; headers: Record<string, string>; body?: string };

/** A page, and its own fetch. */
async function openElsewhere() {
  const { page } = await openPage();
  await page.goto(origin);
  const send = (url: string, init: Init) =>
    page.evaluate(
      async ({ url, init, names }) => {
        const response = await fetch(url, init);
        const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));
        return { status: response.status, headers, body: await response.json() };
      },
      { url, init, names: NAMES },
    );
  return { page, send };
}

describe.skipIf(!hasChromium).each([
  { name: "mock", server: mock, replay: null },
  { name: "reference server", server: reference, replay: "true" },
])("a page on another origin, at the $name", ({ server, replay }) => {
  const CASES: [query: string, headers: Record<string, string>, expected: object][] = [
    ["?limit=2", KEY, { status: 200, headers: { "content-type": "application/json; charset=utf-8" } }],
    ["?limit=51", KEY, { status: 422, body: { statusCode: 422, errors: { "query.limit": {} } } }],
    ["", {}, { status: 401, headers: { "www-authenticate": "ApiKey" } }],
    [
      "",
      { ...KEY, prefer: "code=429" },
      { status: 429, headers: { "preference-applied": "code=429", "retry-after": "1" } },
    ],
  ];
  test("reads responses and errors with their headers", async () => {
    const { send } = await openElsewhere();
    for (const [query, headers, expected] of CASES) {
      const response = await send(`${server.url}${LIST}${query}`, { headers });
      expect(response).toMatchObject(expected);
      expect(response.headers["x-request-id"]).toMatch(/./);
    }
  });

  test("updates after a preflight, twice by one idempotency key", async () => {
    const { page, send } = await openElsewhere();
    const url = `${server.url}/v2/subscribers/ines-moreau/preferences`;
    const sent: string[] = [];
    const devtools = await page.context().newCDPSession(page); // sees preflights, which the page does not
    await devtools.send("Network.enable");
    devtools.on("Network.requestWillBeSent", ({ request }) => void (request.url === url && sent.push(request.method)));
    const update = {
      method: "PATCH",
      headers: { ...KEY, "content-type": "application/json", "idempotency-key": "from-a-page" },
      body: '{"channels":{"email":false}}',
    };
    const first = await send(url, update);
    const second = await send(url, update);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.headers).toMatchObject({ "idempotency-key": "from-a-page", "idempotency-replay": null });
    expect(second.headers).toMatchObject({ "idempotency-key": "from-a-page", "idempotency-replay": replay });
    expect(second.body).toEqual(first.body);
    expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
    expect(sent.toSorted(), "the second update needs no preflight").toEqual(["OPTIONS", "PATCH", "PATCH"]);
  });
});
