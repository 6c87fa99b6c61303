import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { StoredPreferences } from "../../../src/core/domain/state.js";
import { startServer } from "../../../src/proposals/start-server.js";
import { toEnvironmentText } from "../../support/environment-text.js";
import { createSmallSeed } from "../../support/small-seed.js";
import { readStored } from "../../support/stored-environment.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { createWireClient, type WireClient } from "../../support/wire-client.js";

const CHANNELS = ["email", "sms", "in_app", "chat", "push"];
const WORKFLOWS = Array.from({ length: 10 }, (_, index) => `workflow-${index + 1}`);
const OTHERS = Array.from({ length: 40 }, (_, index) => `subscriber-${index + 2}`);

test("50 updates of one subscriber and 200 of many at once: none is lost, and the file is always whole", async () => {
  const dataFolder = await createTemporaryFolder();
  const seed = join(await createTemporaryFolder(), "seed.json");
  await writeFile(seed, toEnvironmentText(createSmallSeed({ subscribers: 41, workflows: 10, notifications: 100 })));
  const server = await start(dataFolder, seed);
  const watch = watchStored(dataFolder);

  const turnOff = (subscriber: string, more: object = {}) =>
    CHANNELS.map((channel) => server.update(subscriber, { ...more, channels: { [channel]: false } }));
  const toOne = Promise.all(WORKFLOWS.flatMap((workflowId) => turnOff("subscriber-1", { workflowId })));
  const toMany = Promise.all(OTHERS.flatMap((subscriber) => turnOff(subscriber)));
  const responses = [...(await toOne), ...(await toMany)];
  const seen = await watch.stop();

  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 250 }, () => 200));
  // Each response shows its own change and all before it: sorted, the 50 of one subscriber count from 1 to 50.
  const counts = (await toOne).map(({ body }) => countOff(body.workflows));
  expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(seen.length).toBeGreaterThan(2);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b)); // what is there stays there
  expect(seen.at(-1)).toBe(250);

  const before = await readAll(server);
  expect(before.map(({ body }) => JSON.stringify(body.global?.channels))).toEqual([
    JSON.stringify({ email: true, sms: true, in_app: true, chat: true, push: true }),
    ...OTHERS.map(() => JSON.stringify({ email: false, sms: false, in_app: false, chat: false, push: false })),
    undefined,
  ]);
  expect(countOff(before[0]?.body.workflows)).toBe(50);

  await server.close();
  const after = await readAll(await start(dataFolder, seed));
  expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
});

async function start(dataFolder: string, seed: string) {
  const server = await startServer({ dataFolder, seed, now: "2026-06-01T00:00:00Z", checkResponses: true });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= server.close());
  onTestFinished(close);
  return { ...createWireClient(server.url, server.apiKey), close };
}

/** Everything that the API tells: the preferences (an update of nothing shows them) and the notifications. */
function readAll(server: WireClient) {
  return Promise.all([
    ...["subscriber-1", ...OTHERS].map((subscriber) => server.update(subscriber, { channels: {} })),
    server.list("?limit=100"),
  ]);
}

function countOff(workflows: { channels: Record<string, boolean> }[]): number {
  return workflows.flatMap(({ channels }) => Object.values(channels)).filter((value) => !value).length;
}

/**
 * Reads what is stored as fast as it can. `stop` gives how many channels were off each time, once all had their
 * responses too.
 */
function watchStored(folder: string): { stop(): Promise<number[]> } {
  let isWatching = true;
  const seen: number[] = [];
  const look = () => {
    const stored = readStored(folder);
    if (stored) seen.push(countStored(stored.preferences));
  };
  const watching = (async () => {
    for (; isWatching; await new Promise((resolve) => setImmediate(resolve))) look();
  })();
  watching.catch(() => {}); // reported by stop
  return {
    async stop() {
      isWatching = false;
      await watching;
      for (const count = seen.length; seen.length === count; ) look();
      return seen;
    },
  };
}

function countStored(preferences: StoredPreferences[]): number {
  return preferences
    .flatMap(({ global, workflows }) => [global, ...workflows.map(({ channels }) => channels)])
    .flatMap((channels) => Object.values(channels))
    .filter((value) => !value).length;
}
