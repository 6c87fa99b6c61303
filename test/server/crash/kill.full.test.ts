// A server that is killed under load. Whenever else a process may end, test/server/store/power-cut.test.ts and
// failing-disk.test.ts show it in process: while it compacts, starts or resets.
import { randomInt, randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { parseEnvironment } from "../../../src/server/store/format.js";
import { type Running, serve } from "../../support/command.js";
import { contract } from "../../support/contract.js";
import { toEnvironmentText } from "../../support/environment-text.js";
import { readOwners } from "../../support/folder-owners.js";
import { createRandom } from "../../support/random.js";
import { SIZES } from "../../support/sizes.js";
import { toSlowDisk } from "../../support/slow-disk.js";
import { createSmallSeed } from "../../support/small-seed.js";
import { readStored } from "../../support/stored-environment.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { createWireClient, type WireClient } from "../../support/wire-client.js";

const ROUNDS = SIZES.crashRounds;
// The updates repeat with it; the moment of a kill cannot.
const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
const CONNECTIONS = 8;
const SUBSCRIBERS = 32;
const MAX_RESPONSES = 60;
const MAX_DELAY_MS = 12 + 2 * SIZES.fsyncMs;
const env = toSlowDisk(SIZES.fsyncMs);
const random = createRandom(SEED);

/** Inverts the subscriber's value, so that its effect is visible. */
interface Update {
  email: boolean;
  key: string | undefined;
}

/** A client's knowledge of a subscriber: the acknowledged value, and the update without a response yet. */
interface UpdatedSubscriber {
  id: string;
  email: boolean;
  pending: Update | undefined;
  /** The last acknowledged update that had a key. */
  recorded: { update: Update; text: string } | undefined;
}

test(
  `killed while it responds, ${ROUNDS} times (CRASH_SEED=${SEED}): what was acknowledged is there, nothing by half`,
  async () => {
    const folder = await createTemporaryFolder();
    const seed = join(await createTemporaryFolder(), "seed.json");
    await writeFile(seed, toEnvironmentText(createSmallSeed({ subscribers: SUBSCRIBERS, notifications: 2000 })));
    const subscribers = Array.from({ length: SUBSCRIBERS }, (_, index): UpdatedSubscriber => {
      return { id: `subscriber-${index + 1}`, email: true, pending: undefined, recorded: undefined };
    });
    let { server, client } = await start(folder, seed);
    let pending = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await updateUntilKilled(client, subscribers, server);
      pending += subscribers.filter((subscriber) => subscriber.pending).length;
      parseEnvironment(await readFile(join(folder, "default.json")), "default.json", contract);
      expect(readStored(folder)).toBeDefined(); // and the journal is whole

      ({ server, client } = await start(folder, seed));
      expect(await readdir(folder)).toEqual([".lock", "default.journal", "default.json"]);
      expect(await readOwners(folder)).toEqual([server.child.pid]);
      await Promise.all(subscribers.map((subscriber) => expectKept(client, subscriber)));
    }
    expect(pending).toBeGreaterThan(0); // else no kill came while requests were under way
  },
  60_000 + ROUNDS * 10_000,
);

async function start(folder: string, seed: string) {
  const server = await serve(["--port", "0", "--data", folder, "--seed", seed], { env });
  onTestFinished(() => void server.child.kill("SIGKILL"));
  return { server, client: createWireClient(server.url, "demo-key") };
}

/** Updates over several connections, each with subscribers of its own, until the server is gone. */
async function updateUntilKilled(client: WireClient, subscribers: UpdatedSubscriber[], server: Running) {
  const kill = async () => {
    await pause(random.fraction() * MAX_DELAY_MS); // into whatever the server is doing then
    server.child.kill("SIGKILL");
  };
  const responsesBeforeKill = random.between(1, MAX_RESPONSES);
  let responses = 0;
  let killing: Promise<void> | undefined;

  async function updateInTurn(own: UpdatedSubscriber[]): Promise<void> {
    while (await updateOnce(client, random.pick(own))) {
      responses += 1;
      if (responses >= responsesBeforeKill) killing ??= kill();
    }
  }

  const shares = Array.from({ length: CONNECTIONS }, (_, share) =>
    subscribers.filter((_subscriber, index) => index % CONNECTIONS === share),
  );
  await Promise.all(shares.map(updateInTurn));
  await killing;
  expect(await server.ended).toBe("SIGKILL");
}

const send = (client: WireClient, { id }: UpdatedSubscriber, { email, key }: Update) =>
  client.update(id, { channels: { email } }, key);

/** Makes an update and notes what it showed; false when the server went away before it responded. */
async function updateOnce(client: WireClient, subscriber: UpdatedSubscriber): Promise<boolean> {
  const update = { email: !subscriber.email, key: random.chance(0.5) ? randomUUID() : undefined };
  subscriber.pending = update;
  const response = await send(client, subscriber, update).catch(rethrowUnlessCutOff);
  if (!response) return false;
  expect([response.status, response.body.global.channels.email]).toEqual([200, update.email]);
  Object.assign(subscriber, { email: update.email, pending: undefined });
  if (update.key !== undefined) subscriber.recorded = { update, text: response.text };
  return true;
}

/** After a restart: all that was acknowledged, and of an update without a response everything or nothing. */
async function expectKept(client: WireClient, subscriber: UpdatedSubscriber): Promise<void> {
  const { id, email, pending, recorded } = subscriber;
  const found: boolean = (await client.update(id, { channels: {} })).body.global.channels.email;
  if (!pending) expect(found).toBe(email);
  else if (pending.key === undefined) subscriber.email = found;
  else {
    const retried = await send(client, subscriber, pending);
    const isThere = found === pending.email;
    expect(retried.headers["idempotency-replay"]).toBe(isThere ? "true" : undefined); // effect and record are one
    expect(retried.body.global.channels.email).toBe(pending.email);
    Object.assign(subscriber, { email: pending.email, recorded: { update: pending, text: retried.text } });
  }
  subscriber.pending = undefined;
  if (recorded) {
    const replay = await send(client, subscriber, recorded.update);
    expect([replay.headers["idempotency-replay"], replay.text]).toEqual(["true", recorded.text]);
  }
}

/** What fetch throws when a connection ends is a TypeError; a response outside the contract is something else. */
function rethrowUnlessCutOff(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
