// JSON file and journal together: what a start makes of what it finds, and what a running server makes of other hands.
import { createHash } from "node:crypto";
import { access, appendFile, copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import type { Change } from "../../src/domain/change.js";
import { createAdjustableClock, createFrozenClock } from "../../src/domain/clock.js";
import type { EnvironmentData, RecordedResponse, StoredPreferences } from "../../src/domain/state.js";
import { createFiles, openFiles } from "../../src/store/disk/environment-files.js";
import { FileChangedError } from "../../src/store/disk/file-stamp.js";
import type { JournaledFile } from "../../src/store/disk/journaled-file.js";
import { CannotStoreError, createEnvironment, type Environment } from "../../src/store/environment.js";
import { toContents, toData } from "../../src/store/format/environment-contents.js";
import { toEnvironmentText } from "../../src/store/format/environment-text.js";
import { resetFolder } from "../../src/store/reset-folder.js";
import { toEnvironment } from "../../src/store/seeds/seed-environment.js";
import { createEnvironmentState } from "../../src/store/state/environment-state.js";
import { serialize } from "../../src/store/state/serialized-notification.js";
import { openStore, type Store } from "../../src/store/store.js";
import { createSmallSeed } from "../support/small-seed.js";
import { readStored } from "../support/stored-environment.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const contract = await loadContract();
const NOW = new Date("2026-06-01T00:00:00.000Z");
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
  test("a file without a journal, as releases before wrote it, is the environment; a journal is begun", async () => {
    await writeFile(json, toEnvironmentText(toEnvironment(seed, contract, "default", NOW)));
    const store = await open();
    await setEmail(defaultOf(store), "subscriber-1", false);
    expect(readStored(folder).preferences).toEqual([preferencesOf("subscriber-1", false)]);
    expect(reports).toEqual([]);
    await store.close();
  });

  test("a file that was checked under another contract is checked again, once", async () => {
    await (await open()).close();
    const begun = { path: json, contract: contract.file.digest };
    const contents = toContents(toEnvironment(seed, contract, "default", NOW));
    let checks = 0;
    const parse = () => {
      checks += 1;
      return contents;
    };
    for (const place of [begun, { ...begun, contract: "another" }, { ...begun, contract: "another" }, begun]) {
      const files = await openFiles({ ...place, parse });
      if (!files) throw new Error("the folder has no environment");
      const { file, stored } = files;
      const state = createEnvironmentState(stored.contents);
      state.apply(stored.changes);
      const clock = createAdjustableClock(createFrozenClock(NOW));
      const environment = createEnvironment({ name: "default", state, log: file, clock, isDurable: true });
      await setEmail(environment, "subscriber-1", false);
      if (place.contract !== "another") await compact(file, environment);
      await file.close();
    }
    expect(checks).toBe(1);
  });

  test("commits of a process that was killed are made again, and the independent reader agrees", async () => {
    await killed(async (environment) => {
      await setEmail(environment, "subscriber-1", false);
      await setEmail(environment, "subscriber-2", false);
      await setEmail(environment, "subscriber-1", true);
    });
    const stored = readStored(folder);
    const store = await open();
    expect(sorted(toData(defaultOf(store).state.toContents()))).toEqual(sorted(stored));
    expect(stored.preferences).toEqual([preferencesOf("subscriber-2", false), preferencesOf("subscriber-1", true)]);
    await store.close();
    expect(sorted(JSON.parse(await readFile(json, "utf8")))).toEqual(sorted(stored));
  });

  test.each([
    ["under the same contract", () => contract.file.digest],
    ["under another one", () => "0".repeat(64)],
  ])("files of version 1, written %s, are read and rewritten as version 2", async (_title, digestOfContract) => {
    const { recordedResponses: _none, ...others } = toEnvironment(seed, contract, "default", NOW);
    const toAnswer = (key: string) => ({ ...toResponse(key), body: { key } });
    const former = { ...others, version: 1, recordedAnswers: [toAnswer("file")] };
    const text = toEnvironmentText({ ...former, notifications: former.notifications.map(serialize) });
    const replaced = { ...former, recordedAnswers: [toAnswer("replaced")] };
    const commits: object[][] = [
      [{ type: "answerRecorded", answer: toAnswer("journal") }],
      [{ type: "preferencesSet", preferences: preferencesOf("subscriber-1", false) }],
      [{ type: "replaced", data: replaced }],
      [{ type: "answerRecorded", answer: toAnswer("last") }],
    ];
    const file = createHash("sha256").update(text).digest("hex");
    const start = [
      { format: "notifications-contract/journal", version: 1 },
      { file, contract: digestOfContract(), commit: 0 },
    ];
    for (const [count, keys] of [
      [1, ["file", "journal"]],
      [4, ["replaced", "last"]],
    ] as const) {
      const lines = [...start, ...commits.slice(0, count).map((changes, index) => ({ commit: index + 1, changes }))];
      await writeFile(json, text);
      await writeFile(journal, lines.map(toLine).join(""));
      const store = await open();
      expect(await readFile(journal, "utf8")).toContain('{"format":"notifications-contract/journal","version":2}');
      expect(reports).toEqual([]);
      expect(defaultOf(store).state.toContents().recordedResponses).toEqual(keys.map(toAnswer));
      expect(readStored(folder)).toBeDefined();
      await store.close();
      expect(JSON.parse(await readFile(json, "utf8"))).toMatchObject({
        version: 2,
        recordedResponses: keys.map(toAnswer),
        notifications: former.notifications,
      });
      expect(Object.values(await contentsOf()).join()).not.toContain("recordedAnswers");
    }
  });

  test("every kind of change is stored as the page about files says", async () => {
    const { workflows, subscribers, notifications } = createSmallSeed({
      subscribers: 4,
      workflows: 3,
      notifications: 6,
    });
    const [workflow, subscriber] = [workflows[2], subscribers[3]];
    if (!workflow || !subscriber) throw new Error("the seed is too small");
    const response = toResponse("k");
    const set = {
      ...preferencesOf("subscriber-1", false),
      workflows: [{ workflowId: workflows[0]?._id ?? "", channels: { sms: true } }],
    };
    const changes: Change[] = [
      { type: "preferencesSet", preferences: set },
      { type: "responseRecorded", response },
      { type: "notificationsAdded", notifications: notifications.slice(2, 5) },
      { type: "notificationRemoved", notificationId: notifications[0]?._id ?? "" },
      { type: "subscriberAdded", subscriber },
      { type: "subscriberRemoved", subscriberId: "subscriber-2" },
      { type: "workflowAdded", workflow },
      { type: "workflowRemoved", workflowId: workflows[0]?._id ?? "" },
      { type: "replaced", data: { ...toContents(toEnvironment(seed, contract, "another", NOW)), preferences: [set] } },
      { type: "workflowRemoved", workflowId: workflows[0]?._id ?? "" },
    ];
    for (let count = 1; count <= changes.length; count += 1) {
      folder = await createTemporaryFolder();
      await killed(async (environment) => {
        for (const change of changes.slice(0, count)) await make(environment, change);
      });
      const store = await open();
      expect(sorted(toData(defaultOf(store).state.toContents()))).toEqual(sorted(readStored(folder)));
      await store.close();
      expect(sorted(JSON.parse(await readFile(join(folder, "default.json"), "utf8")))).toEqual(
        sorted(readStored(folder)),
      );
    }
  });

  const torn: [string, (line: string) => string][] = [
    ["the last line is cut off", (line) => line.slice(0, line.length / 2)],
    ["the last line lacks its end", (line) => line.slice(0, -1)],
    ["the last line has another checksum", (line) => `${line.startsWith("0") ? "1" : "0"}${line.slice(1)}`],
    ["the end is zeros", () => "\0".repeat(100)],
  ];
  test.each(torn)("%s: it is dropped, and said so, and all before it counts", async (_title, tear) => {
    await killed((environment) => setEmail(environment, "subscriber-1", false));
    const end = tear(
      toLine({ commit: 2, changes: [{ type: "preferencesSet", preferences: preferencesOf("subscriber-1", true) }] }),
    );
    await appendFile(journal, end);
    const store = await open();
    expect(defaultOf(store).state.preferencesOf("subscriber-1").global).toEqual({ email: false });
    expect(reports).toEqual([`warn ${journal}: dropped ${end.length} bytes of a change that was never acknowledged.`]);
    await setEmail(defaultOf(store), "subscriber-2", false);
    expect(readStored(folder).preferences).toHaveLength(2);
    await store.close();
  });

  const broken: [string, () => Promise<unknown>, string][] = [
    [
      "a line in the middle is damaged",
      () => rewrite((text) => text.replace('"email":false', '"email":true ')),
      ":4: broken, but whole entries follow",
    ],
    ["it is empty", () => writeFile(journal, ""), ":1: not a journal"],
    ["it is another file", () => writeFile(journal, "notes\n"), ":1: not a journal"],
    ["it is of another format", () => writeFile(journal, toLine({ format: "another" })), ":1: not a journal"],
    [
      "it is of a newer release",
      () => rewrite((text) => text.replace(/.*\n/, toLine({ format: "notifications-contract/journal", version: 3 }))),
      ":1: written by a newer release (version 3; this one reads 2)",
    ],
    [
      "it is cut off after its first line",
      () => rewrite((text) => text.split("\n").slice(0, 1).join("\n").concat("\n")),
      ":1: not a journal",
    ],
    ["a line is missing", () => editLines((lines) => lines.toSpliced(3, 1)), ":4: commit 2 after 0: lines are missing"],
    ["a line is repeated", () => editLines((lines) => lines.toSpliced(4, 0, lines[3] ?? "")), ":5: commit 1 after 1: "],
    ["its lines are in another order", () => editLines(([a, b, c, d, e]) => [a, b, c, e, d]), ":4: commit 2 after 0: "],
    [
      "the file line names a commit that is not there",
      () => editLines((lines) => [...lines, toLine({ file: "0", contract: "0", commit: 3 }).trimEnd()]),
      ":6: commit 3 after 2: ",
    ],
    ["the file that it continues is gone", () => rm(json), `: it continues `],
  ];
  test.each(broken)(
    "the journal cannot be read, %s: the start stops with the way out, and both stay as they are",
    async (_title, damage, reason) => {
      await killed(async (environment) => {
        await setEmail(environment, "subscriber-1", false);
        await setEmail(environment, "subscriber-2", false);
      });
      await damage();
      const before = await contentsOf();
      await expect(open()).rejects.toThrow(`${journal}${reason}`);
      await expect(open()).rejects.toThrow(`notifications-contract reset --data ${folder}`);
      expect(await contentsOf()).toEqual(before);

      await resetFolder(folder, seed, contract, NOW); // the way out
      expect(await readFile(`${journal}.bak`, "utf8")).toBe(before["default.journal"]);
      await (await open()).close();
      expect(readStored(folder)).toEqual(toEnvironment(seed, contract, "default", NOW));
    },
  );

  test("a file that was taken away after a stop is made from the seed again: its journal holds nothing", async () => {
    await (await open()).close();
    await rm(json);
    await (await open()).close();
    expect(readStored(folder)).toEqual(toEnvironment(seed, contract, "default", NOW));
  });

  test.each([
    ["both files are there", async () => {}],
    ["the JSON file is gone", () => rm(join(folder, "other.json"))],
    ["the JSON file is invalid", () => writeFile(join(folder, "other.json"), "{")],
  ])("an environment whose removal was cut short is gone: %s", async (_title, damage) => {
    const store = await open();
    const other = await store.create({ name: "other", apiKey: "other", seed, now: NOW, isDurable: true });
    await setEmail(other, "subscriber-1", false);
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

  test("a reset after a crash takes nothing of the journal over", async () => {
    await killed((environment) => setEmail(environment, "subscriber-1", false));
    await resetFolder(folder, seed, contract, NOW);
    expect(readStored(folder).preferences).toEqual([]);
    const store = await open();
    expect(defaultOf(store).state.toContents().preferences).toEqual([]);
    await store.close();
  });
});

describe("a running server and other hands", () => {
  test("at rest the JSON file alone is everything", async () => {
    const store = await open();
    await setEmail(defaultOf(store), "subscriber-1", false);
    await until(async () => (await readFile(json, "utf8")).includes('"email":false'));
    await until(async () => !(await readFile(journal, "utf8")).includes("changes"));
    await store.close();
  });

  test("an edited file is taken in, and what was acknowledged meanwhile is made again on top of it", async () => {
    const store = await open();
    await edit((data) => ({ ...data, preferences: [preferencesOf("subscriber-1", false)] }));
    await setEmail(defaultOf(store), "subscriber-2", false);
    await reported("info", "was edited by hand and has been reloaded.");
    const wanted = [preferencesOf("subscriber-1", false), preferencesOf("subscriber-2", false)];
    expect(defaultOf(store).state.toContents().preferences).toEqual(wanted);
    await store.close();
    expect(JSON.parse(await readFile(json, "utf8")).preferences).toEqual(wanted);
  });

  test.each([
    [
      "while it runs",
      async (work: () => Promise<void>) => {
        const store = await open();
        await work();
        return store;
      },
    ],
    [
      "while nothing runs",
      async (work: () => Promise<void>) => {
        await (await open()).close();
        await work();
        return open();
      },
    ],
  ])("a text edited in place counts, and is checked as any other, %s", async (_title, editing) => {
    const inPlace = async (channels: string) =>
      writeFile(json, (await readFile(json, "utf8")).replace(/"channels":\[[^\]]*\]/, `"channels":${channels}`));
    const store = await editing(() => inPlace('["chat","push"]'));
    await reported("info", "was edited by hand and has been reloaded.");
    expect(defaultOf(store).state.notifications.map(({ channels }) => channels)).toContainEqual(["chat", "push"]);
    await inPlace('["chat,push"]');
    await reported("warn", "channels.0 must be equal to one of the allowed values");
    await inPlace('["chat","push"]');
    await store.close();
    await inPlace('["sms,push"]');
    await expect(open()).rejects.toThrow("channels.0 must be equal to one of the allowed values");
    await inPlace('["sms","push"]');
    const mended = await open();
    expect(defaultOf(mended).state.notifications.map(({ channels }) => channels)).toContainEqual(["sms", "push"]);
    await mended.close();
  });

  test("a file edited while nothing runs counts at the next start, and a killed server's commits on top of it", async () => {
    await killed((environment) => setEmail(environment, "subscriber-1", false));
    await edit((data) => ({
      ...data,
      preferences: [preferencesOf("subscriber-1", true), preferencesOf("subscriber-2", true)],
    }));
    const store = await open();
    expect(defaultOf(store).state.toContents().preferences).toEqual([
      preferencesOf("subscriber-1", false),
      preferencesOf("subscriber-2", true),
    ]);
    expect(reports).toEqual([`info ${json} was edited by hand and has been reloaded.`]);
    await store.close();
  });

  test("a file made unusable is left alone, also at the stop; mended, it counts with all that was acknowledged", async () => {
    const store = await open();
    const text = await readFile(json, "utf8");
    await writeFile(json, text.slice(0, 100));
    await reported("warn", "was edited by hand and is now invalid.");
    await setEmail(defaultOf(store), "subscriber-1", false);
    expect(defaultOf(store).state.preferencesOf("subscriber-1").global).toEqual({ email: false });
    await store.close();
    expect(await readFile(json, "utf8")).toBe(text.slice(0, 100));
    expect(reports.at(-1)).toContain(`${json} lacks the last 1 commits.`);

    await writeFile(json, text);
    const again = await open();
    expect(defaultOf(again).state.preferencesOf("subscriber-1").global).toEqual({ email: false });
    await again.close();
  });

  test("an unusable file that is moved away is written anew from what counts", async () => {
    const store = await open();
    await setEmail(defaultOf(store), "subscriber-1", false);
    await writeFile(json, "{");
    await reported("warn", "Fix the file, or move it away to have that state written.");
    await rename(json, `${json}.mine`);
    await until(() =>
      access(json).then(
        () => true,
        () => false,
      ),
    );
    expect(JSON.parse(await readFile(json, "utf8")).preferences).toEqual([preferencesOf("subscriber-1", false)]);
    await store.close();
  });
});

describe("a running server whose files others remove or replace", () => {
  const hands: [string, (backup: string) => Promise<unknown>, ids: string[]][] = [
    ["both are removed: they are written anew", () => removeBoth(), ["subscriber-1", "subscriber-2", "subscriber-3"]],
    ["the journal is removed: it is begun anew", () => rm(journal), ["subscriber-1", "subscriber-2", "subscriber-3"]],
    [
      "they are removed and restored from a backup: it counts",
      (backup) => removeBoth().then(() => cp(backup, folder, { recursive: true })),
      ["subscriber-1", "subscriber-3"],
    ],
    [
      "they are overwritten with a backup: it counts",
      async (backup) => {
        for (const path of [journal, json]) await writeFile(path, await readFile(join(backup, basename(path))));
      },
      ["subscriber-1", "subscriber-3"],
    ],
  ];
  test.each(hands)("%s, and what is acknowledged from then on is there", async (_title, lay, ids) => {
    const store = await open();
    await setEmail(defaultOf(store), "subscriber-1", false);
    const backup = await createTemporaryFolder();
    for (const path of [json, journal]) await copyFile(path, join(backup, basename(path)));
    await setEmail(defaultOf(store), "subscriber-2", false);
    await lay(backup);
    await until(() => isAcknowledged(defaultOf(store), "subscriber-3"));
    const wanted = ids.map((id) => preferencesOf(id, false));
    expect(readStored(folder)?.preferences).toEqual(wanted); // as a kill at this moment would leave it
    expect(defaultOf(store).state.toContents().preferences).toEqual(wanted);
    await store.close();
    expect(JSON.parse(await readFile(json, "utf8")).preferences).toEqual(wanted);
    expect(reports.filter((report) => report.startsWith("warn"))).toEqual([]);
  });

  test.each([
    ["the folder is removed", async () => {}],
    ["another stands in its place", async () => void (await mkdir(folder))],
  ])(
    "%s: updates are refused, nothing is written there, and the stop says that the state is lost",
    async (_title, act) => {
      const store = await open();
      await setEmail(defaultOf(store), "subscriber-1", false);
      await rm(folder, { recursive: true });
      await act();
      expect(await isAcknowledged(defaultOf(store), "subscriber-2")).toBe(false);
      await reported("warn", "the state is in memory only, and updates are rejected until it can be written.");
      await store.close();
      expect(reports.at(-1)).toBe(
        `warn ${json} and its journal do not hold the state of this server: it ends with it.`,
      );
      expect(reports.join()).not.toContain("Nothing is lost");
      expect(await readdir(folder).catch(() => [])).toEqual([]);
    },
  );

  async function removeBoth(): Promise<void> {
    await rm(json);
    await rm(journal);
  }

  /** Whether an update is acknowledged; if not, the disk is the reason. */
  async function isAcknowledged(environment: Environment, subscriberId: string): Promise<boolean> {
    const before = environment.state.toContents().preferences;
    const error = await setEmail(environment, subscriberId, false).catch((reason: unknown) => reason);
    if (error === undefined) return true;
    expect(error).toBeInstanceOf(CannotStoreError);
    expect(before).not.toContainEqual(preferencesOf(subscriberId, false));
    return false;
  }
});

test.each([
  ["in place", async (text: string) => writeFile(json, text)],
  [
    "by putting another in its place",
    async (text: string) => {
      await writeFile(`${json}.mine`, text);
      await rename(`${json}.mine`, json);
    },
  ],
])("a file that is edited while it is being replaced, %s, stays as it was edited", async (_title, write) => {
  await killed(async (environment, file) => {
    await setEmail(environment, "subscriber-1", false);
    const edited = (await readFile(json, "utf8")).replace('"subscriber-2"', '"subscriber-two"');
    const { exclusive } = environment;
    let times = 0;
    const editBeforeSecond: Environment["exclusive"] = async (task) => {
      times += 1;
      if (times === 2) await write(edited); // the new text is on disk by now
      return exclusive(task);
    };
    await expect(compact(file, { ...environment, exclusive: editBeforeSecond })).rejects.toThrow(FileChangedError);
    expect(await readFile(json, "utf8")).toBe(edited);
    expect(await readdir(folder)).toEqual(["default.journal", "default.json"]);
    expect(file.pending).toBe(1);
  });
  const store = await open();
  expect(defaultOf(store).state.subscriberBySubscriberId("subscriber-two")).toBeDefined();
  expect(defaultOf(store).state.preferencesOf("subscriber-1").global).toEqual({ email: false });
  await store.close();
});

test("a journal is long when it exceeds 32 MiB and the file, so that a change costs the same whatever is stored", async () => {
  const contents = toContents(toEnvironment(seed, contract, "default", NOW));
  const file = await createFiles({ path: json, contract: contract.file.digest, parse: () => contents }, contents);
  const clock = createAdjustableClock(createFrozenClock(NOW));
  const state = createEnvironmentState(contents);
  const environment = createEnvironment({ name: "default", state, log: file, clock, isDurable: true });
  const record = (key: string) => {
    const body = "x".repeat(17 * 1024 * 1024);
    const response = { key, fingerprint: key, recordedAt: NOW.toISOString(), status: 200, headers: {}, body };
    return make(environment, { type: "responseRecorded", response });
  };
  const isLongAfter = async (key: string) => {
    await record(key);
    return file.isJournalLong;
  };
  expect([await isLongAfter("1"), await isLongAfter("2")]).toEqual([false, true]);
  await compact(file, environment);
  expect(file.isJournalLong).toBe(false);
  await record("3");
  await record("4");
  await compact(file, environment); // the file has 68 MiB now
  expect([await isLongAfter("5"), await isLongAfter("6"), await isLongAfter("7")]).toEqual([false, false, false]);
  await record("8");
  expect(await isLongAfter("9")).toBe(true);
  await file.close();
});

function open(): Promise<Store> {
  return openStore({
    contract,
    folder,
    apiKey: "key",
    seed: async () => seed,
    clock: createFrozenClock(NOW),
    report: (level, message) => void reports.push(`${level} ${message}`),
  });
}

/** Leaves the files as a killed server leaves them: nothing is folded. */
async function killed(act: (environment: Environment, file: JournaledFile) => Promise<unknown>): Promise<void> {
  const contents = toContents(toEnvironment(seed, contract, "default", NOW));
  const parse = () => contents;
  const file = await createFiles(
    { path: join(folder, "default.json"), contract: contract.file.digest, parse },
    contents,
  );
  const clock = createAdjustableClock(createFrozenClock(NOW));
  const state = createEnvironmentState(contents);
  await act(createEnvironment({ name: "default", state, log: file, clock, isDurable: true }), file);
  await file.close();
}

function toResponse(key: string): RecordedResponse {
  return { key, fingerprint: "f", recordedAt: NOW.toISOString(), status: 200, headers: {}, body: { a: 1 } };
}

function compact(file: JournaledFile, { state, exclusive }: Environment): Promise<void> {
  return file.compact({ snapshot: state.toContents, exclusive });
}

function defaultOf(store: Store): Environment {
  const [environment] = store.environments;
  if (!environment) throw new Error("the store has no environment");
  return environment;
}

function make(environment: Environment, change: Change): Promise<void> {
  return environment.transact(() => ({ result: undefined, changes: [change] }));
}

function setEmail(environment: Environment, subscriberId: string, email: boolean): Promise<void> {
  return make(environment, { type: "preferencesSet", preferences: preferencesOf(subscriberId, email) });
}

function preferencesOf(subscriberId: string, email: boolean): StoredPreferences {
  return { subscriberId, global: { email }, workflows: [] };
}

function toLine(entry: object): string {
  const json = JSON.stringify(entry);
  return `${crc32(json).toString(16).padStart(8, "0")} ${json}\n`;
}

async function rewrite(change: (text: string) => string): Promise<void> {
  await writeFile(journal, change(await readFile(journal, "utf8")));
}

function editLines(change: (lines: string[]) => (string | undefined)[]): Promise<void> {
  return rewrite((text) => `${change(text.trimEnd().split("\n")).join("\n")}\n`);
}

async function edit(change: (data: EnvironmentData) => EnvironmentData): Promise<void> {
  await writeFile(json, toEnvironmentText(change(JSON.parse(await readFile(json, "utf8")))));
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

/** Waits for what has to come; the test's time limit is the only one. */
async function until(isThere: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isThere())) await pause(20);
}
