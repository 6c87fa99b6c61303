import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createFrozenClock } from "../../../src/core/domain/clock.js";
import type { Change } from "../../../src/core/domain/state.js";
import type { Environment } from "../../../src/core/state/environment.js";
import { parseEnvironment } from "../../../src/server/store/format.js";
import { EnvironmentTakenError, type Store, type StoreOptions } from "../../../src/server/store/store.js";
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
  });

  test("keeps a folder that it creates out of git, and changes no existing one", async () => {
    await (await open()).close();
    expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe("*\n");
    await rm(join(folder, ".gitignore"));
    await (await open()).close();
    expect(await readdir(folder)).not.toContain(".gitignore");
  });

  test("without a folder, writes nothing", async () => {
    const store = await open({ folder: undefined });
    await setEmail(store, "key", false);
    expect(emailOf(store, "key")).toBe(false);
    await store.close();
    await expect(list()).rejects.toThrow("ENOENT");
  });

  test("a folder with an environment: restores its state, and does not load the seed", async () => {
    const store = await open();
    await setEmail(store, "key", false);
    await store.close();

    const clock = createFrozenClock(new Date("2030-01-01"));
    const again = await open({ seed: () => Promise.reject(new Error("the seed was loaded")), clock });
    expect(emailOf(again, "key")).toBe(false);
    expect(again.environmentOf("key")?.state.notifications).toEqual(store.environmentOf("key")?.state.notifications);
    await again.close();
  });

  test("the key of this start opens the default environment, that of the last one does not", async () => {
    await (await open()).close();
    const store = await open({ apiKey: "new key" });
    expect(store.environmentOf("new key")?.name).toBe("default");
    expect(store.environmentOf("key")).toBeUndefined();
    await store.close();
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

  test("a failing start removes nothing", async () => {
    await (await open()).close();
    const names = ["package.json", "package.json.tmp", "tsconfig.json.removed"];
    for (const name of names) await writeFile(join(folder, name), "{}");
    await expect(open()).rejects.toThrow("package.json:1: not an environment");
    expect((await list()).toSorted()).toEqual(["default.journal", "default.json", ...names].toSorted());
  });

  test.each([
    ["the API key of the server", { apiKey: "other key" }, "default"],
    ["the key of another environment", {}, "copy"],
  ])("rejects a file that %s opens, and changes nothing", async (_title, options, name) => {
    const store = await open();
    await store.create(OTHER);
    await store.close();
    if (!("apiKey" in options)) {
      const text = await readFile(join(folder, "other.json"), "utf8");
      await writeFile(join(folder, "copy.json"), text.replace(/"name": *"other"/, '"name":"copy"'));
    }
    const before = await list();
    const message = `the key of ${name} opens it, too\nMove one of the two files out of the folder`;
    await expect(open(options)).rejects.toThrow(`${join(folder, "other.json")}: ${message}`);
    if ("apiKey" in options) expect(await list()).toEqual(before);
    else expect(await list()).toEqual(["copy.journal", ...before]);
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

describe("the error of an unusable folder has its name and a remedy", () => {
  test("a path that is a file", async () => {
    const file = join(await createTemporaryFolder(), "file");
    await writeFile(file, "");
    await expect(open({ folder: file })).rejects.toThrow(
      new RegExp(`^${file} cannot be used: EEXIST.*Use another folder: --data <folder>\\.$`),
    );
  });
  test("a folder in the place of an environment's file; then it is unlocked", async () => {
    await mkdir(join(folder, "default.json"), { recursive: true });
    await expect(open()).rejects.toThrow(`${folder} cannot be used: EISDIR`);
    expect(await list()).toEqual(["default.json"]);
  });
});

describe("create", () => {
  test.each(["in a folder", "in memory"])("%s: an environment has its own key and its own objects", async (place) => {
    const store = await open(place === "in memory" ? { folder: undefined } : {});
    await store.create({ ...OTHER, seed: createSmallSeed({ subscribers: 5 }), isDurable: place === "in a folder" });

    expect(store.environmentOf("key")?.name).toBe("default");
    expect(store.environmentOf("other key")?.name).toBe("other");
    expect(store.environmentOf("another key")).toBeUndefined();
    expect(store.environmentOf("")).toBeUndefined();
    expect(store.environmentOf("other key")?.state.subscriberBySubscriberId("subscriber-5")).toBeDefined();
    expect(store.environmentOf("key")?.state.subscriberBySubscriberId("subscriber-5")).toBeUndefined();
    await setEmail(store, "other key", false);
    expect([emailOf(store, "key"), emailOf(store, "other key")]).toEqual([undefined, false]);
    await store.close();
  });

  test("after a restart its key opens it, which the file does not contain", async () => {
    const store = await open();
    await store.create(OTHER);
    await setEmail(store, "other key", false);
    await store.close();

    const text = await readFile(join(folder, "other.json"), "utf8");
    expect(text).not.toContain("other key");
    expect(text).toContain(createHash("sha256").update("other key").digest("hex"));
    const again = await open();
    expect(again.environmentOf("other key")?.name).toBe("other");
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

  const refused: [string, string, string, string][] = [
    ["the name of the default environment", "default", "new key", "Environment default already exists"],
    ["an existing name", "other", "new key", "Environment other already exists"],
    ["the key of the default environment", "new", "key", "The key of new opens another environment"],
    ["a name that leads out of the folder", "../new", "new key", '"../new" cannot be the name of an environment'],
  ];
  test.each(refused)("rejects %s, and overwrites nothing", async (_title, name, key, message) => {
    const store = await open();
    await store.create(OTHER);
    await setEmail(store, "other key", false);
    await expect(store.create({ ...OTHER, name, apiKey: key })).rejects.toThrow(message);
    expect(emailOf(store, "other key")).toBe(false);
    await store.close();
    expect(await list()).toEqual(["default.journal", "default.json", "other.journal", "other.json"]);
  });

  test.each([
    ["other.json", "mine"],
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

describe("create › in a store with a folder", () => {
  test("an environment that is not durable leaves no file, and does not survive a restart", async () => {
    const store = await open();
    const other = await store.create({ ...OTHER, isDurable: false });
    await setEmail(store, "other key", false);
    expect([other.isDurable, emailOf(store, "other key")]).toEqual([false, false]);
    await store.close();
    expect(await list()).toEqual(["default.journal", "default.json"]);
  });

  test("environments of one seed within a minute share its records; with `now`, times are exact", async () => {
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
