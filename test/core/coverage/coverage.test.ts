// Items of the coverage on the fetch handler: each is seen once its recipe has been pasted, and not before.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createClient } from "../../../src/browser/client/client.js";
import { coverageOf, mergeCoverage } from "../../../src/browser/fetch/fetch-coverage.js";
import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import { loadContract } from "../../../src/contract/contract.js";
import { createCoverageCounter, findItems } from "../../../src/core/coverage/coverage.js";
import { startControlled } from "../../support/controlled.js";
import { paste, seenIn, titleOf } from "./paste.js";

const demo = JSON.parse(readFileSync("data/seeds/demo.json", "utf8"));
const contract = await loadContract();

function open() {
  const handler = createFetchHandler({ seed: demo });
  const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key", fetch: handler.fetch });
  return { handler, client, seen: () => seenIn(coverageOf(handler.requests())) };
}

test("the recipe of each item shows it", async () => {
  const items = findItems(contract);
  expect(items.length).toBeGreaterThan(60);
  const showing = items.map(async (item) => {
    const { handler, client, seen } = open();
    await paste(item.recipe, { addFault: handler.addFault, client });
    expect(seen(), item.recipe).toContain(titleOf(item));
    const statuses = handler.requests().map(({ status = 0 }) => status);
    expect(statuses, `${item.recipe} responds with ${item.status}`).toContain(item.status ?? 200);
  });
  await Promise.all(showing); // two of them are slow
});

test("a request shows what it has and what its response has, and nothing else", async () => {
  const { client, seen } = open();
  expect(seen()).toEqual([]);
  await client.updatePreferences("ines-moreau", { channels: { sms: true } });
  expect(seen()).toEqual(["updatePreferences status 200", "updatePreferences parameter channels.sms"]);
  await client.listNotifications({ limit: 1, subscriberIds: ["nobody"] });
  expect(seen().slice(2)).toEqual([
    "listNotifications status 200",
    "listNotifications parameter subscriberIds",
    "listNotifications parameter limit",
    "listNotifications state an empty page",
  ]);
});

test("a request without a valid key and one with another method count for the operations of the path", async () => {
  const { handler, seen } = open();
  await handler.fetch("https://api.example.com/v1/notifications?limit=1");
  await handler.fetch("https://api.example.com/v1/unknown");
  const headers = { authorization: "ApiKey demo-key" };
  await handler.fetch("https://api.example.com/v1/notifications", { method: "DELETE", headers });
  expect(seen()).toEqual(["listNotifications status 401", "listNotifications status 405"]);
});

test("channels and delivery statuses are those of the contract", () => {
  const names = (start: string) =>
    findItems(contract)
      .filter(({ name }) => name.startsWith(start))
      .map(({ name }) => name.slice(start.length));
  const { Channel, NotificationJob } = contract.document.components.schemas;
  expect(names("the channel ")).toEqual(Channel?.enum);
  const listed = [...String(NotificationJob?.properties?.status?.description).matchAll(/`(\w+)`/g)];
  expect(names("the delivery status ")).toEqual(listed.map(([, status]) => status));
});

test("the counts of several processes add up", async () => {
  const [one, other] = [open(), open()];
  await one.client.listNotifications();
  await other.client.listNotifications();
  await other.client.readPreferences("ines-moreau");
  const merged = mergeCoverage([one, other].map(({ handler }) => coverageOf(handler.requests())));
  const counts = Object.fromEntries(merged.items.map((item) => [titleOf(item), item.count]));
  expect(counts).toMatchObject({ "listNotifications status 200": 2, "updatePreferences status 200": 1 });
  expect(counts).toMatchObject({ "listNotifications status 503": 0 });
  expect(merged.items).toHaveLength(createCoverageCounter().list(contract).items.length);
});

test("on the server, environments add up and outlive their deletion; the console does not count", async () => {
  const server = await startControlled();
  const body = JSON.stringify({ channels: { push: true } });
  for (const name of ["one", "other"]) {
    const { body: environment } = await server.control("POST /environments", { name, seed: "demo" });
    await server.request(environment.apiKey, "GET /v1/notifications?limit=50");
    await server.request(environment.apiKey, "PATCH /v2/subscribers/ines-moreau/preferences", { body });
    await server.control(`DELETE /environments/${name}`);
  }
  const headers = { "x-requested-by": "console" };
  await server.request(server.apiKey, "GET /v1/notifications?search=ines", { headers });
  const { body: coverage } = await server.control("GET /coverage");
  const counts = Object.fromEntries(
    coverage.items.map((item: { count: number }) => [titleOf(item as never), item.count]),
  );
  expect(counts).toMatchObject({
    "listNotifications status 200": 2,
    "listNotifications parameter limit": 2,
    "listNotifications parameter search": 0,
    "listNotifications state the delivery status running": 2,
    "updatePreferences parameter channels.push": 2,
  });
});
