// A machine's clock may jump: a wrong battery, a suspended laptop, a correction by NTP. Nothing is lost, nobody is refused,
// and what has been answered once is answered so again.
import pino from "pino";
import supertest from "supertest";
import { beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../src/app.js";
import { loadContract } from "../../src/contract/contract.js";
import { loadSeed } from "../../src/store/seed.js";
import { openStore } from "../../src/store/store.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const API_KEY = "clock-key";
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

const contract = await loadContract();
const seed = await loadSeed("demo", contract);

let folder: string;
let present: number;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  present = Date.parse("2026-06-15T12:00:00.000Z");
});

/** A server on the folder whose machine's clock says what `present` is. */
async function start() {
  const clock = { now: () => new Date(present) };
  const store = await openStore({ contract, folder, apiKey: API_KEY, seed: async () => seed, clock });
  const log = pino({ level: "silent" });
  const app = createApp({ contract, store, clock, log, plan: "enterprise", checkAnswers: true });
  const authorization = `ApiKey ${API_KEY}`;
  return {
    /** Switches email, with an idempotency key where one is given. */
    async update(email: boolean | undefined, key?: string) {
      const asked = supertest(app).patch("/v2/subscribers/ines-moreau/preferences").set({ authorization });
      if (key !== undefined) asked.set("idempotency-key", key);
      const { status, body, headers } = await asked.send({ channels: email === undefined ? {} : { email } });
      return { status, email: body.global?.channels.email, isReplayed: headers["idempotency-replay"] === "true" };
    },
    async list() {
      const url = "/v1/notifications?after=2000-01-01T00:00:00Z";
      const { status, body } = await supertest(app).get(url).set({ authorization });
      return { status, ids: body.data?.map(({ _id }: { _id: string }) => _id) };
    },
    stop: store.close,
  };
}

const done = (email: boolean) => ({ status: 200, email, isReplayed: false });
const replayed = (email: boolean) => ({ status: 200, email, isReplayed: true });
const refused = { status: 422, email: undefined, isReplayed: false };

describe.each([
  ["back by a year", -YEAR_MS],
  ["ahead by less than a key is kept", 23 * HOUR_MS],
])("a clock that jumps %s", (_title, jump) => {
  test("what was answered is answered again, what comes is stored, and the next start finds both", async () => {
    const server = await start();
    const { ids } = await server.list();
    expect(ids).toHaveLength(10);
    expect(await server.update(false, "before")).toEqual(done(false));
    present += jump;
    expect(await server.update(false, "before")).toEqual(replayed(false));
    expect(await server.update(true, "before")).toEqual(refused);
    expect(await server.update(true, "after")).toEqual(done(true));
    expect((await server.list()).status).toBe(200);
    await server.stop();

    const again = await start();
    expect(await again.update(undefined)).toEqual(done(true));
    expect(await again.update(false, "before")).toEqual(replayed(false));
    expect(await again.update(true, "after")).toEqual(replayed(true));
    present -= jump; // and put right again
    expect((await again.list()).ids).toEqual(ids);
    expect(await again.update(undefined)).toEqual(done(true));
    expect(await again.update(false, "before")).toEqual(replayed(false));
    await again.stop();
  });
});

test("a clock that jumps ahead by a year and is put right: keys have expired, what is set stays", async () => {
  const server = await start();
  expect(await server.update(false, "before")).toEqual(done(false));
  present += YEAR_MS;
  expect(await server.update(undefined)).toEqual(done(false));
  expect(await server.update(true, "before")).toEqual(done(true)); // the key is free again
  present -= YEAR_MS;
  expect(await server.update(undefined)).toEqual(done(true));
  expect(await server.update(true, "before")).toEqual(replayed(true));
  await server.stop();
});
