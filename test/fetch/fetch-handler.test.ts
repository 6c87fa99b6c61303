// The fetch handler beyond the contract: what a test does with it, and that it needs nothing but WHATWG.
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createClient } from "../../src/client/client.js";
import { contract } from "../../src/fetch/contract.js";
import {
  createFetchHandler,
  type FetchHandler,
  type FetchHandlerOptions,
  type Seed,
} from "../../src/fetch/fetch-handler.js";
import { toSeedPath } from "../../src/store/seeds/seed.js";

const MAX_BYTES = 45_000;

const demo: Seed = JSON.parse(readFileSync(toSeedPath("demo"), "utf8"));
const NOW = "2026-11-02T09:00:00.000Z";

function open(options: Partial<FetchHandlerOptions> = {}) {
  const handler = createFetchHandler({ seed: demo, now: NOW, ...options });
  const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key", fetch: handler.fetch });
  const readSms = async () => {
    const result = await client.readPreferences("ines-moreau");
    if (!result.ok) throw new Error(result.error.message);
    return result.data.global.channels.sms;
  };
  const listNewest = async () => {
    const result = await client.listNotifications({ limit: 1 });
    if (!result.ok) throw new Error(result.error.message);
    return result.data.data[0]?._id;
  };
  return { ...handler, client, readSms, listNewest };
}

const SMS_OFF = { channels: { sms: false } };

describe("a fetch handler", () => {
  test("is not created for a contract with an operation that no handler has the name of", () => {
    const [operation] = contract.operations;
    if (!operation) throw new Error("the contract has no operations");
    const { id } = operation;
    try {
      operation.id = "readPreferences";
      expect(() => open()).toThrow(/^openapi\.yaml: the server has no operation readPreferences; it has /);
    } finally {
      operation.id = id;
    }
  });

  test("keeps updates, and forgets them when it is reset", async () => {
    const { client, readSms, reset, requests } = open();
    await client.updatePreferences("ines-moreau", SMS_OFF);
    expect(await readSms()).toBe(false);
    expect(requests().map(({ operation, status }) => [operation, status])).toEqual([
      ["updatePreferences", 200],
      ["updatePreferences", 200],
    ]);
    await reset();
    expect(requests()).toEqual([]);
    expect(await readSms()).toBe(true);
  });

  test("restores a snapshot", async () => {
    const { client, readSms, snapshot } = open();
    const restore = snapshot();
    await client.updatePreferences("ines-moreau", SMS_OFF);
    await restore();
    expect(await readSms()).toBe(true);
  });

  test("has records added, and the clock moved", async () => {
    const { addSubscriber, addWorkflow, addNotifications, advanceClock, setClock, listNewest } = open();
    const { subscriberId } = await addSubscriber({ subscriberId: "new-here" });
    await addWorkflow({ identifier: "welcome", channels: ["in_app"] });
    const [first] = await addNotifications({ subscriberId, workflow: "welcome" });
    expect(await listNewest()).toBe(first?._id);
    expect(advanceClock(3_600_000)).toEqual({ mode: "frozen", now: "2026-11-02T10:00:00.000Z" });
    const [second] = await addNotifications({ subscriberId });
    expect(second?.createdAt).toBe("2026-11-02T09:59:59.999Z");
    expect(await listNewest()).toBe(second?._id);
    expect(setClock({ mode: "running" }).mode).toBe("running");
    await expect(addNotifications({ subscriberId: "nobody" })).rejects.toThrow("There is no subscriber nobody.");
  });

  test("injects faults, also from the beginning", async () => {
    const { client, addFault, clearFaults, reset, requests } = open({ faults: [{ status: 503, count: 1 }] });
    expect((await client.listNotifications()).status).toBe(503);
    expect((await client.listNotifications()).status).toBe(200);
    const { id } = addFault({ disconnect: true });
    const outcome = await client.listNotifications();
    expect(outcome).toMatchObject({ status: 0, error: { kind: "network" } });
    expect(requests().at(-1)).toEqual(expect.not.objectContaining({ status: expect.anything() }));
    expect(requests().at(-1)?.fault).toBe(id);
    clearFaults();
    addFault({ malformed: true, count: 1 });
    expect(await client.listNotifications()).toMatchObject({ status: 0, error: { kind: "response" } });
    expect(() => addFault({ status: 418 })).toThrow("The contract has no such example.");
    await reset();
    expect((await client.listNotifications()).status).toBe(503);
  });

  test("has the faults of the control plane: presets, sequences", async () => {
    const { client, addFault, clearFaults } = open({ faults: [{ preset: "second-page-fails" }] });
    const statuses: number[] = [];
    for await (const { status } of client.pages({ limit: 50 })) statuses.push(status);
    expect(statuses).toEqual([200, 503, 200, 200]);
    clearFaults();
    addFault({ sequence: [503, 429, "ok"] });
    const result = await client.listNotifications({}, { retry: { attempts: 3, delayMs: 1 } });
    expect(result.status).toBe(200);
  });

  test("is a network error for a service worker where a fault disconnects", async () => {
    const { handle, addFault } = open();
    addFault({ disconnect: true });
    const headers = { authorization: "ApiKey demo-key" };
    const response = await handle(new Request("https://api.example.com/v1/notifications", { headers }));
    expect(response.type).toBe("error");
  });

  test("records what was sent and what came back", async () => {
    const { client, requests } = open({ apiKey: "another" });
    await client.updatePreferences("ines-moreau", SMS_OFF);
    expect(requests()).toEqual([
      {
        method: "PATCH",
        target: "/v2/subscribers/ines-moreau/preferences",
        headers: expect.objectContaining({ authorization: "ApiKey demo-key" }),
        body: JSON.stringify(SMS_OFF),
        status: 401,
        responseBody: expect.stringContaining("API Key not found"),
      },
    ]);
  });

  test("delays each response, until the caller aborts", async () => {
    const started = performance.now();
    expect((await open({ delayMs: 60 }).client.listNotifications()).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(59);
    const listing = open({ delayMs: 60_000 }).client.listNotifications({}, { signal: AbortSignal.timeout(20) });
    expect(await listing).toMatchObject({ status: 0, error: { kind: "aborted" } });
  });

  test("holds an idempotency key while its response is delayed", async () => {
    const { client } = open({ faults: [{ delayMs: 60_000, count: 1 }] });
    const controller = new AbortController();
    const update = (signal?: AbortSignal) =>
      client.updatePreferences("ines-moreau", SMS_OFF, { idempotencyKey: "held", ...(signal ? { signal } : {}) });
    const first = update(controller.signal);
    await expect.poll(async () => (await update()).status).toBe(409);
    controller.abort();
    expect((await first).status).toBe(0);
    await expect.poll(async () => (await update()).response.headers.get("idempotency-replay")).toBe("true");
  });

  afterEach(() => vi.unstubAllGlobals());

  test("takes the place of the global fetch", async () => {
    vi.stubGlobal("fetch", open().fetch);
    const headers = { authorization: "ApiKey demo-key" };
    const response = await fetch("https://api.example.com/v1/notifications?limit=2", { headers });
    expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(2);
  });
});

test("it is one small bundle without any Node module, and runs where there is no Buffer", async () => {
  const built = await rolldown({ input: "src/fetch/fetch-handler.ts", platform: "browser" });
  const { output } = await built.generate({ format: "esm", minify: true });
  await built.close();
  const [{ code, imports, moduleIds }] = output;
  expect(imports).toEqual([]);
  expect(moduleIds.filter((id) => builtinModules.includes(id.replace("node:", "")))).toEqual([]);
  const bytes = gzipSync(code, { level: 9 }).length;
  expect(bytes).toBeLessThan(MAX_BYTES);
  const [, said] = /handler is ([\d.]+) kB/.exec(readFileSync("docs/front-end.md", "utf8")) ?? [];
  expect(Math.abs(Number(said) - bytes / 1000)).toBeLessThan(1); // it need not change with each merge

  vi.stubGlobal("Buffer", undefined);
  let handler: FetchHandler;
  try {
    const bundle = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    handler = bundle.createFetchHandler({ seed: demo, now: NOW });
  } finally {
    vi.unstubAllGlobals(); // Node's own Request needs it
  }
  const headers = { authorization: "ApiKey demo-key" };
  const response = await handler.fetch("https://api.example.com/v1/notifications?limit=50", { headers });
  expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(50);
});
