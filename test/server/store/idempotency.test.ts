// Recorded responses after a restart, and over time. `verify` has the laws of one server that keeps running.
import { beforeEach, expect, test } from "vitest";
import { type SmallServer, startSmallServer } from "../../support/small-server.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const START = "2026-01-15T12:00:00.000Z";
const OFF = { channels: { email: false } };
const ON = { channels: { email: true } };

let dataFolder: string;
let server: SmallServer;

beforeEach(async () => {
  dataFolder = await createTemporaryFolder();
  server = await startSmallServer(dataFolder, START);
});

async function restart(now = START): Promise<SmallServer> {
  await server.close();
  return startSmallServer(dataFolder, now);
}

test("each response is replayed byte for byte, also after a restart; a key that another request reuses is 422", async () => {
  const rows: [key: string, subscriber: string, body: object, status: number][] = [
    ["a success", "subscriber-1", OFF, 200],
    ["an update of nothing", "subscriber-1", { channels: {} }, 200],
    ["an unknown subscriber", "nobody", OFF, 404],
    ["an unknown workflow", "subscriber-1", { ...OFF, workflowId: "nothing" }, 404],
  ];
  const texts = new Map<string, string>();
  for (const [key, subscriber, body, status] of rows) {
    const first = await server.update(subscriber, body, key);
    expect(first.status).toBe(status);
    expect(first.headers).not.toHaveProperty("idempotency-replay");
    texts.set(key, first.text);
  }
  const expectReplays = async (running: SmallServer) => {
    for (const [key, subscriber, body, status] of rows) {
      const replay = await running.update(subscriber, body, key);
      expect(replay.headers).toMatchObject({ "idempotency-replay": "true", "idempotency-key": key });
      expect([replay.status, replay.text]).toEqual([status, texts.get(key)]);
    }
    const reused = await running.update("subscriber-2", OFF, "a success");
    expect([reused.status, reused.body.errors["header.idempotency-key"].value]).toEqual([422, "a success"]);
    expect(await readEmail(running, "subscriber-2")).toBe(true);
  };
  await expectReplays(server);
  await expectReplays(await restart());
});

test.each([
  ["a millisecond before 24 hours it is still a replay", "2026-01-16T11:59:59.999Z", true],
  ["after 24 hours the key is new: the request takes effect", "2026-01-16T12:00:00.000Z", false],
])("expiry › %s", async (_title, now, isReplay) => {
  await server.update("subscriber-1", OFF, "key");
  await server.update("subscriber-1", ON);
  const later = await restart(now);
  const response = await later.update("subscriber-1", OFF, "key");
  expect(response.headers["idempotency-replay"]).toBe(isReplay ? "true" : undefined);
  expect(await readEmail(later, "subscriber-1")).toBe(isReplay);
});

/** A subscriber's global value; an update of nothing shows it. */
async function readEmail(client: SmallServer, subscriber: string): Promise<boolean> {
  return (await client.update(subscriber, { channels: {} })).body.global.channels.email;
}
