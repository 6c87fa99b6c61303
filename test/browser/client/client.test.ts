import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { type Client, createClient, createIdempotencyKey } from "../../../src/browser/client/client.js";
import { type RunningServer, startServer } from "../../../src/start-server.js";

let server: RunningServer;
let client: Client;
beforeAll(async () => {
  server = await startServer({ now: new Date("2026-11-02T09:00:00.000Z"), checkResponses: true });
  client = createClient({ baseUrl: server.url, apiKey: server.apiKey });
});
afterAll(() => server.close());

describe("the typed client", () => {
  test("updates preferences", async () => {
    const result = await client.updatePreferences("crew/night shift", { channels: { email: false } });
    if (!result.ok) throw new Error(result.error.message);
    expectTypeOf(result.data.global.channels.email).toEqualTypeOf<boolean | undefined>();
    expect(result.data.global.channels.email).toBe(false);
  });

  test("lists notifications by every filter", async () => {
    const result = await client.listNotifications({
      channels: ["in_app", "email"],
      emails: ["amara+tidepool@example.com"],
      subscriberIds: ["ines-moreau"],
      search: "papadaki & co",
      after: "2026-10-01T00:00:00+02:00",
      limit: 3,
    });
    if (!result.ok) throw new Error(result.error.message);
    expect(result.data.data).toHaveLength(3);
  });

  test("sends a request of any operation, by its route", async () => {
    const result = await client.request("get /v1/notifications", { query: { limit: 2 } });
    if (!result.ok) throw new Error(result.error.message);
    expectTypeOf(result.status).toEqualTypeOf<200>();
    expectTypeOf(result.data.hasMore).toEqualTypeOf<boolean>();
    expect(result.data.data).toHaveLength(2);
    const rejected = await client.request("get /v1/notifications", { query: { limit: 51 } });
    expect([rejected.ok, rejected.status]).toEqual([false, 422]);
  });

  test("returns errors as values, typed by their status", async () => {
    const result = await client.updatePreferences("nobody", { channels: {} });
    if (result.ok) throw new Error("nobody is no subscriber");
    if (result.status !== 404) throw new Error(`${result.status} is not 404`);
    expect(result.error.ctx).toEqual({ code: "subscriberNotFound", decision: "D-19" });
    const rejected = await client.listNotifications({ limit: 51 });
    if (rejected.ok || rejected.status !== 422) throw new Error("51 is too many");
    expectTypeOf(rejected.error.errors).toBeObject();
    expect(Object.keys(rejected.error.errors)).toEqual(["query.limit"]);
  });

  test("generates an idempotency key on request, uses a given one, and says which", async () => {
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

  test("reads preferences without changing them", async () => {
    await client.updatePreferences("tomas-novak", { channels: { sms: false } });
    const read = await client.readPreferences("tomas-novak", { retry: { attempts: 2 } });
    expect(read).toMatchObject({ ok: true, data: { global: { channels: { email: false, sms: false } } } });
    expect(read.idempotencyKey).toBeUndefined();
  });
});
