// No error repeats the key of its request, whichever part of the request holds it.
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import { startMock } from "../../../src/mock/mock-server.js";
import { startServer } from "../../../src/start-server.js";
import { startProxy } from "../../../src/tools/proxy/proxy-server.js";
import { startBridge } from "../../browser/fetch/bridge.js";
import { DEMO } from "../../support/demo-seed.js";
import { findFreePort } from "../../support/listen.js";
import { ok, writeSmallContract } from "../../support/small-contract.js";

const KEY = "secret-key-4711";
const ENCODED = `%${KEY.charCodeAt(0).toString(16)}${KEY.slice(1)}`;
const UPDATE = "PATCH /v2/subscribers/ines-moreau/preferences";
const upstream = `http://127.0.0.1:${await findFreePort()}`;

function send(url: string, request: string, body?: string): Promise<Response> {
  const [method = "", target = ""] = request.split(" ");
  const headers = { authorization: `ApiKey ${KEY}`, "content-type": "application/json" };
  return fetch(url + target, { method, headers, ...(body === undefined ? {} : { body }) });
}

describe.each<[string, () => Promise<{ url: string; close(): Promise<void> }>]>([
  ["server", () => startServer({ apiKey: KEY, checkResponses: true })],
  ["mock", () => startMock({ apiKey: KEY })],
  ["fetch handler", () => startBridge(createFetchHandler({ seed: DEMO, apiKey: KEY }).handle)],
  ["proxy whose upstream is down", () => startProxy({ upstream })],
  ["proxy that mocks", () => startProxy({ upstream, missing: ["updatePreferences", "listNotifications"] })],
])("%s: the key is sent", (_title, start) => {
  let url: string;
  beforeAll(async () => {
    const shell = await start();
    url = shell.url;
    return shell.close;
  });

  test.each<[title: string, request: string, body?: string]>([
    ["as the value of a parameter", `GET /v1/notifications?limit=${KEY}`],
    ["as the value of a parameter, encoded", `GET /v1/notifications?limit=0&search=${ENCODED}`],
    ["as the name of a parameter", `GET /v1/notifications?${KEY}=1`],
    ["behind a second question mark", `GET /v1/notifications?limit=0&search=a?b&x=${ENCODED}`],
    ["as the subscriber", `PATCH /v2/subscribers/${KEY}/preferences`, '{"channels":{"email":1}}'],
    ["as the subscriber, encoded", `PATCH /v2/subscribers/${ENCODED}/preferences`, '{"channels":{"email":1}}'],
    ["as the workflow", UPDATE, `{"channels":{},"workflowId":["${KEY}"]}`],
    ["as the name of a member", UPDATE, `{"channels":{"${KEY}":true}}`],
    ["as the value of a member", UPDATE, `{"channels":{"email":{"is":["${KEY}"]}}}`],
    ["in a body that is no JSON", UPDATE, KEY],
    ["in a path that does not exist", `GET /${ENCODED}/x`],
  ])("%s", async (_title, request, body) => {
    const response = await send(url, request, body);
    expect(response.status).toBeGreaterThanOrEqual(400);
    const text = await response.text();
    for (const secret of [KEY, ENCODED]) expect(text).not.toContain(secret);
  });
});

test("the server says the rest of the error: of a subscriber, and of a path with a key in its query", async () => {
  const server = await startServer({ apiKey: KEY });
  onTestFinished(server.close);
  const unknown = await send(server.url, `PATCH /v2/subscribers/${KEY}/preferences`, '{"channels":{}}');
  expect(await unknown.json()).toMatchObject({
    message: expect.stringMatching(/^Subscriber with id: … is not found/),
  });

  const securitySchemes = { QueryKey: { type: "apiKey", in: "query", name: "ticket" } };
  const more = { components: { securitySchemes }, security: [{ QueryKey: [] }] };
  const contractPath = await writeSmallContract({ "/v1/cups": { get: { responses: ok({}) } } }, more);
  const other = await startServer({ contractPath });
  onTestFinished(other.close);
  const response = await fetch(`${other.url}/v2/x?search=a?b&ticket=plain`);
  expect(await response.json()).toMatchObject({ path: "/v2/x?search=a?b&ticket=…" });
});
