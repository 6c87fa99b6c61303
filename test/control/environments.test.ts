import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createExportCommand } from "../../src/cli/export.js";
import { toWorkflowSlug } from "../../src/domain/workflow-slug.js";
import { toEnvironmentText } from "../../src/store/format/environment-text.js";
import { type Controlled, startControlled } from "../support/controlled.js";
import { createSmallSeed } from "../support/small-seed.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const PREFERENCES = "PATCH /v2/subscribers/ines-moreau/preferences";
const NOTHING = { body: JSON.stringify({ channels: {} }) };
const EMAIL_OFF = { body: JSON.stringify({ channels: { email: false } }) };

const changes: [title: string, what: string, body: object][] = [
  ["records", "POST /environments/default/notifications", { subscriberId: "ines-moreau" }],
  ["faults", "POST /environments/default/faults", { status: 503 }],
  ["the clock", "POST /environments/default/clock/advance", { milliseconds: 1 }],
  ["the list itself", "POST /environments", {}],
  ["the list, by a deletion", "DELETE /environments/other", {}],
];

test.each(changes)("whoever waits for a change of %s gets the list at once, with another version", async (...row) => {
  const [, what, body] = row;
  const server = await startControlled();
  await server.control("POST /environments", { name: "other" });
  const { version, environments } = (await server.control("GET /environments")).body;
  const same = (await server.control(`GET /environments?version=${version}&waitMs=60`)).body;
  expect(same.version).toBe(version);
  const waiting = server.control(`GET /environments?version=${version}&waitMs=30000`);
  await server.control(what, body);
  const change = (await waiting).body;
  expect(change.version).not.toBe(version);
  const isOfRecords = what.endsWith("/notifications");
  expect(change.environments[0].revision - environments[0].revision).toBe(isOfRecords ? 1 : 0);
});

describe("createEnvironment", () => {
  test("from nothing: a name and a key are made up, and the key opens the server's own seed", async () => {
    const server = await startControlled();
    const { status, body } = await server.control("POST /environments", {});
    expect(status).toBe(201);
    expect(body).toMatchObject({ durable: false, clock: { mode: "running" }, subscribers: 25, notifications: 150 });
    expect((await server.request(body.apiKey, "GET /v1/notifications")).body.data).toHaveLength(10);
  });

  test("with everything: name, key, seed, and a clock that stands where the seed's present is", async () => {
    const server = await startControlled();
    const now = "2031-05-05T12:00:00.000Z";
    const request = { name: "mine", apiKey: "my-key", seed: "demo", now };
    const { body } = await server.control("POST /environments", request);
    expect(body).toMatchObject({ name: "mine", apiKey: "my-key", clock: { mode: "frozen", now } });
    const page = await server.request("my-key", "GET /v1/notifications?limit=1");
    expect(Date.parse(now) - Date.parse(page.body.data[0].createdAt)).toBeLessThan(120_000);
    expect((await server.control("GET /environments/mine")).body).toEqual(body);
  });

  test("from a seed of one's own", async () => {
    const server = await startControlled();
    const { body } = await server.control("POST /environments", { data: createSmallSeed({ subscribers: 3 }) });
    expect(body).toMatchObject({ subscribers: 3, workflows: 1, notifications: 3 });
    const response = await server.request(body.apiKey, "PATCH /v2/subscribers/subscriber-3/preferences", NOTHING);
    expect(response.status).toBe(200);
  });

  const rejections: [string, object, number, string, string?][] = [
    ["a name that is taken", { name: "default" }, 409, "Environment default already exists."],
    ["a key that is taken", { name: "new", apiKey: "demo-key" }, 409, "The key of new opens another environment."],
    ["a name that no file may have", { name: "../new" }, 422, "body.name must match pattern", "body.name"],
    ["an unknown member", { nme: "new" }, 422, "body.nme is unknown; expected one of name, apiKey", "body.nme"],
    ["an unknown member that is almost one", { nme: "new" }, 422, ". Did you mean body.name?", "body.nme"],
    ["an unknown seed", { seed: "nope" }, 422, "Unknown seed nope; expected one of demo, empty.", "body.seed"],
    ["a file as a seed", { seed: "/etc/passwd" }, 422, "Unknown seed /etc/passwd", "body.seed"],
    ["a seed and data", { seed: "demo", data: {} }, 422, "Give either seed or data, not both.", "body.data"],
    ["data that are no seed", { data: {} }, 422, "The seed:1: not an environment", "body.data"],
    [
      "data with a wrong record",
      { data: { ...createSmallSeed(), workflows: [{}] } },
      422,
      "environment.workflows.0",
      "body.data",
    ],
    [
      "data whose times would leave the years 0 to 9999",
      { data: { ...createSmallSeed(), asOf: "1000-01-01T00:00:00.000Z" }, now: "8999-01-01T00:00:00Z" },
      422,
      "would leave the years 0 to 9999",
      "body.data",
    ],
    ["an instant that is none", { now: "yesterday" }, 422, 'body.now must match format "date-time"', "body.now"],
    ["a durable one without a folder", { durable: true }, 422, "it runs with --ephemeral", "body.durable"],
  ];
  test.each(rejections)("%s is rejected", async (_title, body, status, message, location) => {
    const server = await startControlled();
    const response = await server.control("POST /environments", body);
    expect(response.status).toBe(status);
    expect(response.body.message).toContain(message);
    if (location) expect(Object.keys(response.body.errors)).toEqual([location]);
    expect((await server.control("GET /environments")).body.environments).toHaveLength(1);
  });

  test("40 at once do not see each other", async () => {
    const server = await startControlled();
    const created = await Promise.all(Array.from({ length: 40 }, () => server.control("POST /environments", {})));
    const keys = created.map(({ body }) => body.apiKey as string);
    await Promise.all(
      keys.filter((_, index) => index % 2 === 0).map((key) => server.request(key, PREFERENCES, EMAIL_OFF)),
    );
    const emails = await Promise.all(
      keys.map(async (key) => (await server.request(key, PREFERENCES, NOTHING)).body.global.channels.email),
    );
    expect(emails).toEqual(keys.map((_, index) => index % 2 === 1));
  });
});

describe("durable environments", () => {
  test("outlive the server; their key is known to no one but who created them", async () => {
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
});

describe("deleteEnvironment", () => {
  test("its key opens nothing any more; name and key are free again", async () => {
    const server = await startControlled();
    await server.control("POST /environments", { name: "mine", apiKey: "my-key" });
    expect((await server.control("DELETE /environments/mine")).status).toBe(204);
    expect((await server.request("my-key", "GET /v1/notifications")).status).toBe(401);
    expect((await server.control("DELETE /environments/mine")).status).toBe(404);
    expect((await server.control("POST /environments", { name: "mine", apiKey: "my-key" })).status).toBe(201);
  });
  test("the default one stays", async () => {
    const server = await startControlled();
    expect((await server.control("DELETE /environments/default")).status).toBe(409);
    expect((await server.request(server.apiKey, "GET /v1/notifications")).status).toBe(200);
  });
});

describe("resetEnvironment", () => {
  const rows: [string, string, object, object, object][] = [
    ["the default one: to the server's seed", "default", {}, {}, { subscribers: 25, notifications: 150 }],
    ["to what it was made from", "mine", { seed: "empty" }, {}, { subscribers: 0, notifications: 0 }],
    ["to another seed", "mine", { seed: "empty" }, { seed: "demo" }, { subscribers: 25, notifications: 150 }],
    [
      "to a seed of one's own",
      "mine",
      {},
      { data: createSmallSeed({ notifications: 7 }) },
      { subscribers: 2, notifications: 7 },
    ],
  ];
  test.each(rows)("%s", async (_title, name, creation, choice, counts) => {
    const server = await startControlled();
    if (name !== "default") await server.control("POST /environments", { name, ...creation });
    await server.control(`POST /environments/${name}/subscribers`, { subscriberId: "new" });
    const response = await server.control(`POST /environments/${name}/reset`, choice);
    expect(response.body).toMatchObject({ name, ...counts });
  });

  test("clock, faults, preferences and recorded responses go with it; name and key stay", async () => {
    const server = await startControlled();
    const now = "2031-05-05T12:00:00.000Z";
    await server.control("POST /environments", { name: "mine", apiKey: "my-key", now });
    const update = { ...EMAIL_OFF, headers: { "idempotency-key": "once" } };
    await server.request("my-key", PREFERENCES, update);
    await server.control("POST /environments/mine/clock/advance", { milliseconds: 5 });
    await server.control("POST /environments/mine/faults", { status: 503 });
    const { body } = await server.control("POST /environments/mine/reset", {});
    expect(body).toMatchObject({ name: "mine", apiKey: "my-key", faults: 0, clock: { mode: "frozen", now } });
    const again = await server.request("my-key", PREFERENCES, { ...NOTHING, headers: { "idempotency-key": "once" } });
    expect([again.status, again.body.global.channels.email]).toEqual([200, true]);
    expect(again.headers.get("idempotency-replay")).toBeNull();
  });
});

test("a reset that is rejected changes nothing: neither records, nor clock, nor faults", async () => {
  const server = await startControlled();
  const frozen = { mode: "frozen", now: "2030-01-01T00:00:00.000Z" };
  await server.control("POST /environments", { name: "mine" });
  await server.control("PUT /environments/mine/clock", frozen);
  await server.control("POST /environments/mine/faults", { status: 503 });
  await server.control("POST /environments/mine/subscribers", { subscriberId: "new" });
  const before = (await server.control("GET /environments/mine")).body;
  const seed = createSmallSeed();
  const late = seed.notifications.map((notification) => ({ ...notification, createdAt: "9999-12-31T23:59:59.999Z" }));
  for (const data of [
    { ...seed, notifications: late },
    { ...seed, colour: "red" },
  ]) {
    expect((await server.control("POST /environments/mine/reset", { data })).status).toBe(422);
    expect((await server.control("GET /environments/mine")).body).toEqual(before);
  }
  expect(before).toMatchObject({ clock: frozen, faults: 1, subscribers: 26 });
});

describe("exportEnvironment", () => {
  test("a server with that seed has the same lists and preferences, at the same time", async () => {
    const server = await startControlled();
    await server.control("POST /environments", { name: "mine", apiKey: "my-key", now: "2031-05-05T12:00:00Z" });
    await server.control("POST /environments/mine/subscribers", { subscriberId: "new" });
    await server.control("POST /environments/mine/workflows", { identifier: "welcome" });
    await server.control("POST /environments/mine/clock/advance", { milliseconds: 3_600_000 });
    await server.control("POST /environments/mine/notifications", { subscriberId: "new", workflow: "welcome" });
    await server.request("my-key", PREFERENCES, { ...EMAIL_OFF, headers: { "idempotency-key": "once" } });
    const text = await (await fetch(`${server.url}/_control/environments/mine/seed`)).text();
    const seed = JSON.parse(text);
    expect(seed).toMatchObject({ name: "mine", asOf: "2031-05-05T13:00:00.000Z", recordedResponses: [] });
    expect(Object.keys(seed)).not.toContain("keyHash");
    expect(text.replaceAll("\t", "")).toBe(toEnvironmentText(seed)); // one record a line

    const path = join(await createTemporaryFolder(), "mine.json");
    await writeFile(path, text);
    const other = await startControlled({ seed: path, now: seed.asOf });
    for (const request of ["GET /v1/notifications?limit=50", "GET /v1/notifications?subscriberIds=new"]) {
      expect((await other.request("demo-key", request)).body).toEqual((await server.request("my-key", request)).body);
    }
    for (const { subscriberId } of seed.subscribers) {
      const target = `PATCH /v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`;
      expect((await other.request("demo-key", target, NOTHING)).body).toEqual(
        (await server.request("my-key", target, NOTHING)).body,
      );
    }
    const again = await other.control("GET /environments/default/seed");
    expect(again.body).toEqual({ ...seed, name: "default" });
  });

  test("of an environment that does not exist: 404", async () => {
    const server = await startControlled();
    expect((await server.control("GET /environments/none/seed")).status).toBe(404);
  });

  test("the command `export` writes it to a file, or says why it cannot", async () => {
    const { url, control } = await startControlled({ controlKey: "secret", now: "2031-05-05T12:00:00Z" });
    const out = join(await createTemporaryFolder(), "default.json");
    const run = (...args: string[]) => createExportCommand().parseAsync(["--url", url, ...args], { from: "user" });
    await run("--control-key", "secret", "--out", out);
    const { body } = await control("GET /environments/default/seed", undefined, { authorization: "ControlKey secret" });
    expect(JSON.parse(await readFile(out, "utf8"))).toEqual(body);
    const errors: [string[], string][] = [
      [["none", "--control-key", "secret"], `Nothing exported from ${url}: There is no environment none.`],
      [[], `Nothing exported from ${url}: `],
      [["--control-key", "secret", "--out", "/"], "/ cannot be written: EISDIR"],
      [["--url", "http://127.0.0.1:1"], "Nothing exported from http://127.0.0.1:1: "],
    ];
    for (const [args, message] of errors) {
      const error = await run(...args).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: "ConfigError", message: expect.stringContaining(message) });
    }
  });
});

describe("snapshots", () => {
  test("an environment is put back to what it was, as often as wanted; others and the key stay", async () => {
    const server = await startControlled();
    await server.control("POST /environments", { name: "mine", apiKey: "my-key" });
    const email = async () => (await server.request("my-key", PREFERENCES, NOTHING)).body.global.channels.email;
    await server.control("PUT /environments/mine/snapshots/before");
    for (let round = 0; round < 2; round += 1) {
      await server.request("my-key", PREFERENCES, EMAIL_OFF);
      await server.control("POST /environments/mine/subscribers", { subscriberId: "new" });
      expect(await email()).toBe(false);
      const restored = await server.control("POST /environments/mine/snapshots/before/restore");
      expect(restored.body).toMatchObject({ name: "mine", apiKey: "my-key", subscribers: 25 });
      expect(await email()).toBe(true);
    }
    expect((await server.control("GET /environments/mine/snapshots")).body.snapshots).toMatchObject([
      { name: "before" },
    ]);
    expect((await server.control("DELETE /environments/mine/snapshots/before")).status).toBe(204);
    expect((await server.control("POST /environments/mine/snapshots/before/restore")).status).toBe(404);
    expect((await server.control("DELETE /environments/mine/snapshots/before")).status).toBe(404);
  });
});

describe("records", () => {
  const withEnvironment = async (run: (server: Controlled) => Promise<void>) => {
    const server = await startControlled();
    await server.control("POST /environments", { name: "mine", apiKey: "my-key", seed: "empty" });
    await run(server);
  };

  test("few fields make whole records, which the API then shows", () =>
    withEnvironment(async (server) => {
      const workflow = { identifier: "big-sale", channels: ["email", "push"], tags: ["sales"], critical: true };
      const addition = await server.control("POST /environments/mine/workflows", workflow);
      expect(addition.body).toMatchObject({ name: "Big Sale", critical: true, tags: ["sales"] });
      const person = await server.control("POST /environments/mine/subscribers", { subscriberId: "ada-lovelace" });
      expect(person.body).toMatchObject({ firstName: "Ada", lastName: "Lovelace", email: "ada.lovelace@example.com" });
      const notifications = await server.control("POST /environments/mine/notifications", {
        subscriberId: "ada-lovelace",
        topics: ["vip"],
        outcome: "failed",
        count: 3,
      });
      const page = await server.request("my-key", "GET /v1/notifications?topicKey=vip&search=ada-lovelace");
      expect(page.body.data.map(({ _id }: { _id: string }) => _id)).toEqual(
        notifications.body.notifications.map(({ _id }: { _id: string }) => _id),
      );
      expect(page.body.data[0]).toMatchObject({
        template: { name: "Big Sale" },
        channels: ["email", "push"],
        critical: true,
        jobs: [
          {
            status: "failed",
            executionDetails: [{ detail: "Step created" }, { providerId: "sendgrid", status: "Failed" }],
          },
          { status: "failed", executionDetails: [{ detail: "Step created" }, { providerId: "fcm", status: "Failed" }] },
        ],
      });
    }));

  test("an open digest: its job is delayed, and the jobs behind it are pending", () =>
    withEnvironment(async (server) => {
      await server.control("POST /environments/mine/workflows", { identifier: "sale", channels: ["email"] });
      await server.control("POST /environments/mine/subscribers", { subscriberId: "ada" });
      await server.control("POST /environments/mine/notifications", { subscriberId: "ada", outcome: "digest" });
      const { data } = (await server.request("my-key", "GET /v1/notifications")).body;
      expect(data[0].channels).toEqual(["digest", "email"]);
      expect(data[0].jobs).toMatchObject([
        { type: "digest", status: "delayed" },
        { type: "email", status: "pending" },
      ]);
    }));

  test("a workflow whose identifier looks like a slug can be addressed", () =>
    withEnvironment(async (server) => {
      const identifier = "resource_wf_0000000000000000";
      await server.control("POST /environments/mine/workflows", { identifier });
      await server.control("POST /environments/mine/subscribers", { subscriberId: "ada" });
      const body = JSON.stringify({ channels: { email: false }, workflowId: identifier });
      const response = await server.request("my-key", "PATCH /v2/subscribers/ada/preferences", { body });
      expect(response.body.workflows).toMatchObject([{ channels: { email: false }, workflow: { identifier } }]);
    }));

  test("an identifier that is the _id or a slug of another workflow is taken", () =>
    withEnvironment(async (server) => {
      const { body } = await server.control("POST /environments/mine/workflows", { identifier: "sale" });
      for (const identifier of [body._id, `other${toWorkflowSlug({ _id: body._id, name: "Sale" }).slice(4)}`]) {
        const { status } = await server.control("POST /environments/mine/workflows", { identifier });
        expect([identifier, status]).toEqual([identifier, 409]);
      }
    }));

  test("null leaves a member of a subscriber out", () =>
    withEnvironment(async (server) => {
      const person = { subscriberId: "ada", email: null, firstName: null };
      const { body } = await server.control("POST /environments/mine/subscribers", person);
      expect(Object.keys(body)).toEqual(["_id", "subscriberId"]);
    }));

  test("what is removed is gone, and gone is 404", () =>
    withEnvironment(async (server) => {
      await server.control("POST /environments/mine/workflows", { identifier: "sale" });
      await server.control("POST /environments/mine/subscribers", { subscriberId: "ada" });
      const { body } = await server.control("POST /environments/mine/notifications", { subscriberId: "ada" });
      const paths = [`notifications/${body.notifications[0]._id}`, "subscribers/ada", "workflows/sale"];
      for (const path of paths) {
        expect((await server.control(`DELETE /environments/mine/${path}`)).status).toBe(204);
        expect((await server.control(`DELETE /environments/mine/${path}`)).status).toBe(404);
      }
      const now = await server.control("GET /environments/mine");
      expect(now.body).toMatchObject({ workflows: 0, subscribers: 0, notifications: 0 });
    }));

  const rejections: [string, string, object, number, string][] = [
    ["a subscriber twice", "subscribers", { subscriberId: "ada" }, 409, "Subscriber ada already exists"],
    ["a workflow twice", "workflows", { identifier: "sale" }, 409, "Workflow sale already exists"],
    [
      "an unknown channel",
      "workflows",
      { identifier: "x", channels: ["fax"] },
      422,
      "body.channels.0 must be equal to",
    ],
    ["no subscriber", "notifications", { subscriberId: "eve" }, 422, "There is no subscriber eve."],
    ["no workflow", "notifications", { subscriberId: "ada", workflow: "x" }, 422, "There is no workflow x."],
  ];
  test.each(rejections)("%s is rejected", (_title, records, body, status, message) =>
    withEnvironment(async (server) => {
      await server.control("POST /environments/mine/workflows", { identifier: "sale" });
      await server.control("POST /environments/mine/subscribers", { subscriberId: "ada" });
      const response = await server.control(`POST /environments/mine/${records}`, body);
      expect([response.status, response.body.message]).toEqual([status, expect.stringContaining(message)]);
      const now = await server.control("GET /environments/mine");
      expect(now.body).toMatchObject({ workflows: 1, subscribers: 1, notifications: 0 });
    }),
  );

  test("listSubscribers searches ids, names and addresses, and pages", async () => {
    const server = await startControlled();
    const search = await server.control("GET /environments/default/subscribers?search=NES.MOREAU");
    expect(search.body).toMatchObject({ page: 0, total: 1, subscribers: [{ subscriberId: "ines-moreau" }] });
    const second = await server.control("GET /environments/default/subscribers?page=2&limit=10");
    expect([second.body.total, second.body.subscribers.length]).toEqual([25, 5]);
  });
});
