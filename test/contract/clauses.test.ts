// Each clause of the document, with a request that shows it.
import { beforeEach, describe, expect, test } from "vitest";
import { CLAUSE_TITLES, clauseIdOf } from "../../src/pages/docs/source-document.js";
import { API_KEY, createReference, type TestResponse } from "../support/reference.js";

const PREFERENCES = "/v2/subscribers/ines-moreau/preferences";
const LIST = "/v1/notifications";

const reference = await createReference();
beforeEach(async () => {
  reference.clock.set(reference.seed.asOf);
  await reference.reset();
});

const update = (body: unknown, url = PREFERENCES) => reference.send({ method: "PATCH", url, body });
const updateOnce = (key: string, body: unknown) =>
  reference.send({ method: "PATCH", url: PREFERENCES, body, headers: { "idempotency-key": key } });
const list = (query = "") => reference.send({ url: `${LIST}?${query}` });
const statusOf = async (response: Promise<TestResponse>) => (await response).status;
const entryOf = ({ body }: TestResponse, identifier: string) =>
  body.workflows.find((entry: { workflow: { identifier: string } }) => entry.workflow.identifier === identifier);
const firstEntry = async () => (await update({ channels: {} })).body.workflows[0];

/** A filter selects some records, and a single value is a list of one. */
const showList = (name: string, value: string, otherValue: string) => async () => {
  const total = async (query: string) => (await list(`limit=50&${query}`)).body.data.length;
  const [first, second] = [await total(`${name}=${value}`), await total(`${name}=${otherValue}`)];
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(50);
  expect(await total(`${name}=${value}&${name}=${otherValue}`)).toBe(first + second);
};
const showText = (name: string, value: string) => async () => {
  const { body } = await list(`${name}=${encodeURIComponent(value)}&limit=50`);
  expect(body.data.length).toBeGreaterThan(0);
  expect(body.data.length).toBeLessThan(50);
  expect(await statusOf(list(`${name}=a&${name}=b`)), "a string, not a list").toBe(422);
};

const ROWS: Record<string, () => Promise<void>> = {
  "§1.1": async () => {
    for (const response of [await list(), await update({ channels: {} }), await list("limit=0")]) {
      expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    }
  },
  "§1.2": async () => expect(await statusOf(update({ channels: { email: false } }))).toBe(200),
  "§1.3": async () => expect((await list("limit=3")).body.data).toHaveLength(3),
  "§1.4": async () => {
    const ids = reference.contract.operations.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["updatePreferences", "listNotifications"]));
    expect(await statusOf(reference.send({ url: "/v1/subscribers" }))).toBe(404);
  },
  "§2.1": async () => {
    for (const channel of ["email", "sms", "in_app", "push", "chat"]) {
      expect((await update({ channels: { [channel]: false } })).body.global.channels[channel]).toBe(false);
      expect(await statusOf(update({ channels: { [channel]: "false" } }))).toBe(422);
    }
  },
  "§2.2 global": async () => {
    const { global } = (await update({ channels: { chat: false } })).body;
    expect(global).toEqual({
      enabled: true,
      channels: { email: true, sms: true, in_app: true, chat: false, push: true },
    });
  },
  "§2.2 workflows": async () => expect((await update({ channels: {} })).body.workflows).toHaveLength(12),
  "§2.2 workflows[].enabled": async () => expect((await firstEntry()).enabled).toBe(true),
  "§2.2 workflows[].channels": async () =>
    expect((await firstEntry()).channels).toEqual({ email: true, in_app: true, push: true }),
  "§2.2 workflows[].overrides": async () =>
    expect((await firstEntry()).overrides).toContainEqual({ channel: "in_app", source: "subscriber" }),
  "§2.2 workflows[].workflow": async () =>
    expect((await firstEntry()).workflow).toMatchObject({
      slug: "comment-mention_wf_fPKLJHzjJkkYlbIf",
      identifier: "comment-mention",
      name: "Comment Mention",
    }),
  "§2.2 workflows[].workflow.updatedAt": async () => {
    const { updatedAt } = (await firstEntry()).workflow;
    expect(new Date(updatedAt).toISOString()).toBe(updatedAt);
    await update({ channels: { email: false }, workflowId: "comment-mention" });
    expect((await firstEntry()).workflow.updatedAt).toBe(updatedAt);
  },
  "§2.2 override values": async () => {
    const { body } = await update({ channels: {} });
    const overrides = body.workflows.flatMap((entry: { overrides: object[] }) => entry.overrides);
    const channels = new Set(overrides.map(({ channel }: { channel: string }) => channel));
    expect(channels).toEqual(new Set(["in_app", "sms", "email", "push", "chat"]));
    expect(new Set(overrides.map(({ source }: { source: string }) => source))).toEqual(new Set(["subscriber"]));
  },
  "§2.3": async () => {
    const [record] = (await list("transactionId=deploy-2026-10-30-2")).body.data;
    expect(Object.keys(record)).toEqual(
      expect.arrayContaining(["_id", "_subscriberId", "transactionId", "subscriber", "template", "jobs", "topics"]),
    );
  },
  "§3": async () => {
    const { body } = await list("limit=50");
    const statuses = body.data.flatMap(({ jobs = [] }) => jobs.map(({ status }: { status: string }) => status));
    expect(new Set(statuses).size, "free text, of many kinds").toBeGreaterThan(3);
  },
  "§4 idempotency-key": async () => {
    const headers = { "idempotency-key": "clause" };
    const patch = await updateOnce("clause", { channels: {} });
    const get = await reference.send({ url: LIST, headers });
    expect([patch.headers["idempotency-key"], get.headers["idempotency-key"]]).toEqual(["clause", undefined]);
    expect([patch.status, get.status]).toEqual([200, 200]);
  },
  "§4.1 method": async () => {
    const { findOperation } = reference.contract;
    for (const method of ["GET", "POST", "PUT", "DELETE"].filter((name) => !findOperation(name, PREFERENCES))) {
      expect(await statusOf(reference.send({ method, url: PREFERENCES }))).toBe(405);
    }
  },
  "§4.1 subscriberId": async () => {
    expect(await statusOf(update({ channels: {} }, "/v2/subscribers/crew%2Fnight%20shift/preferences"))).toBe(200);
    expect(await statusOf(update({ channels: {} }, "/v2/subscribers//preferences"))).toBe(404);
  },
  "§4.1 idempotency-key": async () => {
    const send = (email: boolean) => updateOnce("clause", { channels: { email } });
    const first = await send(false);
    const second = await send(false);
    expect([second.body, second.headers["idempotency-replay"]]).toEqual([first.body, "true"]);
    expect(await statusOf(send(true))).toBe(422);
  },
  "§4.1 Content-Type": async () => {
    const request = { method: "PATCH", url: PREFERENCES, rawBody: '{"channels":{}}' };
    const send = (type: string) => statusOf(reference.send({ ...request, headers: { "content-type": type } }));
    expect([await send("application/json"), await send("text/plain")]).toEqual([200, 415]);
  },
  "§4.1 channels": async () => {
    const { status, body } = await update({ workflowId: "comment-mention" });
    expect([status, Object.keys(body.errors)]).toEqual([422, ["body.channels"]]);
    expect(await statusOf(update({ channels: "email" }))).toBe(422);
  },
  "§4.1 workflowId": async () => {
    for (const workflowId of ["66e0f1a20c4b3d5e6f708101", "comment-mention", "comment-mention_wf_fPKLJHzjJkkYlbIf"]) {
      await reference.reset();
      const response = await update({ channels: { email: false }, workflowId });
      expect(entryOf(response, "comment-mention").channels.email).toBe(false);
    }
    expect(await statusOf(update({ channels: {}, workflowId: 1 }))).toBe(422);
  },
  "§4.1 rule 1": async () => {
    const response = await update({ channels: { email: false }, workflowId: "task-assigned" });
    expect(entryOf(response, "task-assigned").channels.email).toBe(false);
    expect(entryOf(response, "comment-mention").channels.email).toBe(true);
    expect(response.body.global.channels.email).toBe(true);
  },
  "§4.1 rule 2": async () => {
    const response = await update({ channels: { email: false } });
    expect(response.body.global.channels.email).toBe(false);
    expect(entryOf(response, "comment-mention").channels.email).toBe(false);
  },
  "§4.1 rule 3": async () => {
    const { status, body } = await update({ channels: {} });
    expect([status, Object.keys(body)]).toEqual([200, ["global", "workflows"]]);
  },
  "§4.1 rule 4": async () => {
    await update({ channels: { email: false } });
    const { channels } = (await update({ channels: { sms: false } })).body.global;
    expect(channels).toMatchObject({ email: false, sms: false });
  },
  "§4.2 method": async () => expect(await statusOf(reference.send({ method: "POST", url: LIST }))).toBe(405),
  "§4.2 channels": async () => {
    const { body } = await list("channels=sms&limit=50");
    expect(body.data.length).toBeGreaterThan(0);
    for (const { channels } of body.data) expect(channels).toContain("sms");
  },
  "§4.2 templates": showList("templates", "66e0f1a20c4b3d5e6f708101", "66fcf2f40c4b3d5e6f708103"),
  "§4.2 emails": showList("emails", "ines.moreau@example.com", "eleni@example.org"),
  "§4.2 search": async () => {
    const [search] = reference.contract.operations.flatMap(({ parameters }) =>
      parameters.filter((p) => p.name === "search"),
    );
    expect(search).toMatchObject({ isDeprecated: true });
    expect((await list("search=moreau&limit=50")).body.data).toHaveLength(42);
  },
  "§4.2 subscriberIds": showList("subscriberIds", "ines-moreau", "10482"),
  "§4.2 page": async () => {
    expect((await list("page=0")).body).toEqual((await list()).body);
    expect(await statusOf(list("page=-1"))).toBe(422);
  },
  "§4.2 limit": async () => {
    expect((await list()).body.data).toHaveLength(10);
    expect((await list("limit=1")).body.data).toHaveLength(1);
    expect((await list("limit=50")).body.data).toHaveLength(50);
    expect([await statusOf(list("limit=0")), await statusOf(list("limit=51"))]).toEqual([422, 422]);
  },
  "§4.2 transactionId": showText("transactionId", "deploy-2026-10-30-2"),
  "§4.2 topicKey": showText("topicKey", "project:lighthouse"),
  "§4.2 after": async () => {
    const [first] = (await list("limit=1&page=20")).body.data;
    const { body } = await list(`limit=50&after=${first.createdAt}`);
    expect(body.data).toHaveLength(20);
  },
  "§4.2 before": async () => {
    const [first, second] = (await list("limit=2")).body.data;
    expect((await list(`limit=1&before=${first.createdAt}`)).body.data).toEqual([second]);
    reference.clock.set(first.createdAt);
    expect((await list("limit=1")).body.data, "by default nothing from the present on").toEqual([second]);
  },
  "§4.2 values": async () => {
    expect(await statusOf(list("channels=fax"))).toBe(422);
    expect(await statusOf(list("after=2026-11-01T00:00:00+01:00"))).toBe(200);
    expect(await statusOf(list("after=1 November"))).toBe(422);
  },
  "§4.2 response": async () =>
    expect(Object.keys((await list()).body)).toEqual(["page", "pageSize", "hasMore", "data"]),
  "§5.1": async () => {
    const headers = { authorization: null };
    expect(await statusOf(reference.send({ url: LIST, headers }))).toBe(401);
    expect(await statusOf(reference.send({ method: "PATCH", url: PREFERENCES, headers }))).toBe(401);
  },
  "§5.2": async () => {
    const send = (authorization: string) => statusOf(reference.send({ url: LIST, headers: { authorization } }));
    expect([await send(`ApiKey ${API_KEY}`), await send(`Bearer ${API_KEY}`), await send(API_KEY)]).toEqual([
      200, 401, 401,
    ]);
  },
  "§5.3": async () => {
    const url = `${LIST}?authorization=ApiKey%20${API_KEY}`;
    expect(await statusOf(reference.send({ url, headers: { authorization: null, "x-api-key": API_KEY } }))).toBe(401);
  },
  "§6": async () => {
    expect(reference.contract.document).not.toHaveProperty("webhooks");
    expect(JSON.stringify(reference.contract.document.paths)).not.toContain('"callbacks"');
  },
  "§7": async () => {
    const { body } = await list("limit=0");
    expect(Object.keys(body)).toEqual(["statusCode", "timestamp", "path", "message", "ctx", "errors"]);
  },
  "§8 limit": async () => expect((await list()).body.pageSize).toBe(10),
  "§8 page": async () => expect((await list()).body.page).toBe(0),
  "§8 after": async () => {
    const free = await createReference({ plan: "free" });
    const { body } = await free.send({ url: `${LIST}?limit=50` });
    const dates = body.data.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(dates.length).toBeGreaterThan(0);
    expect(dates.every((date: string) => date > "2026-11-01T09:00:00.000Z")).toBe(true);
    expect(await statusOf(free.send({ url: `${LIST}?after=2026-10-01T00:00:00Z` }))).toBe(402);
  },
  "§8 rate limits": async () => {
    expect((await list()).headers["ratelimit-limit"], "the server has none").toBeUndefined();
    const send = () => updateOnce("kept", { channels: {} });
    await send();
    reference.clock.set("2026-11-03T08:59:59.999Z");
    expect((await send()).headers["idempotency-replay"], "kept for 24 hours").toBe("true");
    reference.clock.set("2026-11-03T09:00:00.000Z");
    expect((await send()).headers["idempotency-replay"]).toBeUndefined();
  },
  "§9.1": async () => expect(await statusOf(update({ channels: {} }, PREFERENCES.replace("/v2", "/v1")))).toBe(404),
  "§9.2": async () => expect(await statusOf(reference.send({ url: LIST.replace("/v1", "/v2") }))).toBe(404),
  "§9.3": async () => expect(reference.contract.document.info.version).toMatch(/^\d+\.\d+\.\d+$/),
};

describe("the document", () => {
  test.each(Object.entries(ROWS))("%s", async (_clause, show) => {
    await show();
  });

  test("every section of the document is a source in the contract", () => {
    const { text } = reference.contract.file;
    for (const section of Object.keys(CLAUSE_TITLES)) expect(text).toContain(`"${section}"`);
  });

  test("every section of the document has a test", () => {
    expect(new Set(Object.keys(ROWS).map(clauseIdOf))).toEqual(new Set(Object.keys(CLAUSE_TITLES)));
  });
});
