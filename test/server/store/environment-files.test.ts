// JSON file and journal together: what a start reads, and what a running server does when another process writes them.
import { existsSync } from "node:fs";
import { appendFile, copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { resetFolder } from "../../../src/cli/reset-folder.js";
import { createAdjustableClock, createFrozenClock } from "../../../src/core/domain/clock.js";
import { toMemory, toPlain } from "../../../src/core/domain/serialized-notification.js";
import type { Change, EnvironmentData, StoredPreferences } from "../../../src/core/domain/state.js";
import { CannotStoreError, createStoredEnvironment, type Environment } from "../../../src/core/state/environment.js";
import { createEnvironmentState } from "../../../src/core/state/environment-state.js";
import { createFromSeed } from "../../../src/core/state/seed-environment.js";
import { createFiles } from "../../../src/server/store/disk/environment-files.js";
import { createFormat } from "../../../src/server/store/format/parse-environment.js";
import type { Store, StoreOptions } from "../../../src/server/store/store.js";
import { change } from "../../support/disk-environment.js";
import { toEnvironmentText } from "../../support/environment-text.js";
import { createSmallSeed } from "../../support/small-seed.js";
import { contract, NOW, openSmallStore } from "../../support/small-store.js";
import { readStored } from "../../support/stored-environment.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const seed = createSmallSeed();

let folder: string;
let json: string;
let journal: string;
let reports: string[];

beforeEach(async () => {
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
    [
      "the length of the last line is damaged",
      () => rewrite(journal, (text) => text.replace(/\n\d/, "\n9")),
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

describe("a running server whose files another process edits", () => {
  test("reloads an edited file, and applies what was acknowledged since on top of it", async () => {
    const store = await open();
    await edit((data) => ({ ...data, preferences: [preferencesOf("subscriber-1", false)] }));
    await change(defaultOf(store), "subscriber-2", false);
    await reported("info", "has been reloaded. The changes in its journal were made again on top of it.");
    const wanted = [preferencesOf("subscriber-1", false), preferencesOf("subscriber-2", false)];
    expect(defaultOf(store).state.toData().preferences).toEqual(wanted);
    await store.close();
    expect((await readJson()).preferences).toEqual(wanted);
  });

  const channelsOf = (store: Store) =>
    defaultOf(store).state.notifications.map(({ json }) => JSON.parse(Buffer.from(json).toString()).channels);

  test.each([
    ["while it runs", true],
    ["while the server is stopped", false],
  ])("a text edited in place is validated and used, %s", async (_title, isRunning) => {
    const inPlace = async (channels: string) =>
      writeFile(json, (await readFile(json, "utf8")).replace(/"channels":\[[^\]]*\]/, `"channels":${channels}`));
    const first = await open();
    if (!isRunning) await first.close();
    await inPlace('["chat","push"]');
    if (isRunning) await reported("info", "was edited by hand and has been reloaded.");
    const store = isRunning ? first : await open();
    expect(channelsOf(store)).toContainEqual(["chat", "push"]);
    await inPlace('["chat,push"]');
    await reported("warn", "channels.0 must be one of");
    await inPlace('["chat","push"]');
    await store.close();
    await inPlace('["sms,push"]');
    await expect(open()).rejects.toThrow("channels.0 must be one of");
    await inPlace('["sms","push"]');
    const fixed = await open();
    expect(channelsOf(fixed)).toContainEqual(["sms", "push"]);
    await fixed.close();
  });

  test("a workflow of both journal and edit is stored once, so that the file stays valid", async () => {
    const { workflows } = createSmallSeed({ workflows: 3 });
    const [, added, another] = workflows.map((workflow) => ({ ...workflow, identifier: "new" }));
    if (!added || !another) throw new Error("the seed is too small");
    await killed((environment) => make(environment, { type: "workflowAdded", workflow: added }));
    await edit((data) => ({ ...data, workflows: [...data.workflows, another] }));
    await (await open()).close();
    expect((await readJson()).workflows.map(({ _id }) => _id).toSorted()).toEqual([workflows[0]?._id, added._id]);
    await edit((data) => data); // which makes the server validate the whole file
    await (await open()).close();
  });

  test.each([
    [
      "the key of another",
      () => rewrite(join(folder, "other.json"), (text) => text.replace(/(?<="keyHash": ")\w+/, "0".repeat(64))),
      'its member "keyHash" is not that of the running server',
    ],
    [
      "the journal of a removed one",
      async () => {
        await rewrite(join(folder, "other.journal"), () => toLine([{ type: "removed" }]));
        await rewrite(join(folder, "other.json"), (text) => `${text}\n`);
      },
      "it removes the file",
    ],
  ])("rejects files that an environment cannot continue with, and leaves them: %s", async (_title, act, reason) => {
    const store = await open();
    const other = await store.create({ name: "other", apiKey: "a key", seed, now: NOW, isDurable: true });
    await act();
    const texts = await contentsOf();
    await reported("warn", reason);
    await change(other, "subscriber-1", false).catch((error) => expect(error).toBeInstanceOf(CannotStoreError));
    expect(store.environmentOf("a key")).toBe(other);
    await store.close();
    expect((await contentsOf())["other.json"]).toBe(texts["other.json"]);
  });

  test("leaves an invalid file, also at the stop; once fixed, it is used with all that was acknowledged", async () => {
    const store = await open();
    const text = await readFile(json, "utf8");
    await writeFile(json, text.slice(0, 100));
    await reported("warn", "was edited by hand and is now invalid.");
    await change(defaultOf(store), "subscriber-1", false);
    expect(defaultOf(store).state.preferencesOf("subscriber-1").global).toEqual({ email: false });
    await store.close();
    expect(await readFile(json, "utf8")).toBe(text.slice(0, 100));
    expect(reports.at(-1)).toContain(`${json} lacks the last changes.`);

    await writeFile(json, text);
    const again = await open();
    expect(defaultOf(again).state.preferencesOf("subscriber-1").global).toEqual({ email: false });
    await again.close();
  });

  test("rewrites an invalid file that is moved away, from the state in memory", async () => {
    const store = await open();
    await change(defaultOf(store), "subscriber-1", false);
    await writeFile(json, "{");
    await reported("warn", "Fix the file, or move it away to have that state written.");
    await rename(json, `${json}.mine`);
    await until(() => existsSync(json));
    expect((await readJson()).preferences).toEqual([preferencesOf("subscriber-1", false)]);
    await store.close();
  });
});

describe("a running server whose files another process removes or replaces", () => {
  const ALL = ["subscriber-1", "subscriber-2", "subscriber-3"];
  const BACKED_UP = ["subscriber-1", "subscriber-3"];
  const acts: [string, (backup: string) => Promise<unknown>, ids: string[]][] = [
    ["both removed: rewritten", removeBoth, ALL],
    ["the journal removed: created again", () => rm(journal), ALL],
    ["both restored from a backup: the backup is used", (backup) => removeBoth().then(() => put(backup)), BACKED_UP],
    ["both overwritten with a backup: the backup is used", put, BACKED_UP],
  ];
  test.each(acts)("%s, and later updates are stored", async (_title, act, ids) => {
    const store = await open();
    await change(defaultOf(store), "subscriber-1", false);
    const backup = await createTemporaryFolder();
    for (const path of [json, journal]) await copyFile(path, join(backup, basename(path)));
    await change(defaultOf(store), "subscriber-2", false);
    await act(backup);
    await until(() => isAcknowledged(defaultOf(store), "subscriber-3"));
    const wanted = ids.map((id) => preferencesOf(id, false));
    expect(readStored(folder)?.preferences).toEqual(wanted); // as a kill at this moment would leave it
    expect(defaultOf(store).state.toData().preferences).toEqual(wanted);
    await store.close();
    expect((await readJson()).preferences).toEqual(wanted);
    expect(reports.filter((report) => report.startsWith("warn"))).toEqual([]);
  });

  test.each([
    ["the folder is removed", async () => {}],
    ["another folder takes its place", async () => void (await mkdir(folder))],
  ])("%s: rejects updates, writes nothing there, and says at the stop that the state is lost", async (_title, act) => {
    const store = await open();
    await change(defaultOf(store), "subscriber-1", false);
    await rm(folder, { recursive: true });
    await act();
    expect(await isAcknowledged(defaultOf(store), "subscriber-2")).toBe(false);
    await reported("warn", "the state is in memory only, and updates are rejected until it can be written.");
    await store.close();
    expect(reports.at(-1)).toContain("the state is in memory only");
    expect(reports.join()).not.toContain("Nothing is lost");
    expect(await readdir(folder).catch(() => [])).toEqual([]);
  });

  async function removeBoth(): Promise<void> {
    for (const path of [json, journal]) await rm(path);
  }

  async function put(backup: string): Promise<void> {
    for (const path of [journal, json]) await writeFile(path, await readFile(join(backup, basename(path))));
  }

  /** Whether an update is acknowledged; if not, the disk is the reason. */
  async function isAcknowledged(environment: Environment, subscriberId: string): Promise<boolean> {
    const before = environment.state.toData().preferences;
    const error = await change(environment, subscriberId, false).catch((reason: unknown) => reason);
    if (error === undefined) return true;
    expect(error).toBeInstanceOf(CannotStoreError);
    expect(before).not.toContainEqual(preferencesOf(subscriberId, false));
    return false;
  }
});

function open(options: Partial<StoreOptions> = {}): Promise<Store> {
  const report = (level: string, message: string) => void reports.push(`${level} ${message}`);
  return openSmallStore(folder, { report, ...options });
}

/** Leaves the files as a killed server leaves them: nothing is compacted. */
async function killed(act: (environment: Environment) => Promise<unknown>): Promise<void> {
  const contents = toMemory(createFromSeed(seed, contract, "default", NOW));
  const path = join(folder, "default.json");
  const files = await createFiles(path, createFormat(contract, "default", path), contents);
  const clock = createAdjustableClock(createFrozenClock(NOW));
  const state = createEnvironmentState(contents);
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

async function reported(level: string, part: string): Promise<void> {
  await until(() => reports.some((report) => report.startsWith(level) && report.includes(part)));
}

/** Has no limit but the test's. */
async function until(isThere: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isThere())) await pause(20);
}
