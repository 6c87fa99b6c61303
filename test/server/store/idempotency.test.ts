import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { type SmallServer, startSmallServer } from "../../support/small-server.js";
import { readStored } from "../../support/stored-environment.js";
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

describe("one key, one effect", () => {
  test("50 requests at once with one key: one takes effect, the others are replays or 409", async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => server.update("subscriber-1", OFF, key)));
    const first = responses.filter(({ status, headers }) => status === 200 && !("idempotency-replay" in headers));
    const replays = responses.filter(({ headers }) => headers["idempotency-replay"] === "true");
    const waiting = responses.filter(({ status }) => status === 409);

    expect(first).toHaveLength(1);
    expect(replays.map(({ text }) => text)).toEqual(replays.map(() => first[0]?.text));
    expect(first.length + replays.length + waiting.length).toBe(50);
    for (const { headers } of waiting) expect(headers["retry-after"]).toBe("1");
    for (const { headers } of responses) expect(headers["idempotency-key"]).toBe(key);
    expect(readRecorded().map((recorded) => recorded.key)).toEqual([key]);
  });

  test("a replay does not take effect again: later updates stay", async () => {
    await server.update("subscriber-1", OFF, key);
    await server.update("subscriber-1", ON);
    const replay = await server.update("subscriber-1", OFF, key);
    expect(replay.headers["idempotency-replay"]).toBe("true");
    expect(replay.body.global.channels.email).toBe(false);
    expect(await readEmail(server)).toBe(true);
  });

  test("one key in two requests at once: one succeeds, the other is 409 or 422 and has no effect", async () => {
    const ids = ["subscriber-1", "subscriber-2"];
    const responses = await Promise.all(ids.map((id) => server.update(id, OFF, key)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect([409, 422]).toContain(statuses.find((status) => status !== 200));
    const emails = [await readEmail(server, "subscriber-1"), await readEmail(server, "subscriber-2")];
    expect(emails).toEqual(statuses.map((status) => status !== 200));
  });

  test("updates with different keys at once all take effect", async () => {
    const channels = ["email", "sms", "in_app", "chat", "push"];
    await Promise.all(
      channels.map((channel) => server.update("subscriber-1", { channels: { [channel]: false } }, `${key} ${channel}`)),
    );
    const { body } = await server.update("subscriber-1", { channels: {} });
    expect(Object.values(body.global.channels)).toEqual([false, false, false, false, false]);
  });
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

  test("a 422 of the contract is not recorded: the corrected request takes effect", async () => {
    expect((await server.update("subscriber-1", { channels: { fax: true } }, key)).status).toBe(422);
    const response = await server.update("subscriber-1", OFF, key);
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty("idempotency-replay");
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

  test("another request may reuse an expired key, and is recorded in its place", async () => {
    await server.update("subscriber-1", OFF, key);
    await server.close();
    const later = await startSmallServer(dataFolder, "2026-01-16T12:00:00.000Z");
    const second = await later.update("subscriber-2", OFF, key);
    expect(second.status).toBe(200);
    const replay = await later.update("subscriber-2", OFF, key);
    expect(replay.headers["idempotency-replay"]).toBe("true");
    expect(replay.text).toBe(second.text);
    expect(readRecorded()).toMatchObject([{ key, recordedAt: "2026-01-16T12:00:00.000Z" }]);
  });
});

/** A subscriber's global value; an update of nothing shows it. */
async function readEmail(client: SmallServer, subscriber = "subscriber-1"): Promise<boolean> {
  return (await client.update(subscriber, { channels: {} })).body.global.channels.email;
}

function readRecorded(): { key: string; recordedAt: string }[] {
  return readStored(dataFolder).recordedResponses;
}
