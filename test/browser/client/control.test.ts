// The client of the control plane, against a running reference server.
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { createClient } from "../../../src/browser/client/client.js";
import { type Control, ControlError, createControl, NoRequestError } from "../../../src/browser/client/control.js";
import type { ControlOperationId } from "../../../src/core/control/schemas.js";
import { type RunningServer, startServer } from "../../../src/start-server.js";

const CONTROL_KEY = "control-key-of-tests";

let server: RunningServer;
let control: Control;
beforeAll(async () => {
  server = await startServer({ controlKey: CONTROL_KEY });
  control = createControl({ baseUrl: server.url, controlKey: CONTROL_KEY });
});
afterAll(() => server.close());

async function createDemoEnvironment() {
  const environment = await control.createEnvironment({ seed: "demo", now: "2026-11-02T09:00:00Z" });
  return { name: environment.name, client: createClient({ baseUrl: server.url, apiKey: environment.apiKey }) };
}

describe("the client of the control plane", () => {
  test("has a method for each operation", () => {
    expectTypeOf<Control>().toHaveProperty("waitForRequest");
    expectTypeOf<Exclude<ControlOperationId, keyof Control>>().toEqualTypeOf<never>();
    expectTypeOf<Exclude<keyof Control, ControlOperationId>>().toEqualTypeOf<"waitForRequest" | "watchEnvironments">();
  });

  test("says when the server is ready", async () => {
    expect(await control.getReadiness()).toMatchObject({ status: "ready" });
  });

  test("creates an environment with its own key, resets and deletes it", async () => {
    const { name, client } = await createDemoEnvironment();
    expect((await control.listEnvironments()).map((environment) => environment.name)).toContain(name);
    await client.updatePreferences("ines-moreau", { channels: { sms: false } });
    await control.resetEnvironment(name);
    const again = await client.updatePreferences("ines-moreau", { channels: {} });
    expect(again.ok && again.data.global.channels.sms).toBe(true);
    await control.deleteEnvironment(name);
    await expect(control.getEnvironment(name)).rejects.toMatchObject({ name: "ControlError", status: 404 });
    expect((await client.listNotifications()).status).toBe(401);
  });

  test("exports an environment, which another one can start from", async () => {
    const { name, client } = await createDemoEnvironment();
    await client.updatePreferences("ines-moreau", { channels: { sms: false } });
    const data = JSON.parse(await control.exportEnvironment(name));
    const { apiKey } = await control.createEnvironment({ data });
    const copy = createClient({ baseUrl: server.url, apiKey });
    expect(await copy.readPreferences("ines-moreau")).toMatchObject({ data: { global: { channels: { sms: false } } } });
    await expect(control.exportEnvironment("none")).rejects.toMatchObject({ name: "ControlError", status: 404 });
  });

  test("adds and removes records", async () => {
    const { name, client } = await createDemoEnvironment();
    await control.addSubscriber(name, { subscriberId: "crew/day shift", email: null });
    await control.addWorkflow(name, { identifier: "stand-up", channels: ["chat"] });
    const wanted = { subscriberId: "crew/day shift", workflow: "stand-up", count: 2, topics: ["team:day"] };
    const [newest] = await control.addNotifications(name, wanted);
    const listed = await client.listNotifications({ subscriberIds: ["crew/day shift"], topicKey: "team:day" });
    expect(listed.ok && listed.data.data.map(({ _id }) => _id)).toHaveLength(2);
    await control.removeNotification(name, newest?._id ?? "");
    const { total, subscribers } = await control.listSubscribers(name, { search: "day shift", limit: 1 });
    expect([total, subscribers[0]?.subscriberId]).toEqual([1, "crew/day shift"]);
    await control.removeSubscriber(name, "crew/day shift");
    await control.removeWorkflow(name, "stand-up");
    expect((await control.listWorkflows(name)).map(({ identifier }) => identifier)).not.toContain("stand-up");
    expect(await control.getEnvironment(name)).toMatchObject({ subscribers: 25, notifications: 151 });
  });

  test("freezes, sets and advances the clock", async () => {
    const { name } = await createDemoEnvironment();
    expect(await control.getClock(name)).toEqual({ mode: "frozen", now: "2026-11-02T09:00:00.000Z" });
    expect(await control.advanceClock(name, 3_600_000)).toMatchObject({ now: "2026-11-02T10:00:00.000Z" });
    const set = await control.setClock(name, { mode: "frozen", now: "2027-01-01T00:00:00Z" });
    expect(set.now).toBe("2027-01-01T00:00:00.000Z");
    expect((await control.resetClock(name)).mode).toBe("running");
  });

  test("adds, lists and removes faults", async () => {
    const { name, client } = await createDemoEnvironment();
    const fault = await control.addFault(name, { status: 503, count: 1 });
    expect([(await client.listNotifications()).status, (await client.listNotifications()).status]).toEqual([503, 200]);
    expect(await control.listFaults(name)).toMatchObject([{ id: fault.id, hits: 1 }]);
    await control.removeFault(name, fault.id);
    await control.addFault(name, { disconnect: true });
    expect(await client.listNotifications()).toMatchObject({ status: 0, error: { kind: "network" } });
    await control.clearFaults(name);
    expect((await client.listNotifications()).status).toBe(200);
  });

  test("waits for a request: a past one, a coming one, one after another", async () => {
    const { name, client } = await createDemoEnvironment();
    const coming = control.waitForRequest({ environment: name });
    await client.listNotifications({ limit: 51 });
    const first = await coming;
    expect(first).toMatchObject({ status: 422, violations: [{ location: "query.limit" }] });
    expect(await control.waitForRequest({ environment: name, rejected: true })).toEqual(first);
    const next = control.waitForRequest({ environment: name, after: first.number });
    await client.listNotifications({ limit: 3 });
    expect((await next).target).toBe("/v1/notifications?limit=3");
    await control.clearRequests(name);
    expect((await control.listRequests({ environment: name })).requests).toEqual([]);
  });

  test("lists the latest requests when none matches", async () => {
    const { name, client } = await createDemoEnvironment();
    await client.listNotifications({ limit: 4 });
    const waiting = control.waitForRequest({ environment: name, operation: "updatePreferences", timeoutMs: 1 });
    await expect(waiting).rejects.toThrow(NoRequestError);
    await expect(waiting).rejects.toThrow(/"updatePreferences".* 1 ms.*\n {2}GET \/v1\/notifications\?limit=4 → 200/);
  });

  test("throws error responses, with the violations", async () => {
    const rejected = control.createEnvironment({ name: "No Such Name" });
    await expect(rejected).rejects.toThrow(ControlError);
    await expect(rejected).rejects.toMatchObject({ status: 422, errors: { "body.name": {} } });
    await expect(createControl({ baseUrl: server.url }).listEnvironments()).rejects.toMatchObject({ status: 401 });
    const elsewhere = createControl({
      baseUrl: "http://example.com",
      fetch: async () => new Response("down", { status: 502 }),
    });
    await expect(elsewhere.getReadiness()).rejects.toThrow("The control plane responded with 502: down");
  });
});
