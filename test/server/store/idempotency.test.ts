// Recorded responses after a restart, and over time. `verify` has the laws of one server that keeps running.
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { type SmallServer, startSmallServer } from "../../support/small-server.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const START = "2026-01-15T12:00:00.000Z";
const OFF = { channels: { email: false } };
const ON = { channels: { email: true } };

let dataFolder: string;
let server: SmallServer;
let key: string;

beforeEach(async () => {
  dataFolder = await createTemporaryFolder();
  server = await startSmallServer(dataFolder, START);
  key = randomUUID();
});

describe("what is recorded", () => {
  const rows: [string, string, object, number][] = [
    ["a success", "subscriber-1", OFF, 200],
    ["an update of nothing", "subscriber-1", { channels: {} }, 200],
    ["404 of an unknown subscriber", "nobody", OFF, 404],
    ["404 of an unknown workflow", "subscriber-1", { ...OFF, workflowId: "nothing" }, 404],
  ];
  test.each(rows)("%s is replayed byte for byte, also after a restart", async (_title, subscriber, body, status) => {
    const first = await server.update(subscriber, body, key);
    expect(first.status).toBe(status);
    expect(first.headers).not.toHaveProperty("idempotency-replay");
    const replay = await server.update(subscriber, body, key);
    await server.close();
    const restarted = await startSmallServer(dataFolder, "2026-01-15T13:00:00.000Z");
    const later = await restarted.update(subscriber, body, key);

    for (const response of [replay, later]) {
      expect(response.headers["idempotency-replay"]).toBe("true");
      expect(response.headers["idempotency-key"]).toBe(key);
      expect({ status: response.status, text: response.text }).toEqual({ status, text: first.text });
    }
  });
});

describe("a key that another request reuses", () => {
  const rows: [string, string, object][] = [
    ["another body", "subscriber-1", ON],
    ["another subscriber", "subscriber-2", OFF],
    ["the workflow level", "subscriber-1", { ...OFF, workflowId: "workflow-1" }],
  ];
  test.each(rows)("%s: 422, and nothing changes, also after a restart", async (_title, subscriber, body) => {
    const first = await server.update("subscriber-1", OFF, key);
    expect((await server.update(subscriber, body, key)).status).toBe(422);
    await server.close();

    const restarted = await startSmallServer(dataFolder, START);
    const refused = await restarted.update(subscriber, body, key);
    expect(refused.status).toBe(422);
    expect(refused.body.errors["header.idempotency-key"].value).toBe(key);
    expect(await readEmail(restarted, "subscriber-1")).toBe(false);
    expect(await readEmail(restarted, "subscriber-2")).toBe(true);
    expect((await restarted.update("subscriber-1", OFF, key)).text).toBe(first.text);
  });
});

describe("expiry", () => {
  const rows: [string, string, boolean][] = [
    ["a millisecond before 24 hours it is still a replay", "2026-01-16T11:59:59.999Z", true],
    ["after 24 hours the key is new: the request takes effect", "2026-01-16T12:00:00.000Z", false],
  ];
  test.each(rows)("%s", async (_title, now, isReplay) => {
    await server.update("subscriber-1", OFF, key);
    await server.update("subscriber-1", ON);
    await server.close();

    const later = await startSmallServer(dataFolder, now);
    const response = await later.update("subscriber-1", OFF, key);
    expect(response.headers["idempotency-replay"]).toBe(isReplay ? "true" : undefined);
    expect(await readEmail(later)).toBe(isReplay);
  });
});

/** A subscriber's global value; an update of nothing shows it. */
async function readEmail(client: SmallServer, subscriber = "subscriber-1"): Promise<boolean> {
  return (await client.update(subscriber, { channels: {} })).body.global.channels.email;
}
