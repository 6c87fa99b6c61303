// A machine's clock may jump: a wrong battery, a suspended laptop, a correction by NTP. Nothing is lost, and nobody is refused.
import { beforeEach, describe, expect, test } from "vitest";
import { type Controlled, startControlled } from "../support/controlled.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const PREFERENCES = "PATCH /v2/subscribers/ines-moreau/preferences";
const LIST = "GET /v1/notifications?after=2000-01-01T00:00:00Z";
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});

const start = () => startControlled({ dataFolder: folder });

async function jump(server: Controlled, milliseconds: number): Promise<void> {
  const { status } = await server.control("POST /environments/default/clock/advance", { milliseconds });
  expect(status).toBe(200);
}

/** Switches email, with an idempotency key where one is given. */
function update(server: Controlled, email: boolean, key?: string) {
  const headers = key === undefined ? {} : { "idempotency-key": key };
  return server.ask(server.apiKey, PREFERENCES, { body: JSON.stringify({ channels: { email } }), headers });
}

describe.each([
  ["back", -YEAR_MS],
  ["ahead by less than a key is kept", 23 * HOUR_MS],
])("a clock that jumps %s", (_title, milliseconds) => {
  test("updates are stored, a key replays, and the next start finds it all", async () => {
    const server = await start();
    const { body: before } = await server.ask(server.apiKey, LIST);
    expect(before.data).toHaveLength(10);
    const first = await update(server, false, "before");
    await jump(server, milliseconds);
    expect(await update(server, false, "before")).toMatchObject({ status: 200, body: first.body });
    expect((await update(server, true, "before")).status).toBe(422);
    const second = await update(server, true, "after");
    expect(second).toMatchObject({ status: 200, body: { global: { channels: { email: true } } } });
    expect((await server.ask(server.apiKey, LIST)).status).toBe(200); // of what is in its past
    await server.close();

    const again = await start(); // by the machine's own clock: for what was stored it has jumped
    expect(await update(again, true, "after")).toMatchObject({ status: 200, body: second.body });
    expect((await update(again, false, "after")).status).toBe(422);
    expect((await again.ask(again.apiKey, LIST)).body).toEqual(before);
  });
});

test("a clock that jumps ahead by a year: what has expired is forgotten, what is set stays", async () => {
  const server = await start();
  await update(server, false, "before");
  await jump(server, YEAR_MS);
  expect((await update(server, true, "before")).status).toBe(200); // the key is free again
  await jump(server, -YEAR_MS);
  expect(await update(server, true, "before")).toMatchObject({ status: 200, headers: expect.any(Headers) });
  expect((await update(server, false)).body.global.channels.email).toBe(false);
});
