// Both clients against a running reference server: the operations, and the control plane.
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { createClient, createIdempotencyKey } from "../../../src/browser/client/client.js";
import { type Control, ControlError, createControl, NoRequestError } from "../../../src/browser/client/control.js";
import { loadContract } from "../../../src/contract/contract.js";
import { CONTROL_CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import type { ControlOperationId } from "../../../src/core/control/schemas.js";
import { type RunningServer, startServer } from "../../../src/start-server.js";

type Method = (...args: unknown[]) => Promise<unknown>;

const { operations } = await loadContract(CONTROL_CONTRACT_PATH);
const CONTROL_KEY = "control-key-of-tests";

let server: RunningServer;
let control: Control;
beforeAll(async () => {
  server = await startServer({ controlKey: CONTROL_KEY, checkResponses: true });
  control = createControl({ baseUrl: server.url, controlKey: CONTROL_KEY });
});
afterAll(() => server.close());

async function createDemoEnvironment() {
  const environment = await control.createEnvironment({ seed: "demo", now: "2026-11-02T09:00:00Z" });
  return { name: environment.name, client: createClient({ baseUrl: server.url, apiKey: environment.apiKey }) };
}

describe("the typed client", () => {
  test("updates preferences, and reads them without a change", async () => {
    const { client } = await createDemoEnvironment();
    const result = await client.updatePreferences("crew/night shift", { channels: { email: false } });
    if (!result.ok) throw new Error(result.error.message);
    expectTypeOf(result.data.global.channels.email).toEqualTypeOf<boolean | undefined>();
    expect(result.data.global.channels.email).toBe(false);
    const read = await client.readPreferences("crew/night shift", { retry: { attempts: 2 } });
    expect([read.ok && read.data, read.idempotencyKey]).toEqual([result.data, undefined]);
  });

  test("lists notifications by every filter, or by the route of the operation", async () => {
    const { client } = await createDemoEnvironment();
    const result = await client.listNotifications({
      channels: ["in_app", "email"],
      emails: ["amara+tidepool@example.com"],
      subscriberIds: ["ines-moreau"],
      search: "papadaki & co",
      after: "2026-10-01T00:00:00+02:00",
      limit: 3,
    });
    expect(result.ok && result.data.data).toHaveLength(3);
    const byRoute = await client.request("get /v1/notifications", { query: { limit: 2 } });
    if (!byRoute.ok) throw new Error(byRoute.error.message);
    expectTypeOf(byRoute.status).toEqualTypeOf<200>();
    expectTypeOf(byRoute.data.hasMore).toEqualTypeOf<boolean>();
    expect(byRoute.data.data).toHaveLength(2);
  });

  test("returns errors as values, typed by their status", async () => {
    const { client } = await createDemoEnvironment();
    const result = await client.updatePreferences("nobody", { channels: {} });
    if (result.ok || result.status !== 404) throw new Error(`${result.status} is not 404`);
    expect(result.error.ctx).toEqual({ code: "subscriberNotFound", decision: "D-19" });
    const rejected = await client.listNotifications({ limit: 51 });
    if (rejected.ok || rejected.status !== 422) throw new Error("51 is too many");
    expectTypeOf(rejected.error.errors).toBeObject();
    expect(Object.keys(rejected.error.errors)).toEqual(["query.limit"]);
  });

  test("generates an idempotency key on request, uses a given one, and says which", async () => {
    const { client } = await createDemoEnvironment();
    const update = (idempotencyKey: string | true) =>
      client.updatePreferences("eleni-papadaki", { channels: { push: true } }, { idempotencyKey });
    const generated = await update(true);
    expect(generated.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
    expect(generated.response.headers.get("idempotency-key")).toBe(generated.idempotencyKey);
    const own = createIdempotencyKey();
    await update(own);
    const again = await update(own);
    expect([again.response.headers.get("idempotency-replay"), again.idempotencyKey]).toEqual(["true", own]);
  });
});

describe("the client of the control plane", () => {
  test("has a method for each operation", () => {
    expectTypeOf<Control>().toHaveProperty("waitForRequest");
    expectTypeOf<Exclude<ControlOperationId, keyof Control>>().toEqualTypeOf<never>();
    expectTypeOf<Exclude<keyof Control, ControlOperationId>>().toEqualTypeOf<"waitForRequest" | "watchEnvironments">();
  });

  test("each method sends its operation, to the environment that it names", async () => {
    const sent: string[] = [];
    const fetch = async ({ method, url }: Request) => {
      sent.push(`${method} ${new URL(url).pathname}`);
      return new Response(null, { status: 204 });
    };
    const methods = createControl({ baseUrl: "http://example.com", fetch }) as unknown as Record<string, Method>;
    for (const { id, method, path } of operations) {
      await methods[id]?.("a b", "c/d", {}).catch(() => {}); // most expect a body
      const target = path.replace("{environment}", "a%20b").replace(/{\w+}/, "c%2Fd");
      expect(sent.splice(0), id).toEqual([`${method.toUpperCase()} ${target}`]);
    }
  });

  test("exports an environment, which another one can start from", async () => {
    const { name, client } = await createDemoEnvironment();
    expect((await control.listEnvironments()).map((environment) => environment.name)).toContain(name);
    await client.updatePreferences("ines-moreau", { channels: { sms: false } });
    const data = JSON.parse(await control.exportEnvironment(name));
    const { apiKey } = await control.createEnvironment({ data });
    const copy = createClient({ baseUrl: server.url, apiKey });
    expect(await copy.readPreferences("ines-moreau")).toMatchObject({ data: { global: { channels: { sms: false } } } });
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
    const fetch = async () => new Response("down", { status: 502 });
    const elsewhere = createControl({ baseUrl: "http://example.com", fetch });
    await expect(elsewhere.getReadiness()).rejects.toThrow("The control plane responded with 502: down");
  });
});
