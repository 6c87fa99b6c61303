// JSON file and journal together: what a start reads, when a server writes, and what it does when somebody changes them.
import { appendFile, copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { resetFolder } from "../../../src/cli/reset-folder.js";
import { createAdjustableClock, createFrozenClock } from "../../../src/core/domain/clock.js";
import {
  type Change,
  type EnvironmentData,
  type StoredPreferences,
  toMemory,
  toPlain,
} from "../../../src/core/domain/state.js";
import { CannotStoreError, createStoredEnvironment, type Environment } from "../../../src/core/state/environment.js";
import { createEnvironmentState } from "../../../src/core/state/environment-state.js";
import { createFromSeed } from "../../../src/core/state/seed.js";
import { createFiles, createFormat } from "../../../src/server/store/durable-environment.js";
import type { Store, StoreOptions } from "../../../src/server/store/environments.js";
import { contract } from "../../support/contract.js";
import { change } from "../../support/disk-environment.js";
import { toEnvironmentText } from "../../support/environment-text.js";
import { createSmallSeed } from "../../support/small-seed.js";
import { NOW, openSmallStore } from "../../support/small-store.js";
import { readStored } from "../../support/stored-environment.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const seed = createSmallSeed();

let folder: string;
let json: string;
let journal: string;
let reports: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  folder = await createTemporaryFolder();
  json = join(folder, "default.json");
  journal = join(folder, "default.journal");
  reports = [];
});

describe("a start reads both files", () => {
  test("a file without a journal is the environment; the server creates a journal", async () => {
    await writeFile(json, toEnvironmentText(createFromSeed(seed, contract, "default", NOW)));
    const store = await open();
    await change(defaultOf(store), "subscriber-1", false);
    expect(readStored(folder).preferences).toEqual([preferencesOf("subscriber-1", false)]);
    expect(reports).toEqual([]);
    await store.close();
  });

  test("a file that the server wrote is validated again only under another contract", async () => {
    await (await open()).close();
    const check = () => [{ location: "environment", message: "is checked" }];
    const strict = { ...contract, schemaOf: () => ({ check }) as never };
    await (await open({ contract: strict })).close();
    const other = { ...strict, file: { ...contract.file, digest: "0".repeat(64) } };
    await expect(open({ contract: other })).rejects.toThrow("environment is checked");
    await writeFile(json, (await readFile(json, "utf8")).replace("subscriber-2", "subscriber-3"));
    await expect(open({ contract: strict })).rejects.toThrow("environment is checked");
  });

  test("every kind of change is stored as data/README.md says", async () => {
    const size = { subscribers: 4, workflows: 3, notifications: 6 };
    const { workflows, subscribers, notifications } = createSmallSeed(size);
    const [workflow, subscriber] = [workflows[2], subscribers[3]];
    if (!workflow || !subscriber) throw new Error("the seed is too small");
    const response = { key: "k", fingerprint: "f", recordedAt: NOW.toISOString(), status: 200, headers: {}, body: {} };
    const ofWorkflow = { workflowId: workflows[0]?._id ?? "", channels: { sms: true } };
    const set = { ...preferencesOf("subscriber-1", false), workflows: [ofWorkflow] };
    const changes: Change[] = [
      { type: "preferencesSet", preferences: set },
      { type: "responseRecorded", response },
      { type: "notificationsAdded", notifications: notifications.slice(2, 5) },
      { type: "notificationRemoved", notificationId: notifications[0]?._id ?? "" },
      { type: "subscriberAdded", subscriber },
      { type: "subscriberRemoved", subscriberId: "subscriber-2" },
      { type: "workflowAdded", workflow },
      { type: "workflowRemoved", workflowId: workflows[0]?._id ?? "" },
      { type: "replaced", data: { ...toMemory(createFromSeed(seed, contract, "another", NOW)), preferences: [set] } },
      { type: "workflowRemoved", workflowId: workflows[0]?._id ?? "" },
    ];
    for (let count = 1; count <= changes.length; count += 1) {
      folder = await createTemporaryFolder();
      await killed(async (environment) => {
        for (const next of changes.slice(0, count)) await make(environment, next);
      });
      const store = await open();
      expect(sorted(toPlain(defaultOf(store).state.toData()))).toEqual(sorted(readStored(folder)));
      await store.close();
      expect(sorted(await readJson(join(folder, "default.json")))).toEqual(sorted(readStored(folder)));
    }
  });

  const torn: [string, (line: string) => string][] = [
    ["the last line is cut off", (line) => line.slice(0, line.length / 2)],
    ["the last line lacks its end", (line) => line.slice(0, -1)],
    ["a block of the last line is zeros", (line) => line.replace("email", "\0".repeat(5))],
    ["the end is zeros", () => "\0".repeat(100)],
  ];
  test.each(torn)(
    "%s: the server drops that line with a warning, and applies all lines before it",
    async (_title, tear) => {
      await killed((environment) => change(environment, "subscriber-1", false));
      const end = tear(toLine([{ type: "preferencesSet", preferences: preferencesOf("subscriber-1", true) }]));
      await appendFile(journal, end);
      const store = await open();
      expect(defaultOf(store).state.preferencesOf("subscriber-1").global).toEqual({ email: false });
      expect(reports).toEqual([
        `warn ${journal}: dropped ${end.length} bytes of a change that was never acknowledged.`,
      ]);
      await change(defaultOf(store), "subscriber-2", false);
      expect(readStored(folder).preferences).toHaveLength(2);
      await store.close();
    },
  );

  const broken: [string, () => Promise<unknown>, string][] = [
    ["its first line is damaged", () => rewrite(journal, (text) => text.replace("email", "Email")), ":1: damaged"],
    [
      "its last line is damaged",
      () => rewrite(journal, (text) => text.replace(/email(?!.*email)/s, "Email")),
      ":2: damaged",
    ],
    ["the end of the last line is damaged", () => rewrite(journal, (text) => `${text.slice(0, -1)}\v`), ":2: damaged"],
    ["it is another file", () => writeFile(journal, "notes\n"), ":1: damaged, or not a line of a journal"],
    ["text follows its lines", () => appendFile(journal, "notes"), ":3: damaged"],
    ["the file that it continues was removed", () => rm(json), ": it continues "],
  ];
  test.each(broken)(
    "an unreadable journal, %s: the start fails with a remedy, and both files stay",
    async (_title, damage, reason) => {
      await killed(async (environment) => {
        await change(environment, "subscriber-1", false);
        await change(environment, "subscriber-2", false);
      });
      await damage();
      const before = await contentsOf();
      await expect(open()).rejects.toThrow(`${journal}${reason}`);
      await expect(open()).rejects.toThrow(`notifications-contract reset --data ${folder}`);
      expect(await contentsOf()).toEqual(before);

      await resetFolder(folder, seed, contract, NOW); // the remedy
      expect(await readFile(`${journal}.bak`, "utf8")).toBe(before["default.journal"]);
      expect(await readFile(`${json}.bak`, "utf8").catch(() => undefined)).toBe(before["default.json"]);
      await (await open()).close();
      expect(readStored(folder)).toEqual(createFromSeed(seed, contract, "default", NOW));
    },
  );

  test.each([
    ["both files are there", async () => {}],
    ["the JSON file was removed", () => rm(join(folder, "other.json"))],
    ["the JSON file is invalid", () => writeFile(join(folder, "other.json"), "{")],
  ])("an environment whose removal was cut short is removed: %s", async (_title, damage) => {
    const store = await open();
    const other = await store.create({ name: "other", apiKey: "other", seed, now: NOW, isDurable: true });
    await change(other, "subscriber-1", false);
    await make(other, { type: "removed" });
    await damage();
    expect(readStored(folder, "other")).toBeUndefined();
    const crashed = await createTemporaryFolder();
    await cp(folder, crashed, { recursive: true, filter: (path) => !path.includes(".lock") });
    await store.close();
    folder = crashed;
    const restarted = await open();
    expect(restarted.environments.map(({ name }) => name)).toEqual(["default"]);
    await restarted.close();
    expect(await readdir(folder)).toEqual(["default.journal", "default.json"]);
  });
});

describe("files that somebody changes while the server runs", () => {
  const EDITED = preferencesOf("subscriber-3", true);
  const [FIRST, SECOND] = [preferencesOf("subscriber-1", false), preferencesOf("subscriber-2", false)];
  const addEdited = (data: EnvironmentData) => ({ ...data, preferences: [...data.preferences, EDITED] });
  const rows: [title: string, act: () => Promise<unknown>, problem: string, atTheEnd: StoredPreferences[]][] = [
    ["edited in place", () => edit(addEdited), "is not overwritten", [EDITED, FIRST, SECOND]],
    ["the JSON file deleted", () => rm(json), "", [FIRST, SECOND]],
    ["the journal deleted", () => rm(journal), "rejects updates and writes nothing. Restart", []],
    ["the folder deleted", () => rm(folder, { recursive: true }), "rejects updates and writes nothing. Restart", []],
    [
      "both restored from a copy",
      async () => {
        for (const path of [json, journal]) await writeFile(path, await readFile(`${path}.copy`));
      },
      "rejects updates and writes nothing",
      [],
    ],
  ];
  test.each(rows)(
    "%s: nothing of it is overwritten, and the server says so once",
    async (_title, act, problem, atTheEnd) => {
      const store = await open();
      for (const path of [json, journal]) await copyFile(path, `${path}.copy`);
      const isAcknowledged = (id: string) => change(defaultOf(store), id, false).then(() => true, expectCannotStore);
      expect(await isAcknowledged("subscriber-1")).toBe(true);
      await act();
      const text = await readFile(json, "utf8").catch(() => undefined);
      expect(await isAcknowledged("subscriber-2")).toBe(!problem.includes("rejects updates"));
      await passQuietSecond(store);
      if (problem) expect(await readFile(json, "utf8").catch(() => undefined)).toBe(text);
      else expect((await readJson()).preferences).toEqual([FIRST, SECOND]);
      await store.close();

      const said = problem ? [`warn ${store.problems[0]}`] : [`info ${json} was removed, and is written again.`];
      expect(reports).toEqual(said);
      expect(reports[0]).toContain(problem);
      const again = await open();
      expect(defaultOf(again).state.toData().preferences).toEqual(atTheEnd);
      expect((await readJson()).preferences).toEqual(atTheEnd); // compacted at the start
      expect([again.problems, reports]).toEqual([[], said]);
      await again.close();
    },
  );

  async function expectCannotStore(error: unknown): Promise<false> {
    expect(error).toBeInstanceOf(CannotStoreError);
    return false;
  }
});

test("files are compacted after a quiet second, not while changes keep coming", async () => {
  const store = await open();
  const isCompacted = async () => (await readFile(journal, "utf8")) === "";
  await change(defaultOf(store), "subscriber-1", false);
  vi.advanceTimersByTime(900);
  await change(defaultOf(store), "subscriber-2", false);
  vi.advanceTimersByTime(900);
  await afterCompaction(store);
  expect(await isCompacted()).toBe(false);
  await passQuietSecond(store);
  expect([await isCompacted(), (await readJson()).preferences]).toEqual([true, readStored(folder).preferences]);
  await store.close();
});

test("a JSON file that cannot be written is said once, and written once it can be", async () => {
  const store = await open();
  await mkdir(`${json}.tmp`); // in its way
  for (const id of ["subscriber-1", "subscriber-2"]) {
    await change(defaultOf(store), id, false);
    await passQuietSecond(store);
  }
  expect(reports).toEqual([expect.stringMatching(`^warn ${json} could not be written: EISDIR.*nothing is lost.$`)]);
  expect(store.problems).toEqual([reports[0]?.slice("warn ".length)]);
  await rm(`${json}.tmp`, { recursive: true });
  await store.close();
  expect([(await readJson()).preferences, store.problems]).toEqual([readStored(folder).preferences, []]);
});

function open(options: Partial<StoreOptions> = {}): Promise<Store> {
  const report = (level: string, message: string) => void reports.push(`${level} ${message}`);
  return openSmallStore(folder, { report, ...options });
}

/** Leaves the files as a killed server leaves them: nothing is compacted. */
async function killed(act: (environment: Environment) => Promise<unknown>): Promise<void> {
  const state = createEnvironmentState(toMemory(createFromSeed(seed, contract, "default", NOW)));
  const path = join(folder, "default.json");
  const files = await createFiles(path, createFormat(contract, "default", path), state);
  const clock = createAdjustableClock(createFrozenClock(NOW));
  await act(createStoredEnvironment({ name: "default", state, log: files, clock }));
  await files.close();
}

async function readJson(path = json): Promise<EnvironmentData> {
  const { checksum: _checksum, ...data } = JSON.parse(await readFile(path, "utf8"));
  return data;
}

function defaultOf(store: Store): Environment {
  return store.environments[0] as Environment; // it always has one
}

function make(environment: Environment, change: Change): Promise<void> {
  return environment.transact(() => ({ result: undefined, changes: [change] }));
}

/** Settles when the server has compacted. */
async function passQuietSecond(store: Store): Promise<void> {
  vi.advanceTimersByTime(1000);
  await afterCompaction(store);
}

/** Resolves once a compaction that was asked for has ended: waits for its turn. */
async function afterCompaction(store: Store): Promise<void> {
  await defaultOf(store).transact(() => ({ result: undefined, changes: [] }));
}

function preferencesOf(subscriberId: string, email: boolean): StoredPreferences {
  return { subscriberId, global: { email }, workflows: [] };
}

function toLine(changes: readonly Change[]): string {
  const text = JSON.stringify(changes);
  return `${Buffer.byteLength(text)} ${crc32(text).toString(16).padStart(8, "0")} ${text}\n`;
}

async function rewrite(path: string, replace: (text: string) => string): Promise<void> {
  await writeFile(path, replace(await readFile(path, "utf8")));
}

function edit(replace: (data: EnvironmentData) => EnvironmentData): Promise<void> {
  return rewrite(json, (text) => toEnvironmentText(replace(JSON.parse(text))));
}

async function contentsOf(): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")])),
  );
}

/** The order of records means nothing in a file. */
function sorted(data: EnvironmentData): object {
  const lists = Object.entries(data).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((record) => JSON.stringify(Object.entries(record).toSorted())).toSorted() : value,
  ]);
  return Object.fromEntries(lists);
}
