// Both operations on the demo seed: what the laws of `verify`, which run against this server too
// (test/tools/verify/reference.full.test.ts), cannot see or leave open.
import { beforeEach, describe, expect, test } from "vitest";
import type { StoredNotification, Workflow } from "../../../src/core/domain/state.js";
import { createReference, type TestRequest, type TestResponse } from "../../support/reference.js";

const reference = await createReference();
beforeEach(reference.reset);

const UPDATE = { method: "PATCH", url: "/v2/subscribers/ines-moreau/preferences" };
const toUpdate = (body: unknown): TestRequest => ({ ...UPDATE, body });
const toList = (query: string): TestRequest => ({ url: `/v1/notifications?${query}` });
const update = (body: unknown, { send } = reference): Promise<TestResponse> => send(toUpdate(body));

describe("updatePreferences › which workflow", () => {
  test.each([
    ["a slug", "resource_wf_0000000000000000"],
    ["an _id", "f".repeat(24)],
  ])("an identifier that looks like %s, and leads to no workflow as such (D-16)", async (_title, identifier) => {
    const [first, ...others] = reference.seed.workflows;
    const workflows = [{ ...(first as Workflow), identifier }, ...others];
    const own = await createReference({ seed: { ...reference.seed, workflows } });
    const { body } = await update({ channels: { email: false }, workflowId: identifier }, own);
    const entries: { workflow: { identifier: string }; channels: object }[] = body.workflows;
    const updated = entries.find(({ workflow }) => workflow.identifier === identifier);
    expect(updated?.channels).toMatchObject({ email: false });
  });

  test.each(["legacy-newsletter", "billing-receipt"])(
    "%s is updated and not listed (D-20, D-21)",
    async (workflowId) => {
      const before = await update({ channels: {} });
      const response = await update({ channels: { email: false }, workflowId });
      expect([response.status, response.body]).toEqual([200, before.body]);
      const id = reference.seed.workflows.find(({ identifier }) => identifier === workflowId)?._id;
      const record = reference.store.environments[0]?.state.preferencesOf("ines-moreau");
      expect(record?.workflows).toEqual([{ workflowId: id, channels: { email: false } }]);
    },
  );
});

test.each<[title: string, rawBody: string, status: number, headers?: Record<string, string>]>([
  ["JSON nested 5,000 levels deep", "[".repeat(5000) + "]".repeat(5000), 422],
  ["a byte order mark", '\uFEFF{"channels":{"email":false}}', 200],
  ["an empty body", "", 422],
  ["an encoding that is not what it says", '{"channels":{}}', 400, { "content-encoding": "gzip" }],
])("updatePreferences › %s", async (_title, rawBody, status, more = {}) => {
  const headers = { "content-type": "application/json", ...more };
  expect((await reference.send({ ...UPDATE, headers, rawBody })).status).toBe(status);
});

function byHand(isWanted: (notification: StoredNotification) => boolean): string[] {
  return reference.seed.notifications
    .filter(isWanted)
    .toSorted((a, b) => (a.createdAt === b.createdAt ? (a._id < b._id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1))
    .map(({ _id }) => _id);
}

test.each([
  ["defaults", "", { page: 0, pageSize: 10, hasMore: true }, 10],
  ["no subscriber matches: page 0 (D-35)", "emails=x&page=4", { page: 0, pageSize: 10, hasMore: false }, 0],
  ["nothing else matches: page 4", "topicKey=x&page=4", { page: 4, pageSize: 10, hasMore: false }, 0],
])("listNotifications › pages › %s", async (_title, query, envelope, length) => {
  const { body } = await reference.send(toList(query));
  const { data, ...rest } = body;
  expect(rest).toEqual(envelope);
  expect(data).toHaveLength(length);
  expect(Object.keys(body)).toEqual(["page", "pageSize", "hasMore", "data"]);
});

describe("listNotifications › what the plan keeps (D-42)", () => {
  const HOUR = 3_600_000;
  const at = (offset: number) => new Date(Date.parse("2026-11-02T09:00:00.000Z") + offset).toISOString();

  test.each([
    ["free", 24],
    ["pro", 7 * 24],
    ["business", 90 * 24],
    ["enterprise", 9999 * 24],
  ] as const)("%s: %i hours", async (plan, hours) => {
    const { send } = await createReference({ plan });
    const request = (query: string) => send(toList(`limit=50&${query}`));
    const matches = byHand(({ createdAt }) => createdAt > at(-hours * HOUR));
    expect((await request("")).body.data.map(({ _id }: StoredNotification) => _id)).toEqual(matches.slice(0, 50));
    expect((await request(`after=${at(-(hours + 1) * HOUR)}`)).status, "an hour of grace").toBe(200);
    for (const name of ["after", "before"]) {
      const { status, body } = await request(`${name}=${at(-(hours + 1) * HOUR - 1)}`);
      const earliest = at(-hours * HOUR).slice(0, 10);
      expect([status, body.ctx]).toEqual([402, { code: "outsidePlan", decision: "D-42", plan, earliest }]);
    }
    const { data } = (await request(`before=${at(-(hours + 1) * HOUR)}`)).body;
    expect(data, "in the grace, before all that is kept").toEqual([]);
  });
});

describe("requests outside the contract are 422, with each violation, its code and what it rests on", () => {
  const MANY = "channels=email&".repeat(21);
  const UNKNOWN = { code: "additionalProperties", decision: "D-28" };
  test.each<[TestRequest, Record<string, { code: string; clause?: string; decision?: string }>]>([
    [toList("limit=0"), { "query.limit": { code: "minimum", clause: "§4.2" } }],
    [
      toList("page=-1&channels=fax&limit=51&after=x&bogus=1"),
      {
        "query.page": { code: "minimum", clause: "§4.2" },
        "query.channels.0": { code: "enum", decision: "D-30" },
        "query.limit": { code: "maximum", clause: "§4.2" },
        "query.after": { code: "format", decision: "D-39" },
        "query.bogus": UNKNOWN,
      },
    ],
    [toList("limit.x=1"), { 'query["limit.x"]': UNKNOWN }],
    [toList("page=9007199254740991.4"), { "query.page": { code: "type", decision: "D-29" } }],
    [toList("limit=1e1"), { "query.limit": { code: "type", decision: "D-29" } }],
    [toList("limit="), { "query.limit": { code: "type", decision: "D-27" } }],
    [toList(MANY), { "query.channels": { code: "maxItems", decision: "D-26" } }],
    [toList("templates=comment-mention"), { "query.templates.0": { code: "pattern", decision: "D-31" } }],
    [toUpdate(null), { body: { code: "type", clause: "§4.1" } }],
    [toUpdate({}), { "body.channels": { code: "required", clause: "§4.1" } }],
    [
      toUpdate({ channels: { email: "off", "": true }, workflowId: "", "": 1 }),
      {
        "body.": { code: "additionalProperties", decision: "D-03" },
        "body.channels.": { code: "additionalProperties", decision: "D-03" },
        "body.channels.email": { code: "type", clause: "§2.1" },
        "body.workflowId": { code: "minLength", decision: "D-17" },
      },
    ],
    [
      toUpdate(JSON.parse('{"channels":{"__proto__":true},"__proto__":{}}')),
      {
        "body.__proto__": { code: "additionalProperties", decision: "D-03" },
        "body.channels.__proto__": { code: "additionalProperties", decision: "D-03" },
      },
    ],
    [
      { ...UPDATE, url: `${UPDATE.url}?dryRun=1`, headers: { "idempotency-key": "k".repeat(256) }, body: {} },
      {
        "body.channels": { code: "required", clause: "§4.1" },
        "header.idempotency-key": { code: "maxLength", decision: "D-62" },
        "query.dryRun": UNKNOWN,
      },
    ],
  ])("%j", async (request, violations) => {
    const { status, body } = await reference.send(request);
    expect([status, body.ctx.code]).toEqual([422, "invalidRequest"]);
    expect(Object.keys(body.errors).toSorted()).toEqual(Object.keys(violations).toSorted());
    expect(body.errors).toMatchObject(violations);
  });

  test("a message lists the known names, and quotes a name with a dot, unlike a member of a member", async () => {
    const { body } = await update({ channels: { email: "x", emial: true }, "channels.email": 1 });
    const messages = Object.entries<{ messages: string[] }>(body.errors).map(([at, { messages }]) => [at, messages]);
    expect(Object.fromEntries(messages)).toEqual({
      'body["channels.email"]': ["is unknown; expected one of channels, workflowId"],
      "body.channels.email": ["must be a boolean"],
      "body.channels.emial": ["is unknown. Did you mean email?"],
    });
  });

  test("lists a hundred of ten thousand violations", async () => {
    const channels = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`c${index}`, 1]));
    const response = await update({ channels });
    expect(Object.keys(response.body.errors)).toHaveLength(100);
    expect(response.text.length).toBeLessThan(20_000);
  });
});
