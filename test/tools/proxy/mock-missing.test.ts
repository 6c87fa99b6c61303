// The proxy mocks operations that the upstream lacks: its responses are marked, reported and counted.
import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { formatSummary } from "../../../src/cli/proxy-command.js";
import { loadContract } from "../../../src/contract/contract.js";
import { startProxy } from "../../../src/tools/proxy/proxy-server.js";
import { list, proxied, responding, update } from "./proxied.js";

const contract = await loadContract();
const updatePreferences = contract.operations.find(({ id }) => id === "updatePreferences");

const check = ({ status, headers }: Response, body: unknown) =>
  contract.checkResponse(updatePreferences, { status, headers: Object.fromEntries(headers), body });

test("a missing operation is mocked as `serve` would, and reported; the others are forwarded", async () => {
  const { proxy } = await proxied(responding(), { missing: ["updatePreferences"] });
  const listed = await list(proxy);
  expect([listed.status, listed.headers.get("x-mocked")]).toEqual([200, null]);
  const mocked = await update(proxy, { channels: { email: false } }, { origin: "https://app.example.com" });
  expect([mocked.status, mocked.headers.get("x-mocked")]).toEqual([200, "missing-upstream"]);
  expect(mocked.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
  expect(check(mocked, await mocked.json())).toEqual([]);
  const rejected = await update(proxy, { channels: { fax: true } });
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
  const sentence = "status is mocked by the proxy, since the upstream lacks this operation";
  const [own] = proxy.entries;
  expect(`${own?.location} ${own?.message}`).toBe(sentence);
  const summary = proxy.summary();
  expect(summary.ownResponses).toBe(2);
  expect(formatSummary(summary)).toContain(`⇄ response  updatePreferences  ${sentence}: 2 exchanges, first #2\n`);
});

test("a client that leaves with half a body sent does not keep the proxy from its stop", async () => {
  const { proxy } = await proxied(responding(), { missing: ["updatePreferences"] });
  const socket = connect(proxy.port, "127.0.0.1");
  const head = "PATCH /v2/subscribers/a/preferences HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{";
  await new Promise((resolve) => socket.write(head, resolve));
  await vi.waitUntil(() => proxy.summary().requests === 1);
  socket.destroy();
  await proxy.close();
  expect(proxy.entries.map(({ message }) => message)).toEqual(["not checked: the client left before the end"]);
});

test("the proxy responds to the preflight request of a missing operation, and knows all operations", async () => {
  const { proxy } = await proxied(() => expect.unreachable(), { missing: ["updatePreferences"] });
  const asked = { "access-control-request-method": "PATCH", "access-control-request-headers": "authorization" };
  const cross = { origin: "https://app.example.com", ...asked };
  const preflight = await fetch(`${proxy.url}/v2/subscribers/a/preferences`, { method: "OPTIONS", headers: cross });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    "access-control-allow-origin": "https://app.example.com",
    "access-control-allow-methods": "PATCH",
    "access-control-allow-headers": "authorization",
  });
  await expect(startProxy({ upstream: "http://127.0.0.1:9", contract, missing: ["typo"] })).rejects.toThrow(
    /^The contract has no operation typo that could be mocked\. It has .*updatePreferences, listNotifications.*\.$/,
  );
});
