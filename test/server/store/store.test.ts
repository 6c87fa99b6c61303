import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createFrozenClock } from "../../../src/core/domain/clock.js";
import type { Change } from "../../../src/core/domain/state.js";
import type { Environment } from "../../../src/core/state/environment.js";
import { EnvironmentTakenError, type Store, type StoreOptions } from "../../../src/server/store/environments.js";
import { parseEnvironment } from "../../../src/server/store/format.js";
import { contract } from "../../support/contract.js";
import { createSmallSeed } from "../../support/small-seed.js";
import { NOW, openSmallStore } from "../../support/small-store.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const seed = createSmallSeed();
const OTHER = { name: "other", apiKey: "other key", seed, now: NOW, isDurable: true };

let folder: string;

beforeEach(async () => {
  folder = join(await createTemporaryFolder(), "data", "environments");
});

describe("openStore", () => {
  test("an empty folder: creates the default environment, in a file that only its owner can read", async () => {
    const store = await open();
    expect(store.environments.map(({ name }) => name)).toEqual(["default"]);
    expect(store.environmentOf("key")?.state.notifications).toHaveLength(3);
    expect(await list()).toEqual([".lock", "default.journal", "default.json"]);
    expect(((await stat(join(folder, "default.json"))).mode & 0o777).toString(8)).toBe("600");
    await store.close();
    expect(await list()).toEqual(["default.journal", "default.json"]);
    expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe("*\n");
    await rm(join(folder, ".gitignore"));
    await (await open()).close();
    expect(await readdir(folder), "an existing folder stays as it is").not.toContain(".gitignore");
  });

  test("a folder with an environment: restores its state under the key of this start, without the seed", async () => {
    const store = await open();
    await setEmail(store, "key", false);
    await store.close();
    const clock = createFrozenClock(new Date("2030-01-01"));
    const seed = () => Promise.reject(new Error("the seed was loaded"));
    const again = await open({ seed, clock, apiKey: "new key" });
    expect([again.environmentOf("key"), emailOf(again, "new key")]).toEqual([undefined, false]);
    expect(again.environments[0]?.state.notifications).toEqual(store.environments[0]?.state.notifications);
    await again.close();
  });

  test("removes what a killed process left half-written, and no file of another program", async () => {
    await (await open()).close();
    const names = ["a.txt", "a.txt.removed", "My file.json.tmp", "x.tmp", "other_1.json.removed", "b.txt.journal.tmp"];
    for (const name of [...names, "default.json.tmp"]) await writeFile(join(folder, name), "mine");
    await mkdir(join(folder, "folder.json.tmp"));
    await symlink(join(folder, "a.txt"), join(folder, "link.json.tmp"));
    await (await open()).close();
    const all = ["default.journal", "default.json", "folder.json.tmp", "link.json.tmp", ...names];
    expect((await list()).toSorted()).toEqual(all.toSorted());
  });

  test("a failing start removes nothing, and unlocks the folder", async () => {
    await (await open()).close();
    const names = ["package.json", "package.json.tmp", "tsconfig.json.removed"];
    for (const name of names) await writeFile(join(folder, name), "{}");
    await expect(open()).rejects.toThrow("package.json:1: not an environment");
    expect((await list()).toSorted()).toEqual(["default.journal", "default.json", ...names].toSorted());
  });

  test("rejects a file that the key of another environment opens, and changes nothing", async () => {
    const store = await open();
    await store.create(OTHER);
    await store.close();
    const before = await list();
    const other = join(folder, "other.json");
    const message = (name: string) =>
      `${other}: the key of ${name} opens it, too\nMove one of the two files out of the folder`;
    await expect(open({ apiKey: "other key" })).rejects.toThrow(message("default"));
    expect(await list()).toEqual(before);
    const text = await readFile(other, "utf8");
    await writeFile(join(folder, "copy.json"), text.replace(/"name": *"other"/, '"name":"copy"'));
    await expect(open()).rejects.toThrow(message("copy"));
    expect(await list()).toEqual(["copy.journal", "copy.json", ...before]);
  });

  test("close settles once all changes are on disk", async () => {
    const store = await open();
    const results = [false, true, false].map((email) => setEmail(store, "key", email));
    await store.close();
    const file = parseEnvironment(await readFile(join(folder, "default.json")), "default.json", contract);
    expect(file.preferences).toEqual([{ subscriberId: "subscriber-1", global: { email: false }, workflows: [] }]);
    await Promise.all(results);
  });
});

test("an unusable folder: the error has its name and a remedy, and it is unlocked", async () => {
  const file = join(await createTemporaryFolder(), "file");
  await writeFile(file, "");
  const message = new RegExp(`^${file} cannot be used: EEXIST.*Use another folder: --data <folder>\\.$`);
  await expect(open({ folder: file })).rejects.toThrow(message);
  await mkdir(join(folder, "default.json"), { recursive: true });
  await expect(open()).rejects.toThrow(`${folder} cannot be used: EISDIR`);
  expect(await list()).toEqual(["default.json"]);
});

describe("create", () => {
  test.each(["in a folder", "in memory"])("%s: an environment has its own key and its own objects", async (place) => {
    const isDurable = place === "in a folder";
    const store = await open(isDurable ? {} : { folder: undefined });
    await store.create({ ...OTHER, seed: createSmallSeed({ subscribers: 5 }), isDurable });
    expect(["key", "other key", "another key", ""].map((key) => store.environmentOf(key)?.name)).toEqual([
      "default",
      "other",
      undefined,
      undefined,
    ]);
    const hasFifth = (key: string) => store.environmentOf(key)?.state.subscriberBySubscriberId("subscriber-5");
    expect([hasFifth("key"), hasFifth("other key")]).toEqual([undefined, expect.anything()]);
    await setEmail(store, "other key", false);
    expect([emailOf(store, "key"), emailOf(store, "other key")]).toEqual([undefined, false]);
    await store.close();
    if (!isDurable) return void (await expect(list()).rejects.toThrow("ENOENT"));

    const text = await readFile(join(folder, "other.json"), "utf8");
    expect(text).not.toContain("other key");
    expect(text).toContain(createHash("sha256").update("other key").digest("hex"));
    const again = await open();
    expect([emailOf(again, "key"), emailOf(again, "other key")]).toEqual([undefined, false]);
    await again.close();
  });

  test.each([
    ["created while the server runs", true],
    ["found at the start", false],
  ])("when idle, its JSON file alone has everything, %s", async (_title, isNew) => {
    const first = await open();
    await first.create(OTHER);
    if (!isNew) await first.close();
    const store = isNew ? first : await open();
    await setEmail(store, "other key", false);
    const textOf = (name: string) => () => readFile(join(folder, name), "utf8");
    await expect.poll(textOf("other.json")).toContain('"email":false');
    await expect.poll(textOf("other.journal")).toBe("");
    await store.close();
  });

  test("rejects a name or a key that is taken, and overwrites nothing", async () => {
    const store = await open();
    await store.create(OTHER);
    await setEmail(store, "other key", false);
    for (const [name, apiKey, message] of [
      ["default", "new key", "Environment default already exists"],
      ["other", "new key", "Environment other already exists"],
      ["new", "key", "The key of new opens another environment"],
      ["../new", "new key", '"../new" cannot be the name of an environment'],
    ] as const)
      await expect(store.create({ ...OTHER, name, apiKey })).rejects.toThrow(message);
    expect(emailOf(store, "other key")).toBe(false);
    await store.close();
    expect(await list()).toEqual(["default.journal", "default.json", "other.journal", "other.json"]);
  });

  test.each([
    ["other.json", ""],
    ["other.journal", "mine"],
  ])("does not overwrite a file of another program: %s, %j", async (name, text) => {
    const store = await open();
    const path = join(folder, name);
    await writeFile(path, text);
    await expect(store.create(OTHER)).rejects.toThrow(`The file ${path} already exists`);
    expect(await readFile(path, "utf8")).toBe(text);
    await store.close();
  });

  test.each([
    ["name", [{ apiKey: "one" }, { apiKey: "two" }]],
    ["key", [{ name: "one" }, { name: "two" }]],
  ])("of two at once with the same %s, the second is rejected", async (_title, pair) => {
    const store = await open();
    const [one, two] = pair.map((own, index) => {
      const seed = createSmallSeed({ subscribers: index + 1 });
      return store.create({ ...OTHER, ...own, seed });
    });
    await expect(two).rejects.toThrow(EnvironmentTakenError);
    const { name } = (await one) as Environment;
    await store.close();
    const again = await open();
    expect(again.environments.map(({ name }) => name)).toEqual(["default", name]);
    expect([...(again.environments[1]?.state.subscribers() ?? [])]).toHaveLength(1);
    await again.close();
  });
});

test("create › environments of one seed within a minute share its records; with `now`, times are exact", async () => {
  let now = NOW.getTime();
  const store = await open({ clock: { now: () => new Date(now) } });
  const create = (name: string, at?: Date) => {
    const { now: _now, ...rest } = { ...OTHER, name, apiKey: name, isDurable: false };
    return store.create(at ? { ...rest, now: at } : rest);
  };
  const first = await create("first");
  now += 59_999;
  const second = await create("second");
  now += 1;
  const third = await create("third");
  const exact = await create("exact", new Date(NOW.getTime() + 1));
  const newest = ({ state }: Environment) => state.notifications[0];
  expect(newest(second)).toBe(newest(first));
  expect(newest(third)?.instant).toBe(Date.parse(newestOf(now)));
  expect(newest(exact)?.instant).toBe(Date.parse(newestOf(NOW.getTime() + 1)));
  await store.close();
});

describe("remove", () => {
  test("its name stays taken until its files are removed", async () => {
    const store = await open();
    const other = await store.create({ ...OTHER, isDurable: true });
    await setEmail(store, "other key", false);
    const removed = store.remove(other);
    await expect(store.create({ ...OTHER, isDurable: true })).rejects.toThrow(EnvironmentTakenError);
    await removed;
    await store.create({ ...OTHER, isDurable: true });
    await setEmail(store, "other key", false);
    await store.close();
    const again = await open();
    expect(emailOf(again, "other key")).toBe(false);
    await again.close();
  });

  test.each([true, false])(
    "durable %s: its key opens nothing, its file is removed, other environments stay",
    async (isDurable) => {
      const store = await open();
      const other = await store.create({ ...OTHER, isDurable });
      const change = setEmail(store, "other key", false);
      await store.remove(other);
      await change; // was in progress, and succeeds
      expect(store.environmentOf("other key")).toBeUndefined();
      expect(store.environments.map(({ name }) => name)).toEqual(["default"]);
      await store.create({ ...OTHER, isDurable }); // name and key are free again
      await store.remove(store.environmentOf("other key") as Environment);
      await store.close();
      expect(await list()).toEqual(["default.journal", "default.json"]);
    },
  );
});

async function list(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name !== ".gitignore");
}

function newestOf(present: number): string {
  const newest = seed.notifications[0]?.createdAt ?? "";
  return new Date(present - Date.parse(seed.asOf) + Date.parse(newest)).toISOString();
}

function open(options: Partial<StoreOptions> = {}): Promise<Store> {
  return openSmallStore(folder, options); // the folder is that of the test, unless the options have another
}

async function setEmail(store: Store, key: string, email: boolean): Promise<void> {
  const preferences = { subscriberId: "subscriber-1", global: { email }, workflows: [] };
  const changes: Change[] = [{ type: "preferencesSet", preferences }];
  await store.environmentOf(key)?.transact(() => ({ result: undefined, changes }));
}

function emailOf(store: Store, key: string): boolean | undefined {
  return store.environmentOf(key)?.state.preferencesOf("subscriber-1").global.email;
}
