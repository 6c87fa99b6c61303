// listNotifications on the demo seed: what the laws of `verify`, which run against this server too
// (test/tools/verify/reference.test.ts), cannot see or leave open.
import { beforeAll, describe, expect, test } from "vitest";
import type { Seed, StoredNotification } from "../../../src/core/domain/state.js";
import { createReference, type Reference, type TestResponse } from "../../support/reference.js";

let reference: Reference;
let seed: Seed;
beforeAll(async () => {
  reference = await createReference();
  ({ seed } = reference);
});

function list(query: string): Promise<TestResponse> {
  return reference.send({ url: `/v1/notifications?${query}` });
}

function byHand(isWanted: (notification: StoredNotification) => boolean): string[] {
  return seed.notifications
    .filter(isWanted)
    .toSorted((a, b) => (a.createdAt === b.createdAt ? (a._id < b._id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1))
    .map(({ _id }) => _id);
}

test.each([
  ["defaults", "", { page: 0, pageSize: 10, hasMore: true }, 10],
  [
    "filters of subscribers without a match: page 0 (D-35)",
    "emails=x&page=4",
    { page: 0, pageSize: 10, hasMore: false },
    0,
  ],
  ["another filter without a match: page 4", "topicKey=x&page=4", { page: 4, pageSize: 10, hasMore: false }, 0],
])("listNotifications › pages › %s", async (_title, query, envelope, length) => {
  const { body } = await list(query);
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
    const own = await createReference({ plan });
    const request = (query: string) => own.send({ url: `/v1/notifications?limit=50&${query}` });
    const { body } = await request("");
    const matches = byHand((n) => n.createdAt > at(-hours * HOUR));
    expect(body.data.map((n: { _id: string }) => n._id)).toEqual(matches.slice(0, 50));
    expect((await request(`after=${at(-(hours + 1) * HOUR)}`)).status, "an hour of grace").toBe(200);
    for (const name of ["after", "before"]) {
      const rejection = await request(`${name}=${at(-(hours + 1) * HOUR - 1)}`);
      expect(rejection.status).toBe(402);
      expect(rejection.body.ctx).toEqual({
        code: "outsidePlan",
        decision: "D-42",
        plan,
        earliest: at(-hours * HOUR).slice(0, 10),
      });
    }
    const { data } = (await request(`before=${at(-(hours + 1) * HOUR)}`)).body;
    expect(data, "in the grace, before all that is kept").toEqual([]);
  });
});

describe("listNotifications › invalid queries are 422, with every violation", () => {
  test.each([
    ["limit=0", ["query.limit"]],
    ["page=1:&channels=fax&limit=99&bogus=1", ["query.bogus", "query.channels.0", "query.limit", "query.page"]],
    ["limit.x=1", ['query["limit.x"]']],
    ["api_key=x&limit=99&channels=fax&after=x", ["query.after", "query.api_key", "query.channels.0", "query.limit"]],
  ])("%s", async (query, locations) => {
    const response = await list(query);
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors).toSorted()).toEqual(locations);
    for (const violation of Object.values<{ clause?: string; decision?: string }>(response.body.errors)) {
      expect(violation.clause ?? violation.decision).toMatch(/^(§|D-)/);
    }
  });

  test.each([
    ["page=9007199254740991.4", { "query.page": { decision: "D-29" } }],
    ["page=-1", { "query.page": { clause: "§4.2" } }],
    ["limit=1e1", { "query.limit": { decision: "D-29" } }],
    ["limit=", { "query.limit": { decision: "D-27" } }],
    ["limit=51", { "query.limit": { clause: "§4.2" } }],
    ["channels=fax", { "query.channels.0": { decision: "D-30" } }],
    [`${"channels=email&".repeat(21)}`, { "query.channels": { decision: "D-26" } }],
    ["templates=comment-mention", { "query.templates.0": { decision: "D-31" } }],
    ["after=2026-11-01", { "query.after": { decision: "D-39" } }],
    ["colour=red", { "query.colour": { decision: "D-28" } }],
  ])("%s cites the decision where the contract is narrower than the document", async (query, errors) => {
    expect((await list(query)).body.errors).toMatchObject(errors);
  });
});
