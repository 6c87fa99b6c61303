// The fetch handler beyond the contract: what a test does with it, and that it needs nothing but WHATWG.
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../../src/browser/client/client.js";
import { contract } from "../../../src/browser/fetch/built-contract.js";
import {
  createFetchHandler,
  type FetchHandler,
  type FetchHandlerOptions,
  type Seed,
} from "../../../src/browser/fetch/fetch-handler.js";
import { findSeedPath } from "../../../src/server/store/seed.js";

const MAX_BYTES = 62_000 + 1_000 * contract.operations.length;

const demo: Seed = JSON.parse(readFileSync(findSeedPath("demo"), "utf8"));
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
  test("is not created for a contract with an operation that no handler implements", () => {
    const [operation] = contract.operations;
    if (!operation) throw new Error("the contract has no operations");
    const { path } = operation;
    onTestFinished(() => void Object.assign(operation, { path }));
    operation.path = "/v1/preferences";
    expect(() => open()).toThrow(`openapi.yaml: no handler implements ${operation.id}`);
  });

  test("keeps updates, and forgets them when a snapshot is restored, or it is reset", async () => {
    const { client, readSms, reset, requests, snapshot } = open();
    const restore = snapshot();
    for (const forget of [restore, reset]) {
      await client.updatePreferences("ines-moreau", SMS_OFF);
      expect(await readSms()).toBe(false);
      await forget();
      expect(await readSms()).toBe(true);
    }
    expect(requests()).toMatchObject([{ operation: "updatePreferences", status: 200 }]);
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
  });

  test("adds a subscriber with preferences", async () => {
    const { addSubscriber, client } = open();
    const workflows = [{ workflow: "weekly-digest", channels: { email: false } }];
    addSubscriber({ subscriberId: "new-here", preferences: { channels: { push: false }, workflows } });
    const read = await client.readPreferences("new-here");
    if (!read.ok) throw new Error(read.error.message);
    expect(read.data.global.channels).toMatchObject({ push: false, email: true });
    const digest = read.data.workflows.find(({ workflow }) => workflow.identifier === "weekly-digest");
    expect(digest?.channels.email).toBe(false);
    const unknown = { subscriberId: "other", preferences: { workflows: [{ workflow: "nothing", channels: {} }] } };
    expect(() => addSubscriber(unknown)).toThrow("There is no workflow nothing.");
  });

  test("adds notifications with jobs and a template of their own", async () => {
    const { addNotifications, client } = open();
    const jobs = [
      { type: "email", status: "failed", detail: "The mailbox is full" },
      { type: "push", status: "delayed" },
    ] as const;
    const add = (template: { name: string } | null) =>
      addNotifications({ subscriberId: "ines-moreau", template, jobs: [...jobs] });
    for (const template of [{ name: "Parcel on its way" }, { name: "Parcel on its way" }, null]) add(template);
    const result = await client.listNotifications({ limit: 3 });
    if (!result.ok) throw new Error(result.error.message);
    const { data } = result.data;
    const [first] = data;
    const templates = data.flatMap(({ template }) => template ?? []);
    expect(templates.map(({ name }) => name)).toEqual(["Parcel on its way", "Parcel on its way"]);
    expect(new Set(templates.map(({ _id }) => _id)).size, "one workflow").toBe(1);
    expect(first?.channels).toEqual(["email", "push"]);
    expect(first?.jobs).toMatchObject([
      { type: "email", status: "failed" },
      { type: "push", status: "delayed" },
    ]);
    const last = first?.jobs?.[0]?.executionDetails.at(-1);
    expect(last).toMatchObject({ status: "Failed", detail: "The mailbox is full" });
    const both = { subscriberId: "ines-moreau", workflow: "weekly-digest", template: null };
    expect(() => addNotifications(both)).toThrow("Give either workflow or template, not both.");
  });

  test("injects faults, also from the beginning", async () => {
    const { client, handle, addFault, clearFaults, reset, requests } = open({ faults: [{ status: 503, count: 1 }] });
    expect((await client.listNotifications()).status).toBe(503);
    expect((await client.listNotifications()).status).toBe(200);
    const { id } = addFault({ disconnect: true });
    const outcome = await client.listNotifications();
    expect(outcome).toMatchObject({ status: 0, error: { kind: "network" } });
    expect(requests().at(-1)).toEqual(expect.not.objectContaining({ status: expect.anything() }));
    expect(requests().at(-1)?.fault).toBe(id);
    const headers = { authorization: "ApiKey demo-key" };
    const response = await handle(new Request("https://api.example.com/v1/notifications", { headers }));
    expect(response.type, "for a service worker").toBe("error");
    clearFaults();
    expect(() => addFault({ status: 418 })).toThrow("The contract has no response with status 418.");
    await reset();
    expect((await client.listNotifications()).status).toBe(503);
  });

  test("records what was sent and what came back, and of a request without a valid key no body", async () => {
    const { client, fetch, requests } = open({ apiKey: "another" });
    await client.updatePreferences("ines-moreau", SMS_OFF);
    const keyed = createClient({ baseUrl: "https://api.example.com", apiKey: "another", fetch });
    await keyed.updatePreferences("ines-moreau", SMS_OFF);
    const sent = { method: "PATCH", target: "/v2/subscribers/ines-moreau/preferences" };
    expect(requests()).toEqual([
      {
        ...sent,
        headers: expect.objectContaining({ authorization: "ApiKey demo-key" }),
        body: "",
        status: 401,
        responseHeaders: expect.objectContaining({ "www-authenticate": "ApiKey" }),
        responseBody: expect.stringContaining("API Key not found"),
        milliseconds: expect.any(Number),
      },
      {
        ...sent,
        operation: "updatePreferences",
        headers: expect.objectContaining({ authorization: "ApiKey another" }),
        body: JSON.stringify(SMS_OFF),
        status: 200,
        responseHeaders: expect.objectContaining({ "x-request-id": expect.any(String) }),
        responseBody: expect.stringContaining('"global"'),
        milliseconds: expect.any(Number),
      },
    ]);
  });

  test.each([
    ["before", (controller: AbortController) => controller.abort()],
    ["at once", (controller: AbortController) => queueMicrotask(() => controller.abort())],
  ])("aborted %s, an update has no effect, and the request is none", async (_title, abort) => {
    const { client, readSms, requests } = open();
    const controller = new AbortController();
    abort(controller);
    const result = await client.updatePreferences("ines-moreau", SMS_OFF, { signal: controller.signal });
    expect(result).toMatchObject({ status: 0, error: { kind: "aborted" } });
    expect(await readSms()).toBe(true);
    expect(requests()).toHaveLength(1);
  });

  const UPDATE = "https://api.example.com/v2/subscribers/ines-moreau/preferences";
  const send = (handler: { fetch: FetchHandler["fetch"] }, body: ReadableStream | Buffer, init: RequestInit = {}) => {
    const headers = { authorization: "ApiKey demo-key", "content-type": "application/json", ...init.headers };
    return handler.fetch(UPDATE, { method: "PATCH", ...init, headers, body, duplex: "half" } as RequestInit);
  };

  test("an endless body is rejected where it is too long, and a bomb of 300 MB before it is unpacked", async () => {
    let chunks = 0;
    const endless = new ReadableStream({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new Uint8Array(10_000).fill(32));
      },
    });
    expect((await send(open(), endless)).status).toBe(413);
    expect(chunks).toBeLessThan(50);
    const bomb = Buffer.concat(Array(10).fill(gzipSync(Buffer.alloc(30_000_000), { level: 1 })));
    const { heapUsed, external } = process.memoryUsage();
    expect((await send(open(), bomb, { headers: { "content-encoding": "gzip" } })).status).toBe(413);
    const after = process.memoryUsage();
    expect(after.heapUsed + after.external - heapUsed - external).toBeLessThan(50_000_000);
  });

  test("a body that never ends, and one that breaks off, have no response", async () => {
    const { requests, readSms, ...handler } = open();
    const silent = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"channels":')) });
    await expect(send(handler, silent, { signal: AbortSignal.timeout(20) })).rejects.toThrow("timeout");
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error("the disk is gone")) });
    await expect(send(handler, broken)).rejects.toThrow("could not be read");
    expect(requests()).toEqual([]);
    expect(await readSms()).toBe(true);
  });

  test("what JSON cannot hold is rejected, and later calls go on", async () => {
    const { addNotifications, client } = open();
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const payload of [{ amount: 1n }, cycle]) {
      expect(() => addNotifications({ subscriberId: "ines-moreau", payload })).toThrow(TypeError);
    }
    expect((await client.updatePreferences("ines-moreau", SMS_OFF)).status).toBe(200);
    expect(await addNotifications({ subscriberId: "ines-moreau" })).toHaveLength(1);
  });

  test("is reset to its creation, whatever was done to its options since", async () => {
    const [seed, now, faults] = [structuredClone(demo), new Date(NOW), [{ status: 503, count: 1 }]];
    const { client, reset, setClock, readSms } = open({ seed, now, faults });
    seed.subscribers.length = 0;
    now.setTime(0);
    faults.length = 0;
    await reset();
    expect((await client.listNotifications()).status).toBe(503);
    expect(await readSms()).toBe(true);
    expect(setClock({ mode: "frozen" }).now).toBe(NOW);
  });

  test("reads headers in any case, as happy-dom has them", async () => {
    const request = new Request("https://api.example.com/v1/notifications?limit=1");
    const headers = Object.assign([["Authorization", "ApiKey demo-key"]], { get: () => null });
    Object.defineProperty(request, "headers", { value: headers });
    expect((await open().handle(request)).status).toBe(200);
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
});

test("it is one small bundle without any Node module, and runs where there is no Buffer", async () => {
  const built = await rolldown({ input: "src/browser/fetch/fetch-handler.ts", platform: "browser" });
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
