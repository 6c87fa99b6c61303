import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createExportCommand } from "../../src/cli/seed-commands.js";
import { formatWorkflowSlug } from "../../src/core/domain/preferences.js";
import { type IsolatedEnvironment, startControlled } from "../support/controlled.js";
import { toEnvironmentText } from "../support/environment-text.js";
import { createSmallSeed } from "../support/small-seed.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const PREFERENCES = "PATCH /v2/subscribers/ines-moreau/preferences";
const NOTHING = { body: JSON.stringify({ channels: {} }) };
const EMAIL_OFF = { body: JSON.stringify({ channels: { email: false } }) };

const server = await startControlled({}, afterAll);

test("each change of an environment ends the wait for the list, which has another version", async () => {
  const list = async (query = "") => (await server.control(`GET /environments${query}`)).body;
  const before = await list();
  expect((await list(`?version=${before.version}&waitMs=20`)).version).toBe(before.version);
  const expectChange = async <T>(change: () => Promise<T>): Promise<T> => {
    const { version } = await list();
    const waiting = list(`?version=${version}&waitMs=30000`);
    const result = await change();
    expect((await waiting).version).not.toBe(version);
    return result;
  };
  const mine = await expectChange(() => server.createEnvironment());
  await expectChange(() => mine.control("POST /faults", { status: 503 }));
  await expectChange(() => mine.control("POST /clock/advance", { milliseconds: 1 }));
  expect((await mine.control("GET")).body.revision).toBe(0);
  await expectChange(() => mine.control("POST /notifications", { subscriberId: "ines-moreau" }));
  expect((await mine.control("GET")).body.revision).toBe(1);
  await expectChange(() => mine.control("DELETE"));
});

describe("createEnvironment", () => {
  test("without settings: creates a name and a key, which opens the server's own seed", async () => {
    const { status, body } = await server.control("POST /environments", {});
    expect(status).toBe(201);
    expect(body).toMatchObject({ durable: false, clock: { mode: "running" }, subscribers: 25, notifications: 150 });
    expect((await server.request(body.apiKey, "GET /v1/notifications")).body.data).toHaveLength(10);
  });

  test("with all settings: name, key, seed, and a clock frozen at the seed's present", async () => {
    const now = "2031-05-05T12:00:00.000Z";
    const request = { name: "whole", apiKey: "whole-key", seed: "demo", now };
    const { body } = await server.control("POST /environments", request);
    expect(body).toMatchObject({ name: "whole", apiKey: "whole-key", clock: { mode: "frozen", now } });
    const page = await server.request("whole-key", "GET /v1/notifications?limit=1");
    expect(Date.parse(now) - Date.parse(page.body.data[0].createdAt)).toBeLessThan(120_000);
    const used = (await server.control("GET /environments/whole")).body;
    expect(used).toEqual({ ...body, lastUsedAt: used.lastUsedAt });
  });

  const rejections: [string, object, number, string, string?][] = [
    ["an existing name", { name: "default" }, 409, "Environment default already exists. Choose another name"],
    ["an existing key", { name: "new", apiKey: "demo-key" }, 409, "The key of new opens another environment."],
    ["a name that no file can have", { name: "../new" }, 422, "body.name must match the pattern", "body.name"],
    ["an unknown seed", { seed: "nope" }, 422, "Unknown seed nope; expected one of demo, empty.", "body.seed"],
    ["a seed and data", { seed: "demo", data: {} }, 422, "Give either seed or data, not both.", "body.data"],
    ["invalid data", { data: {} }, 422, "The seed:1: not an environment", "body.data"],
    ["an invalid instant", { now: "x" }, 422, "body.now must be a date and time such as", "body.now"],
    [
      "a durable one that ends",
      { durable: true, ttlSeconds: 5 },
      422,
      "A durable environment stays",
      "body.ttlSeconds",
    ],
    ["a durable one without a folder", { durable: true }, 422, "it runs with --ephemeral", "body.durable"],
  ];
  test.each(rejections)("%s is rejected", async (_title, body, status, message, location) => {
    const before = (await server.control("GET /environments")).body;
    const response = await server.control("POST /environments", body);
    expect([response.status, response.body.ctx.code]).toEqual([status, status === 409 ? "conflict" : "invalidRequest"]);
    expect(response.body.message).toContain(message);
    for (const { code } of Object.values<{ code: string }>(response.body.errors ?? {}))
      expect(code).toMatch(/^(invalid|format|pattern)$/);
    if (location) expect(Object.keys(response.body.errors)).toEqual([location]);
    expect((await server.control("GET /environments")).body.environments).toHaveLength(before.environments.length);
  });
});

test("durable environments persist across restarts, without showing their keys again", async () => {
  const dataFolder = join(await createTemporaryFolder(), "environments");
  const first = await startControlled({ dataFolder });
  const request = { name: "kept", apiKey: "kept-key", durable: true };
  expect((await first.control("POST /environments", request)).body).toMatchObject({ durable: true });
  await first.control("POST /environments", { name: "fleeting" });
  await first.request("kept-key", PREFERENCES, EMAIL_OFF);
  await first.close();

  const second = await startControlled({ dataFolder });
  const { environments } = (await second.control("GET /environments")).body;
  expect(environments.map(({ name }: { name: string }) => name)).toEqual(["default", "kept"]);
  expect(environments[1].apiKey).toBeUndefined();
  expect((await second.request("kept-key", PREFERENCES, NOTHING)).body.global.channels.email).toBe(false);
  expect((await second.control("DELETE /environments/kept")).status).toBe(204);
  await second.close();
  expect((await readdir(dataFolder)).filter((file) => file.startsWith("kept"))).toEqual([]);
});

test("the environment of a seed file is open under its name, so that the links of a bug report work", async () => {
  const file = join(await createTemporaryFolder(), "bug-4711.json");
  const mine = await server.createEnvironment({ name: "bug-4711" });
  await mine.control("POST /subscribers", { subscriberId: "of-the-bug" });
  const { body } = await mine.control("GET /seed");
  await writeFile(file, JSON.stringify(body));
  const other = await startControlled({ seed: file });
  const opened = (await other.control("GET /environments/bug-4711")).body;
  expect(opened).toMatchObject({ name: "bug-4711", subscribers: 26 });
  expect((await other.request(opened.apiKey, "GET /v1/notifications")).status).toBe(200);
  expect((await other.control("GET /environments/default")).body.subscribers).toBe(26);
});

describe("an environment with ttlSeconds", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    return () => void vi.useRealTimers();
  });

  test("is deleted after this long without use; each use extends its life", async () => {
    const mine = await server.createEnvironment({ ttlSeconds: 1 });
    expect((await mine.control("GET")).body.ttlSeconds).toBe(1);
    for (let use = 0; use < 3; use += 1) {
      vi.advanceTimersByTime(900);
      expect((await mine.request("GET /v1/notifications?limit=1")).status).toBe(200);
    }
    vi.advanceTimersByTime(1_000);
    await expect.poll(async () => (await mine.control("GET")).status).toBe(404);
    expect((await mine.request("GET /v1/notifications")).status).toBe(401);
  });

  test("shows its last use: by a request to the API, or a change, but not by reading it", async () => {
    const mine = await server.createEnvironment();
    const lastUse = async () => Date.parse((await mine.control("GET")).body.lastUsedAt);
    const first = await lastUse();
    vi.advanceTimersByTime(5);
    expect(await lastUse()).toBe(first);
    await mine.request("GET /v1/notifications");
    const second = await lastUse();
    expect(second).toBeGreaterThan(first);
    vi.advanceTimersByTime(5);
    await mine.control("POST /faults", { status: 503 });
    expect(await lastUse()).toBeGreaterThan(second);
  });
});

test("the key of a deleted environment is invalid; name and key can be used again", async () => {
  const { name, apiKey, control, request } = await server.createEnvironment();
  expect((await control("DELETE")).status).toBe(204);
  expect((await request("GET /v1/notifications")).status).toBe(401);
  expect((await control("DELETE")).status).toBe(404);
  expect((await server.control("POST /environments", { name, apiKey })).status).toBe(201);
});

describe("resetEnvironment", () => {
  const rows: [string, object, object, object][] = [
    ["to its seed", { seed: "empty" }, {}, { subscribers: 0, notifications: 0 }],
    ["to another seed", { seed: "empty" }, { seed: "demo" }, { subscribers: 25, notifications: 150 }],
    ["to a custom seed", {}, { data: createSmallSeed({ notifications: 7 }) }, { subscribers: 2, notifications: 7 }],
  ];
  test.each(rows)("%s", async (_title, creation, choice, counts) => {
    const mine = await server.createEnvironment(creation);
    await mine.control("POST /subscribers", { subscriberId: "new" });
    const response = await mine.control("POST /reset", choice);
    expect(response.body).toMatchObject({ name: mine.name, ...counts });
  });

  test("resets clock, faults, preferences and recorded responses; keeps name and key", async () => {
    const now = "2031-05-05T12:00:00.000Z";
    const mine = await server.createEnvironment({ now });
    const headers = { "idempotency-key": "once" };
    await mine.request(PREFERENCES, { ...EMAIL_OFF, headers });
    await mine.control("POST /clock/advance", { milliseconds: 5 });
    await mine.control("POST /faults", { status: 503 });
    const { body } = await mine.control("POST /reset", {});
    const { name, apiKey } = mine;
    expect(body).toMatchObject({ name, apiKey, faults: 0, clock: { mode: "frozen", now } });
    const again = await mine.request(PREFERENCES, { ...NOTHING, headers });
    expect([again.status, again.body.global.channels.email]).toEqual([200, true]);
    expect(again.headers.get("idempotency-replay")).toBeNull();
  });

  test("a rejected reset changes neither records, nor clock, nor faults", async () => {
    const frozen = { mode: "frozen", now: "2030-01-01T00:00:00.000Z" };
    const mine = await server.createEnvironment();
    await mine.control("PUT /clock", frozen);
    await mine.control("POST /faults", { status: 503 });
    await mine.control("POST /subscribers", { subscriberId: "new" });
    const before = (await mine.control("GET")).body;
    const seed = createSmallSeed();
    const late = seed.notifications.map((notification) => ({ ...notification, createdAt: "9999-12-31T23:59:59.999Z" }));
    for (const wrong of [{ notifications: late }, { colour: "red" }]) {
      expect((await mine.control("POST /reset", { data: { ...seed, ...wrong } })).status).toBe(422);
      const after = (await mine.control("GET")).body;
      expect(after).toEqual({ ...before, lastUsedAt: after.lastUsedAt });
    }
    expect(before).toMatchObject({ clock: frozen, faults: 1, subscribers: 26 });
  });
});

describe("the clock of an environment", () => {
  const DAY = 86_400_000;
  const frozen = { mode: "frozen", now: "2031-05-05T12:00:00.000Z" };
  test("can be frozen, advanced, run and reset, without effect on the default environment", async () => {
    const mine = await server.createEnvironment();
    expect((await mine.control("PUT /clock", frozen)).body).toEqual(frozen);
    expect((await mine.control("GET /clock")).body).toEqual(frozen);
    const later = await mine.control("POST /clock/advance", { milliseconds: DAY });
    expect(later.body).toEqual({ mode: "frozen", now: "2031-05-06T12:00:00.000Z" });
    const rejection = await mine.request("GET /v1/notifications?limit=0");
    expect(rejection.body.timestamp).toBe("2031-05-06T12:00:00.000Z");
    const running = await mine.control("PUT /clock", { mode: "running" });
    expect(running.body.mode).toBe("running");
    expect(Date.parse(running.body.now)).toBeCloseTo(Date.parse(later.body.now), -6);
    const reset = await mine.control("DELETE /clock");
    expect(Date.parse(reset.body.now)).toBeLessThan(Date.parse(frozen.now));
    const other = (await server.control("GET /environments/default/clock")).body;
    expect(Date.parse(other.now)).toBeLessThan(Date.parse(frozen.now));
  });

  const TOO_LATE = "9999-12-31T23:00:00-02:00"; // a year that RFC 3339 cannot write
  test.each([
    ["PUT /clock", { mode: "frozen", now: TOO_LATE }, "body.now"],
    ["POST /notifications", { subscriberId: "ines-moreau", createdAt: TOO_LATE }, "body.createdAt"],
  ])("%s %j is rejected", async (what, body, location) => {
    const response = await (await server.createEnvironment()).control(what, body);
    expect([response.status, Object.keys(response.body.errors)]).toEqual([422, [location]]);
  });

  test("it cannot be advanced beyond the year 8999", async () => {
    const mine = await server.createEnvironment();
    const advance = () => mine.control("POST /clock/advance", { milliseconds: 36_500 * DAY });
    await mine.control("PUT /clock", { mode: "running", now: "8850-01-01T00:00:00Z" });
    expect((await advance()).status).toBe(200);
    expect((await advance()).body.message).toBe("It must be in the years 1000 to 8999.");
    expect((await mine.request("GET /v1/notifications")).status).toBe(200);
  });

  test("the plan's window follows it", async () => {
    const server = await startControlled({ plan: "free" });
    const mine = await server.createEnvironment();
    const before = await mine.request("GET /v1/notifications");
    expect(before.body.data.length).toBeGreaterThan(0);
    await mine.control("POST /clock/advance", { milliseconds: 2 * DAY });
    expect((await mine.request("GET /v1/notifications")).body.data).toEqual([]);
    expect((await server.request(server.apiKey, "GET /v1/notifications")).body.data.length).toBeGreaterThan(0);
  });
});

describe("exportEnvironment", () => {
  test("a server with the seed has the same lists and preferences at the same time", async () => {
    const mine = await server.createEnvironment({ name: "full", now: "2031-05-05T12:00:00Z" });
    const removed = (await mine.request("GET /v1/notifications?limit=1")).body.data[0]._id;
    await mine.control(`DELETE /notifications/${removed}`);
    await mine.control("DELETE /subscribers/eleni-papadaki");
    await mine.control("POST /subscribers", { subscriberId: "new" });
    await mine.control("POST /workflows", { identifier: "welcome" });
    await mine.control("POST /clock/advance", { milliseconds: 3_600_000 });
    await mine.control("POST /notifications", { subscriberId: "new", workflow: "welcome" });
    await mine.request(PREFERENCES, { ...EMAIL_OFF, headers: { "idempotency-key": "once" } });
    const text = await (await fetch(`${server.url}/_control/environments/full/seed`)).text();
    const seed = JSON.parse(text);
    expect([seed.workflows.length, seed.subscribers.length, seed.notifications.length]).toEqual([16, 25, 150]);
    expect(seed).toMatchObject({ name: "full", asOf: "2031-05-05T13:00:00.000Z", recordedResponses: [] });
    expect(Object.keys(seed)).not.toContain("keyHash");
    expect(text.replaceAll("\t", "")).toBe(toEnvironmentText(seed)); // one record a line

    const path = join(await createTemporaryFolder(), "seed.json");
    await writeFile(path, text);
    const other = await startControlled({ seed: path, now: seed.asOf });
    for (const request of ["GET /v1/notifications?limit=50", "GET /v1/notifications?subscriberIds=new"]) {
      expect((await other.request("demo-key", request)).body).toEqual((await mine.request(request)).body);
    }
    for (const subscriberId of ["ines-moreau", "lucas-moreau", "new"]) {
      const target = `PATCH /v2/subscribers/${subscriberId}/preferences`;
      const shown = await other.request("demo-key", target, NOTHING);
      expect(shown.body).toEqual((await mine.request(target, NOTHING)).body);
    }
    const again = await other.control("GET /environments/default/seed");
    expect(again.body).toEqual({ ...seed, name: "default" });
  });

  test("the command `export` writes it to a file, or fails with the reason", async () => {
    const { url, control } = await startControlled({ controlKey: "secret", now: "2031-05-05T12:00:00Z" });
    const out = join(await createTemporaryFolder(), "default.json");
    const run = (...args: string[]) => createExportCommand().parseAsync(["--url", url, ...args], { from: "user" });
    await run("--control-key", "secret", "--out", out);
    const { body } = await control("GET /environments/default/seed", undefined, { authorization: "ControlKey secret" });
    expect(JSON.parse(await readFile(out, "utf8"))).toEqual(body);
    await expect(run()).rejects.toThrow(`Cannot export from ${url}: `);
    const message = "/ cannot be written: EISDIR: illegal operation on a directory, open '/'. Name another file.";
    await expect(run("--control-key", "secret", "--out", "/")).rejects.toThrow(message);
  });
});

describe("records", () => {
  let mine: IsolatedEnvironment;
  beforeEach(async () => {
    mine = await server.createEnvironment({ seed: "empty" });
  });

  test("few fields create complete records, which the API shows", async () => {
    const workflow = { identifier: "big-sale", channels: ["email", "push"], tags: ["sales"], critical: true };
    const addition = await mine.control("POST /workflows", workflow);
    expect(addition.body).toMatchObject({ name: "Big Sale", critical: true, tags: ["sales"] });
    const person = await mine.control("POST /subscribers", { subscriberId: "sam-rivera" });
    expect(person.body).toMatchObject({ firstName: "Sam", lastName: "Rivera", email: "sam.rivera@example.com" });
    const failing = { subscriberId: "sam-rivera", topics: ["vip"], outcome: "failed", count: 3 };
    const { notifications } = (await mine.control("POST /notifications", failing)).body;
    const { data } = (await mine.request("GET /v1/notifications?topicKey=vip&search=sam-rivera")).body;
    const idsOf = (records: { _id: string }[]) => records.map(({ _id }) => _id);
    expect(idsOf(data)).toEqual(idsOf(notifications));
    const toJob = (providerId: string) => ({
      status: "failed",
      executionDetails: [{ detail: "Step created" }, { providerId, status: "Failed" }],
    });
    const shown = { template: { name: "Big Sale" }, channels: ["email", "push"], critical: true };
    expect(data[0]).toMatchObject({ ...shown, jobs: [toJob("sendgrid"), toJob("fcm")] });
  });

  test("an open digest: its job is delayed, the following jobs are pending", async () => {
    await mine.control("POST /workflows", { identifier: "sale", channels: ["email"] });
    await mine.control("POST /subscribers", { subscriberId: "ada" });
    await mine.control("POST /notifications", { subscriberId: "ada", outcome: "digest", topics: [] });
    const { data } = (await mine.request("GET /v1/notifications")).body;
    expect(data[0].channels).toEqual(["digest", "email"]);
    expect(data[0]).not.toHaveProperty("topics");
    const jobs = data[0].jobs.map(({ type, status }: { type: string; status: string }) => `${type} ${status}`);
    expect(jobs).toEqual(["digest delayed", "email pending"]);
  });

  test("an identifier that is the _id or a slug of another workflow is a conflict", async () => {
    const { body } = await mine.control("POST /workflows", { identifier: "sale" });
    for (const identifier of [body._id, `other${formatWorkflowSlug({ _id: body._id, name: "Sale" }).slice(4)}`]) {
      const { status } = await mine.control("POST /workflows", { identifier });
      expect([identifier, status]).toEqual([identifier, 409]);
    }
  });

  test("listSubscribers searches ids, names and addresses, and pages", async () => {
    const search = await server.control("GET /environments/default/subscribers?search=NES.MOREAU");
    expect(search.body).toMatchObject({ page: 0, total: 1, subscribers: [{ subscriberId: "ines-moreau" }] });
    const second = await server.control("GET /environments/default/subscribers?page=2&limit=10");
    expect([second.body.total, second.body.subscribers.length]).toEqual([25, 5]);
  });
});
