import { randomInt } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { createRandom } from "../../src/domain/random.js";
import { parseEnvironment } from "../../src/store/environment-file.js";
import { toEnvironmentText } from "../../src/store/environment-text.js";
import { serve } from "../support/command.js";
import { buildIfStale } from "../support/fresh-build.js";
import { createSmallSeed } from "../support/small-seed.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import {
  afterUpdate,
  chooseUpdate,
  createUpdatedSubscriber,
  toShown,
  type UpdatedSubscriber,
} from "../support/updated-subscriber.js";
import { createWireClient, type WireClient } from "../support/wire-client.js";

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 20);
const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31)); // the updates repeat with it; the moment of a kill cannot
const CONNECTIONS = 8;
const SUBSCRIBERS = 32;
const MOST_ANSWERS = 60;
const MOST_DELAY_MS = 12;

const contract = await loadContract();
const random = createRandom(SEED);

beforeAll(buildIfStale, 60_000);

test(
  `killed at a random moment while it answers, ${ROUNDS} times (CRASH_SEED=${SEED}): what was acknowledged is there, and nothing is half there`,
  async () => {
    const folder = await createTemporaryFolder();
    const seed = join(await createTemporaryFolder(), "seed.json");
    await writeFile(seed, toEnvironmentText(createSmallSeed({ subscribers: SUBSCRIBERS, notifications: 200 })));
    const subscribers = Array.from({ length: SUBSCRIBERS }, (_, index) =>
      createUpdatedSubscriber(`subscriber-${index + 1}`),
    );

    let { server, client } = await start(folder, seed);
    let unanswered = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await updateUntilKilled(client, subscribers, async () => {
        await pause(random.fraction() * MOST_DELAY_MS); // into whatever the server is doing then
        server.child.kill("SIGKILL");
      });
      expect(await server.ended).toBe("SIGKILL");
      unanswered += subscribers.filter((subscriber) => subscriber.unanswered).length;
      parseEnvironment(await readFile(join(folder, "default.json")), "default.json", contract);

      ({ server, client } = await start(folder, seed));
      expect(await readdir(folder)).toEqual([".lock", "default.journal", "default.json"]);
      expect(await readdir(join(folder, ".lock"))).toEqual([String(server.child.pid)]);
      await Promise.all(subscribers.map((subscriber) => expectKept(client, subscriber)));
    }
    expect(unanswered).toBeGreaterThan(0); // else no kill came while requests were under way
  },
  ROUNDS * 10_000,
);

async function start(folder: string, seed: string) {
  const server = await serve(["--port", "0", "--data", folder, "--seed", seed]);
  onTestFinished(() => void server.child.kill("SIGKILL"));
  return { server, client: createWireClient(server.url, "demo-key") };
}

/** Updates over several connections, each with subscribers of its own, until the server is gone. */
async function updateUntilKilled(client: WireClient, subscribers: UpdatedSubscriber[], kill: () => Promise<void>) {
  const answersBeforeKill = random.between(1, MOST_ANSWERS);
  let answers = 0;
  let killing: Promise<void> | undefined;

  async function updateInTurn(own: UpdatedSubscriber[]): Promise<void> {
    for (;;) {
      const subscriber = random.pick(own);
      const update = chooseUpdate(subscriber, random);
      subscriber.unanswered = update;
      const answer = await client.update(subscriber.subscriberId, update.body, update.key).catch(rethrowUnlessCutOff);
      if (!answer) return;
      expect(answer.status).toBe(200);
      subscriber.shown = afterUpdate(subscriber.shown, update);
      expect(toShown(answer)).toEqual(subscriber.shown);
      subscriber.unanswered = undefined;
      if (update.key !== undefined) subscriber.recorded = { update, text: answer.text };
      answers += 1;
      if (answers >= answersBeforeKill) killing ??= kill();
    }
  }

  const shares = Array.from({ length: CONNECTIONS }, (_, share) =>
    subscribers.filter((_subscriber, index) => index % CONNECTIONS === share),
  );
  await Promise.all(shares.map(updateInTurn));
  await killing;
}

/** After a restart: all that was acknowledged, and of an update without an answer everything or nothing. */
async function expectKept(client: WireClient, subscriber: UpdatedSubscriber): Promise<void> {
  const { subscriberId, shown, unanswered, recorded } = subscriber;
  const read = async () => toShown(await client.update(subscriberId, { channels: {} }));
  const found = await read();
  if (!unanswered) {
    expect(found).toEqual(shown);
  } else {
    const after = afterUpdate(shown, unanswered);
    const isThere = JSON.stringify(found) === JSON.stringify(after);
    expect(found).toEqual(isThere ? after : shown);
    subscriber.shown = found;
    if (unanswered.key !== undefined) {
      const retried = await client.update(subscriberId, unanswered.body, unanswered.key);
      expect(retried.headers["idempotency-replay"]).toBe(isThere ? "true" : undefined); // effect and record are one
      expect(toShown(retried)).toEqual(after);
      expect(await read()).toEqual(after);
      subscriber.shown = after;
      subscriber.recorded = { update: unanswered, text: retried.text };
    }
    subscriber.unanswered = undefined;
  }
  if (recorded) {
    const replay = await client.update(subscriberId, recorded.update.body, recorded.update.key);
    expect({ replay: replay.headers["idempotency-replay"], text: replay.text }).toEqual({
      replay: "true",
      text: recorded.text,
    });
  }
}

/** What fetch throws when a connection ends is a TypeError; an answer outside the contract is something else. */
function rethrowUnlessCutOff(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
