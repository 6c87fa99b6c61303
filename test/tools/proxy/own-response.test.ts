// Responses of the proxy in the upstream's place: marked, reported and counted.
import { expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { startProxy } from "../../../src/tools/proxy/proxy-server.js";
import { AUTHORIZED, list, proxied, responding } from "./proxied.js";

const contract = await loadContract();
const updatePreferences = contract.operations.find(({ id }) => id === "updatePreferences");

const respond = responding();

test("a fault replaces the response, marked as such and readable for pages of other origins", async () => {
  let received = 0;
  const { proxy } = await proxied(
    (request, response) => {
      received += 1;
      respond(request, response);
    },
    {
      faults: ["second-page-fails"],
    },
  );
  const get = () =>
    fetch(`${proxy.url}/v1/notifications`, { headers: { ...AUTHORIZED, origin: "https://app.example.com" } });
  const responses = [await get(), await get(), await get()];
  expect(responses.map(({ status }) => status)).toEqual([200, 503, 200]);
  expect(received).toBe(2);
  const [, failed] = responses;
  expect(Object.fromEntries(failed?.headers ?? [])).toMatchObject({
    "x-mocked": "injected-fault",
    "access-control-allow-origin": "https://app.example.com",
    "retry-after": expect.stringMatching(/^\d+$/),
  });
  expect(await failed?.json()).toMatchObject({ statusCode: 503 });
  expect(proxy.entries.filter(({ kind }) => kind === "violation")).toEqual([]);
  expect(proxy.summary()).toMatchObject({ requests: 3, ownResponses: { "injected-fault": 1 } });
});

test("a rate limit: 429 with Retry-After and the headers of the limit, to every request", async () => {
  const { proxy } = await proxied(respond, { faults: ["rate-limited"] });
  const response = await update(proxy.url, { channels: {} });
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(response.headers.get("ratelimit-policy")).toMatch(/^100;w=5;/);
  expect(check(response, await response.json())).toEqual([]);
});

test("requests that a fault meets are checked all the same, also their bodies", async () => {
  const { proxy } = await proxied(respond, { faults: ["flaky-10-percent"] });
  const statuses: number[] = [];
  while (!statuses.includes(503)) statuses.push((await update(proxy.url, { channels: { fax: true } })).status);
  await proxy.close();
  const requests = proxy.entries.filter(({ direction }) => direction === "request");
  expect(requests.map(({ location }) => location)).toEqual(statuses.map(() => "body.channels.fax"));
});

const check = ({ status, headers }: Response, body: unknown) =>
  contract.checkResponse(updatePreferences, { status, headers: Object.fromEntries(headers), body });

const update = (url: string, body: object, headers: object = {}) =>
  fetch(`${url}/v2/subscribers/a/preferences`, {
    ...{ method: "PATCH", headers: { ...AUTHORIZED, "content-type": "application/json", ...headers } },
    body: JSON.stringify(body),
  });

test("a client that leaves during a delay does not keep the proxy from its stop", async () => {
  const { proxy } = await proxied(respond, { faults: ["slow-3g"] });
  await expect(fetch(`${proxy.url}/v1/notifications`, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
  await proxy.close();
  expect(proxy.entries.map(({ message }) => message)).toEqual(["not checked: the client left before the end"]);
});

test("a missing operation is mocked as `serve` would, and reported; the others are forwarded", async () => {
  const { proxy } = await proxied(respond, { missing: ["updatePreferences"] });
  const listed = await list(proxy);
  expect([listed.status, listed.headers.get("x-mocked")]).toEqual([200, null]);
  const mocked = await update(proxy.url, { channels: { email: false } }, { origin: "https://app.example.com" });
  expect([mocked.status, mocked.headers.get("x-mocked")]).toEqual([200, "missing-upstream"]);
  expect(mocked.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
  expect(check(mocked, await mocked.json())).toEqual([]);
  const rejected = await update(proxy.url, { channels: { fax: true } });
  expect(rejected.status).toBe(422);
  const body = await rejected.json();
  expect(body).toMatchObject({ statusCode: 422, errors: { "body.channels.fax": expect.anything() } });
  expect(check(rejected, body)).toEqual([]);
  await proxy.close();
  expect(proxy.entries.map(({ kind, direction, location, status }) => [kind, direction, location, status])).toEqual([
    ["ownResponse", "response", "status", 200],
    ["violation", "request", "body.channels.fax", undefined],
    ["ownResponse", "response", "status", 422],
  ]);
  expect(proxy.summary().ownResponses).toEqual({ "missing-upstream": 2 });
});

test("the proxy responds to the preflight request of a missing operation, and knows all operations", async () => {
  const { proxy } = await proxied(() => expect.unreachable(), { missing: ["updatePreferences"] });
  const cross = {
    origin: "https://app.example.com",
    "access-control-request-method": "PATCH",
    "access-control-request-headers": "authorization",
  };
  const preflight = await fetch(`${proxy.url}/v2/subscribers/a/preferences`, { method: "OPTIONS", headers: cross });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    "access-control-allow-origin": "https://app.example.com",
    "access-control-allow-methods": "PATCH",
    "access-control-allow-headers": "authorization",
  });
  await expect(startProxy({ upstream: "http://127.0.0.1:9", contract, missing: ["typo"] })).rejects.toThrow(
    "The contract has no operation typo that could be mocked. It has updatePreferences, listNotifications.",
  );
});
