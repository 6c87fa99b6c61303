// A machine's clock may jump: a wrong battery, a suspended laptop, a correction by NTP. Nothing is lost, nobody is rejected,
// and a recorded response is sent again.
import { beforeEach, describe, expect, test } from "vitest";
import { createReference, type Reference } from "../../support/reference.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});

/** Switches email, unless nothing is to change; with an idempotency key where one is given. */
async function update({ send }: Reference, email?: boolean, key?: string) {
  const { status, body, headers } = await send({
    method: "PATCH",
    url: "/v2/subscribers/ines-moreau/preferences",
    headers: { "idempotency-key": key ?? null },
    body: { channels: email === undefined ? {} : { email } },
  });
  return { status, email: body.global?.channels.email, isReplayed: headers["idempotency-replay"] === "true" };
}

const list = ({ send }: Reference) => send({ url: "/v1/notifications?after=2000-01-01T00:00:00Z" });

function jump({ clock }: Reference, milliseconds: number): Date {
  const instant = new Date(clock.now().getTime() + milliseconds);
  clock.set(instant);
  return instant;
}

const done = (email: boolean) => ({ status: 200, email, isReplayed: false });
const replayed = (email: boolean) => ({ status: 200, email, isReplayed: true });
const refused = { status: 422, email: undefined, isReplayed: false };

describe.each([
  ["back by a year", -YEAR_MS],
  ["ahead by less than a key is kept", 23 * HOUR_MS],
])("a clock that jumps %s", (_title, milliseconds) => {
  test("recorded responses are sent again, new updates are stored, and the next start finds both", async () => {
    const server = await createReference({ folder });
    const { data } = (await list(server)).body;
    expect(data).toHaveLength(10);
    expect(await update(server, false, "before")).toEqual(done(false));
    const now = jump(server, milliseconds);
    expect(await update(server, false, "before")).toEqual(replayed(false));
    expect(await update(server, true, "before")).toEqual(refused);
    expect(await update(server, true, "after")).toEqual(done(true));
    expect((await list(server)).status).toBe(200);
    await server.store.close();

    const again = await createReference({ folder, now });
    expect(await update(again)).toEqual(done(true));
    expect(await update(again, false, "before")).toEqual(replayed(false));
    expect(await update(again, true, "after")).toEqual(replayed(true));
    jump(again, -milliseconds); // and put right again
    expect((await list(again)).body.data).toEqual(data);
    expect(await update(again)).toEqual(done(true));
    expect(await update(again, false, "before")).toEqual(replayed(false));
    await again.store.close();
  });
});

test("a clock that jumps ahead by a year and is put right: keys have expired, what is set stays", async () => {
  const server = await createReference({ folder });
  expect(await update(server, false, "before")).toEqual(done(false));
  jump(server, YEAR_MS);
  expect(await update(server)).toEqual(done(false));
  expect(await update(server, true, "before")).toEqual(done(true)); // the key is free again
  jump(server, -YEAR_MS);
  expect(await update(server)).toEqual(done(true));
  expect(await update(server, true, "before")).toEqual(replayed(true));
  await server.store.close();
});
