import { randomInt } from "node:crypto";
import { watch } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { ChannelPreferences } from "../../../src/contract/contract-types.js";
import { parseEnvironment } from "../../../src/server/store/format.js";
import { CLI, type Running, run, serve } from "../../support/command.js";
import { contract } from "../../support/contract.js";
import { toEnvironmentText } from "../../support/environment-text.js";
import { readOwners } from "../../support/folder-owners.js";
import { createRandom } from "../../support/random.js";
import type { TestResponse } from "../../support/reference.js";
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
const CHANNELS = ["email", "sms", "in_app", "chat", "push"] as const;
const ALL_ON = Object.fromEntries(CHANNELS.map((channel) => [channel, true])) as ChannelPreferences;

interface Update {
  body: { channels: ChannelPreferences; workflowId?: string };
  key: string | undefined;
}

/** The values in responses: global, and of workflow-1. */
interface Shown {
  global: ChannelPreferences;
  workflow: ChannelPreferences;
}

/** A client's knowledge of a subscriber: the acknowledged values, and the update without a response yet. */
interface UpdatedSubscriber {
  subscriberId: string;
  shown: Shown;
  pending: Update | undefined;
  /** The last acknowledged update that had a key. */
  recorded: { update: Update; text: string } | undefined;
}

test(
  `killed while it responds, ${ROUNDS} times (CRASH_SEED=${SEED}): what was acknowledged is there, nothing by half`,
  async () => {
    const { folder, seed, subscribers } = await prepare();
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

const WRITINGS = [".json.tmp", "default.json"]; // what a compaction and a reset write, and what they rename it to
const RESET_WRITINGS = [...WRITINGS, "default.json.bak"]; // between the compaction of a reset and its own writing
const ways = ["folding", "starting", "being reset"] as const;
const ROUNDS_OF_WAYS = Math.max(ROUNDS, ways.length);

test(
  `killed while it compacts, starts or resets, ${ROUNDS_OF_WAYS} times (CRASH_SEED=${SEED}): all of it, or nothing`,
  async () => {
    const { folder, seed, subscribers } = await prepare();
    const began = performance.now();
    let { server, client } = await start(folder, seed);
    const startMs = performance.now() - began;
    const resets = { done: 0, undone: 0 };
    for (let round = 1; round <= ROUNDS_OF_WAYS; round += 1) {
      await updateUntilKilled(client, subscribers, server); // so that the journal holds commits
      const way = ways[round % ways.length];
      let exit: unknown;
      if (way === "folding") {
        ({ server, client } = await start(folder, seed));
        await Promise.all(subscribers.map((subscriber) => expectKept(client, subscriber)));
        const folding = written(folder, random.pick(WRITINGS));
        await updateOnce(client, random.pick(subscribers)); // so that there is something to fold
        await killAt(server, folding, random.fraction() * MAX_DELAY_MS);
      } else if (way === "starting") {
        const starting = run(process.execPath, serveArguments(folder, seed), { env });
        await killAt(starting, pause(random.fraction() * startMs), 0);
      } else {
        const reset = run(process.execPath, [CLI, "reset", "--data", folder, "--seed", seed], { env });
        exit = await killAt(reset, written(folder, random.pick(RESET_WRITINGS)), random.fraction() * MAX_DELAY_MS);
      }

      ({ server, client } = await start(folder, seed));
      const isReset = way === "being reset" && (await expectResetOrNot(client, subscribers, exit));
      if (way === "being reset") resets[isReset ? "done" : "undone"] += 1;
      await Promise.all(subscribers.map((subscriber) => expectKept(client, subscriber)));
    }
    if (ROUNDS >= 100) expect(Math.min(resets.done, resets.undone)).toBeGreaterThan(0); // else kills came at one side
  },
  60_000 + ROUNDS_OF_WAYS * 20_000,
);

async function prepare() {
  const folder = await createTemporaryFolder();
  const seed = join(await createTemporaryFolder(), "seed.json");
  await writeFile(seed, toEnvironmentText(createSmallSeed({ subscribers: SUBSCRIBERS, notifications: 2000 })));
  const subscribers = Array.from({ length: SUBSCRIBERS }, (_, index) =>
    createUpdatedSubscriber(`subscriber-${index + 1}`),
  );
  return { folder, seed, subscribers };
}

/** Kills a program a moment after something has happened, unless it has ended by then. Gives what it ended with. */
async function killAt(running: Running, event: Promise<unknown>, delayMs: number) {
  await Promise.race([event, running.ended]);
  await pause(delayMs);
  running.child.kill("SIGKILL");
  return running.ended;
}

/** Settles when a file with that end of its name is written in a folder, from now on. */
function written(folder: string, end: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, name) => {
      if (!name?.endsWith(end)) return;
      watcher.close();
      resolve();
    });
    onTestFinished(() => watcher.close()); // what it waits for may never come
  });
}

/** After a reset that was cut short: all is as it was, or all is the seed's. One that has ended well has been done. */
async function expectResetOrNot(client: WireClient, subscribers: UpdatedSubscriber[], exit: unknown): Promise<boolean> {
  const fresh = createUpdatedSubscriber("").shown;
  const found = await Promise.all(
    subscribers.map(async ({ subscriberId }) => toShown(await client.update(subscriberId, { channels: {} }))),
  );
  const isReset = found.every((shown) => JSON.stringify(shown) === JSON.stringify(fresh));
  if (exit === 0) expect(isReset).toBe(true);
  if (isReset) for (const one of subscribers) Object.assign(one, createUpdatedSubscriber(one.subscriberId));
  return isReset;
}

function serveArguments(folder: string, seed: string): string[] {
  return [CLI, "serve", "--port", "0", "--data", folder, "--seed", seed];
}

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

/** Makes an update and notes what it showed; false when the server went away before it responded. */
async function updateOnce(client: WireClient, subscriber: UpdatedSubscriber): Promise<boolean> {
  const update = chooseUpdate(subscriber);
  subscriber.pending = update;
  const response = await client.update(subscriber.subscriberId, update.body, update.key).catch(rethrowUnlessCutOff);
  if (!response) return false;
  expect(response.status).toBe(200);
  subscriber.shown = afterUpdate(subscriber.shown, update);
  expect(toShown(response)).toEqual(subscriber.shown);
  subscriber.pending = undefined;
  if (update.key !== undefined) subscriber.recorded = { update, text: response.text };
  return true;
}

/** After a restart: all that was acknowledged, and of an update without a response everything or nothing. */
async function expectKept(client: WireClient, subscriber: UpdatedSubscriber): Promise<void> {
  const { subscriberId, shown, pending, recorded } = subscriber;
  const read = async () => toShown(await client.update(subscriberId, { channels: {} }));
  const found = await read();
  if (!pending) {
    expect(found).toEqual(shown);
  } else {
    const after = afterUpdate(shown, pending);
    const isThere = JSON.stringify(found) === JSON.stringify(after);
    expect(found).toEqual(isThere ? after : shown);
    subscriber.shown = found;
    if (pending.key !== undefined) {
      const retried = await client.update(subscriberId, pending.body, pending.key);
      expect(retried.headers["idempotency-replay"]).toBe(isThere ? "true" : undefined); // effect and record are one
      expect(toShown(retried)).toEqual(after);
      expect(await read()).toEqual(after);
      subscriber.shown = after;
      subscriber.recorded = { update: pending, text: retried.text };
    }
    subscriber.pending = undefined;
  }
  if (recorded) {
    const replay = await client.update(subscriberId, recorded.update.body, recorded.update.key);
    expect([replay.headers["idempotency-replay"], replay.text]).toEqual(["true", recorded.text]);
  }
}

/** What fetch throws when a connection ends is a TypeError; a response outside the contract is something else. */
function rethrowUnlessCutOff(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}

function createUpdatedSubscriber(subscriberId: string): UpdatedSubscriber {
  return { subscriberId, shown: { global: ALL_ON, workflow: ALL_ON }, pending: undefined, recorded: undefined };
}

/** Chooses an update that inverts some channels, so that its effect is visible. */
function chooseUpdate({ shown }: UpdatedSubscriber): Update {
  const isGlobal = random.chance(0.6);
  const level = isGlobal ? shown.global : shown.workflow;
  const first = random.pick(CHANNELS);
  const turned = CHANNELS.filter((channel) => channel === first || random.chance(0.5));
  const channels = Object.fromEntries(turned.map((channel) => [channel, !level[channel]])) as ChannelPreferences;
  return {
    body: isGlobal ? { channels } : { channels, workflowId: "workflow-1" },
    key: random.chance(0.5) ? `key ${random.between(0, 2 ** 31)} ${random.between(0, 2 ** 31)}` : undefined,
  };
}

/** Returns the values after an update. A global value removes the workflow's own (D-15). */
function afterUpdate({ global, workflow }: Shown, { body }: Update): Shown {
  const result = { ...workflow, ...body.channels };
  return { global: body.workflowId === undefined ? { ...global, ...body.channels } : global, workflow: result };
}

function toShown({ body }: TestResponse): Shown {
  return { global: body.global.channels, workflow: body.workflows[0].channels };
}
