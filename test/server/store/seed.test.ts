import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createControl } from "../../../src/browser/client/control.js";
import { createFromSeed } from "../../../src/core/state/seed.js";
import { loadSeed, SEED_NAMES } from "../../../src/server/store/seed.js";
import { startServer } from "../../../src/start-server.js";
import { ROOT } from "../../support/command.js";
import { contract } from "../../support/contract.js";
import { toEnvironmentText } from "../../support/environment-text.js";
import { createSmallSeed } from "../../support/small-seed.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe("createFromSeed › times", () => {
  const seed = createSmallSeed();
  const now = new Date(Date.parse(seed.asOf) + 100 * HOUR_MS);

  test("are shifted by the time between asOf and the present, wherever they are", () => {
    const [first, ...others] = seed.notifications;
    const payload = { at: seed.asOf, deep: [{ at: "2026-01-15T11:00:00.000Z" }] };
    const before = { ...seed, notifications: [{ ...(first as object), payload }, ...others] } as typeof seed;
    const after = createFromSeed(before, contract, "default", now);
    const minutesFromNow = (instant: string | undefined) => (Date.parse(instant ?? "") - now.getTime()) / MINUTE_MS;

    expect(after.notifications.map(({ createdAt }) => minutesFromNow(createdAt))).toEqual([-1, -2, -3]);
    expect(minutesFromNow(after.workflows[0]?.createdAt)).toBe(-1000);
    const anHourAgo = new Date(now.getTime() - HOUR_MS).toISOString();
    expect(after.notifications[0]?.payload).toEqual({ at: now.toISOString(), deep: [{ at: anHourAgo }] });
  });

  test.each(["2026-01-15", "2026-01-15T12:00:00Z", "+002026-01-15T12:00:00.000Z", "2026-13-01T00:00:00.000Z"])(
    "a text that is not exactly an instant stays as it is: %s",
    (value) => {
      const notifications = seed.notifications.map((stored) => ({ ...stored, payload: { value } }));
      const after = createFromSeed({ ...seed, notifications }, contract, "default", now);
      expect(after.notifications[0]?.payload).toEqual({ value });
    },
  );

  test("outside the years that RFC 3339 can write are rejected, except in a payload", () => {
    const late = "9999-12-31T23:59:59.999Z";
    const moveWith = (changes: object) => {
      const notifications = seed.notifications.map((stored) => ({ ...stored, ...changes }));
      return createFromSeed({ ...seed, notifications }, contract, "default", now);
    };
    expect(moveWith({ payload: { expires: late } }).notifications[0]?.payload).toEqual({ expires: late });
    const message = `The seed: ${late} would leave the years 0 to 9999`;
    expect(() => moveWith({ createdAt: late })).toThrow(message);
  });

  test("the seed itself stays unchanged", () => {
    const before = structuredClone(seed);
    createFromSeed(seed, contract, "default", now);
    expect(seed).toEqual(before);
  });
});

test("our own seeds are checked where the build has not checked them", async () => {
  const check = () => [{ location: "environment.asOf", message: "is wrong" }];
  const file = { ...contract.file, digest: "0".repeat(64) };
  const strict = { ...contract, schemaOf: () => ({ check }) as never, file };
  for (const name of SEED_NAMES) await expect(loadSeed(name, strict)).rejects.toThrow("environment.asOf is wrong");
  const idle = { ...contract, schemaOf: () => expect.unreachable("a start repeats the check of the build") };
  for (const name of SEED_NAMES)
    expect(await loadSeed(name, idle)).toMatchObject({ format: "notifications-contract/environment", name });
});

test("the demo seed has nothing that old clients cannot parse (D-75)", async () => {
  const { notifications } = await loadSeed("demo", contract);
  const jobs = notifications.flatMap((notification) => notification.jobs ?? []);
  expect(jobs.length).toBeGreaterThan(100);
  expect(jobs.filter(({ type }) => type === "throttle")).toEqual([]);
  for (const { providerId, executionDetails } of jobs)
    for (const detail of executionDetails) expect(detail.providerId).toBe(providerId);
});

describe("createFromSeed › the rest", () => {
  const now = new Date("2026-06-01T00:00:00.000Z");

  test("name and contract are the environment's own, whatever the seed says; asOf and key are the seed's alone", () => {
    const seed = { ...createSmallSeed(), contract: "0".repeat(64), keyHash: "0".repeat(64) };
    const { name, contract: digest, ...rest } = createFromSeed(seed, contract, "one", now);
    expect({ name, digest }).toEqual({ name: "one", digest: contract.file.digest });
    expect(rest).not.toHaveProperty("keyHash");
    expect(rest).not.toHaveProperty("asOf");
  });

  test("two environments of one seed share no object, so that neither can change the other", () => {
    const seed = createSmallSeed();
    const [one, two] = ["one", "two"].map((name) => createFromSeed(seed, contract, name, new Date(seed.asOf)));
    const objects = [seed, one, two].map(findObjects);
    expect(objects[0]?.size).toBeGreaterThan(10);
    const shared = (a: Set<object> = new Set(), b: Set<object> = new Set()) => [...a].filter((item) => b.has(item));
    expect(shared(objects[0], objects[1])).toEqual([]);
    expect(shared(objects[1], objects[2])).toEqual([]);
  });
});

describe("loadSeed", () => {
  test("a file", async () => {
    const path = join(await createTemporaryFolder(), "seed.json");
    await writeFile(path, toEnvironmentText(createSmallSeed()));
    expect(await loadSeed(path, contract)).toEqual(createSmallSeed());
  });

  const withAsOf = (asOf: string | undefined) => toEnvironmentText({ ...createSmallSeed(), asOf });
  const extending = toEnvironmentText({ ...createSmallSeed(), extends: { seed: "demo" } } as never);
  const rows: [string, (path: string) => Promise<unknown>, string][] = [
    ["that does not exist", async () => {}, "there is no such seed. Use demo, empty, or a file."],
    ["that is a folder", (path) => mkdir(path), "the seed cannot be read (EISDIR"],
    ["that is a FIFO", async (path) => execFileSync("mkfifo", [path]), "is not a regular file"],
    ["that is not JSON", (path) => writeFile(path, "{"), "not JSON"],
    ["without asOf", (path) => writeFile(path, withAsOf(undefined)), 'a seed needs the member "asOf"'],
    ["that extends another", (path) => writeFile(path, extending), "Export it once with release 1.1.0, as a whole"],
    ["with an asOf that is no instant", (path) => writeFile(path, withAsOf("today")), "environment.asOf must match"],
  ];
  test.each(rows)("rejects a file %s, and names it", async (_title, make, reason) => {
    const path = join(await createTemporaryFolder(), "seed.json");
    await make(path);
    const error = await loadSeed(path, contract).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "InvalidEnvironmentError" });
    expect((error as Error).message.startsWith(path)).toBe(true);
    expect((error as Error).message).toContain(reason);
  });
});

/** It is read when an environment needs it. A small one stays in memory, a large one is read each time. */
describe("the server's own seed", () => {
  test("a small one stays in memory: its file may be removed", async () => {
    const path = join(await createTemporaryFolder(), "seed.json");
    await copyFile(join(ROOT, "data/seeds/demo.json"), path);
    const control = await startWith(path);
    await rm(path);
    expect(await control.createEnvironment({ name: "one" })).toMatchObject({ name: "one" });
  });

  test("a large one that cannot be read fails the request, and is read again for the next", async () => {
    const path = await writeSeed(10_001);
    const control = await startWith(path);
    const whole = await readFile(path);
    await writeFile(path, whole.subarray(0, -10));
    await expect(control.createEnvironment({ name: "one" })).rejects.toThrow();
    await writeFile(path, whole);
    expect(await control.createEnvironment({ name: "one" })).toMatchObject({ name: "one" });
  });
});

function findObjects(value: unknown): Set<object> {
  if (typeof value !== "object" || value === null) return new Set();
  return new Set([value, ...Object.values(value).flatMap((member) => [...findObjects(member)])]);
}

async function startWith(seed: string) {
  const server = await startServer({ seed });
  onTestFinished(server.close);
  return createControl({ baseUrl: server.url });
}

async function writeSeed(subscribers: number): Promise<string> {
  const path = join(await createTemporaryFolder(), "seed.json");
  const seed = JSON.parse(await readFile(join(ROOT, "data/seeds/empty.json"), "utf8"));
  for (let index = 0; index < subscribers; index++) {
    seed.subscribers.push({ _id: index.toString(16).padStart(24, "0"), subscriberId: `subscriber-${index}` });
  }
  await writeFile(path, JSON.stringify(seed));
  return path;
}
