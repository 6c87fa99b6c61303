// listNotifications on the demo seed, held against the same filter done by hand on the seed's records.
import { beforeAll, describe, expect, test } from "vitest";
import type { Seed, StoredNotification } from "../../../src/core/domain/state.js";
import { createReference, type Reference, type TestResponse } from "../../support/reference.js";

let reference: Reference;
let seed: Seed;
beforeAll(async () => {
  reference = await createReference();
  ({ seed } = reference);
});

/** All records of a filter, page after page; each page has been held against the contract. */
async function listAll(query: string, limit = 50): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0, hasMore = true; hasMore; page++) {
    const response = await list(`${query}&limit=${limit}&page=${page}`);
    expect(response.status).toBe(200);
    ids.push(...response.body.data.map(({ _id }: { _id: string }) => _id));
    ({ hasMore } = response.body);
  }
  return ids;
}

function list(query: string): Promise<TestResponse> {
  return reference.send({ url: `/v1/notifications?${query}` });
}

function byHand(isWanted: (notification: StoredNotification) => boolean): string[] {
  return seed.notifications
    .filter(isWanted)
    .toSorted((a, b) => (a.createdAt === b.createdAt ? (a._id < b._id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1))
    .map(({ _id }) => _id);
}

function internalIds(isWanted: (subscriber: Seed["subscribers"][number]) => boolean | undefined): Set<string> {
  return new Set(seed.subscribers.filter(isWanted).map(({ _id }) => _id));
}

describe("listNotifications › filters equal the same filter done by hand", () => {
  const idsOf = (...subscriberIds: string[]) => internalIds((s) => subscriberIds.includes(s.subscriberId));
  const COMMENT = "66e0f1a20c4b3d5e6f708101";
  const DELETED = "698b39f60c4b3d5e6f708110";
  const T = "2026-10-30T13:49:47.866Z"; // the createdAt of a record

  const rows: [string, () => (notification: StoredNotification) => boolean | undefined, object?][] = [
    ["", () => () => true],
    ["channels=sms", () => (n) => n.channels.includes("sms")],
    ["channels=sms&channels=chat", () => (n) => n.channels.includes("sms") || n.channels.includes("chat")],
    [`templates=${COMMENT}`, () => (n) => n._templateId === COMMENT],
    [
      `templates=${COMMENT.toUpperCase()}&templates=${DELETED}`,
      () => (n) => n._templateId === COMMENT || n._templateId === DELETED,
    ],
    ["emails=ines.moreau@example.com", () => (n) => idsOf("ines-moreau").has(n._subscriberId)],
    [
      "emails=ines.moreau%40example.com&emails=eleni@example.org",
      () => (n) => idsOf("ines-moreau", "eleni-papadaki").has(n._subscriberId),
    ],
    ["emails=&".repeat(21), () => () => true], // empty values do not count (D-27)
    ["emails=amara+tidepool@example.com", () => (n) => idsOf("amara-okafor").has(n._subscriberId)],
    ["subscriberIds=ines-moreau&subscriberIds=10482", () => (n) => idsOf("ines-moreau", "10482").has(n._subscriberId)],
    ["subscriberIds=crew/night+shift", () => (n) => idsOf("crew/night shift").has(n._subscriberId)],
    ["search=MOREAU", () => (n) => internalIds((s) => s.email?.toLowerCase().includes("moreau")).has(n._subscriberId)],
    ["search=kiosk-0042", () => (n) => idsOf("kiosk-0042").has(n._subscriberId)],
    ["search=.*", () => () => false],
    [
      "search=10482&emails=eleni@example.org&subscriberIds=li-wei",
      () => (n) => idsOf("10482", "eleni-papadaki", "li-wei").has(n._subscriberId),
    ],
    ["transactionId=deploy-2026-10-30-2", () => (n) => n.transactionId === "deploy-2026-10-30-2"],
    ["transactionId=deploy-2026-10-30", () => () => false],
    ["transactionId=survey/beta+1", () => (n) => n.transactionId === "survey/beta 1"],
    ["topicKey=project:lighthouse", () => (n) => n.topics?.some((t) => t.topicKey === "project:lighthouse")],
    ["topicKey=project", () => () => false],
    [`after=${T}`, () => (n) => n.createdAt > T],
    [`before=${T}`, () => (n) => n.createdAt < T],
    [
      `after=2026-10-20T00:00:00%2B02:00&before=2026-10-25T00:00:00+02:00`,
      () => (n) => n.createdAt > "2026-10-19T22:00:00.000Z" && n.createdAt < "2026-10-24T22:00:00.000Z",
    ],
    [
      "channels=chat&topicKey=team:design&subscriberIds=ines-moreau&subscriberIds=li-wei",
      () => (n) =>
        n.channels.includes("chat") &&
        n.topics?.some((t) => t.topicKey === "team:design") &&
        idsOf("ines-moreau", "li-wei").has(n._subscriberId),
    ],
    [
      "channels=&templates=&emails=&subscriberIds=&search=&transactionId=&topicKey=&after=&before=&page=",
      () => () => true,
    ],
  ];
  test.each(rows)("%s", async (query, isWanted) => {
    const filter = isWanted();
    const matches = byHand((n) => filter(n) === true);
    const isPageGiven = query.includes("page=");
    const got = isPageGiven
      ? (await list(`${query}&limit=50`)).body.data.map((n: { _id: string }) => n._id)
      : await listAll(query);
    expect(got).toEqual(isPageGiven ? matches.slice(0, 50) : matches);
  });
});

describe("listNotifications › pages", () => {
  test.each([3, 50])("pages of %i part the list without overlap or gap", async (limit) => {
    expect(await listAll("", limit)).toEqual(byHand(() => true));
  });

  test.each([
    ["defaults", "", { page: 0, pageSize: 10, hasMore: true }, 10],
    ["a full last page has no more (D-24)", "limit=50&page=2", { page: 2, pageSize: 50, hasMore: false }, 50],
    ["a page behind the last is empty", "limit=50&page=3", { page: 3, pageSize: 50, hasMore: false }, 0],
    [
      "the greatest page number is empty",
      "page=9007199254740991",
      { page: 9007199254740991, pageSize: 10, hasMore: false },
      0,
    ],
    ["subscribers that match nobody: page 0 (D-35)", "emails=x&page=4", { page: 0, pageSize: 10, hasMore: false }, 0],
    [
      "another filter that matches nothing: the page asked for",
      "topicKey=x&page=4",
      { page: 4, pageSize: 10, hasMore: false },
      0,
    ],
  ])("%s", async (_title, query, envelope, length) => {
    const { body } = await list(query);
    const { data, ...rest } = body;
    expect(rest).toEqual(envelope);
    expect(data).toHaveLength(length);
    expect(Object.keys(body)).toEqual(["page", "pageSize", "hasMore", "data"]);
  });

  test("records of one millisecond come in the order of their ids, greater first", async () => {
    const { body } = await list("transactionId=release-4.2.0");
    const ids = body.data.map((n: { _id: string }) => n._id);
    expect(new Set(body.data.map((n: { createdAt: string }) => n.createdAt)).size).toBe(1);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });
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
      expect(rejection.body.ctx).toEqual({ decision: "D-42", plan, earliest: at(-hours * HOUR).slice(0, 10) });
    }
    expect(
      (await request(`before=${at(-(hours + 1) * HOUR)}`)).body.data,
      "in the grace, before all that is kept",
    ).toEqual([]);
  });
});

describe("listNotifications › bad queries are 422, all faults at once", () => {
  test.each([
    ["limit=0", ["query.limit"]],
    ["limit=51", ["query.limit"]],
    ["limit=1.5", ["query.limit"]],
    ["limit=1e1", ["query.limit"]],
    ["limit=+5", ["query.limit"]],
    ["page=1:&channels=fax&limit=99&bogus=1", ["query.bogus", "query.channels.0", "query.limit", "query.page"]],
    ["limit=", ["query.limit"]],
    ["channels[]=email", ["query.channels[]"]],
    ["Channels=email", ["query.Channels"]],
    ["templates=comment-mention", ["query.templates.0"]],
    [`${"emails=a&".repeat(21)}`, ["query.emails"]],
    ["after=2026-02-30T00:00:00Z", ["query.after"]],
    ["after=2026-11-01T00:00:00", ["query.after"]],
    ["before=2026-11-01T24:00:01Z", ["query.before"]],
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

describe("listNotifications › a page with more digits than a number has (D-76)", () => {
  test.each(["9007199254740993", "9".repeat(308)])("%s", async (page) => {
    const { status, body } = await list(`page=${page}`);
    expect([status, body]).toEqual([200, { page: Number(page), pageSize: 10, hasMore: false, data: [] }]);
  });
});

describe("listNotifications › a body (D-72)", () => {
  test.each<[string, Record<string, string>, string]>([
    ["not JSON", { "content-type": "application/json" }, "{"],
    ["too large", { "content-type": "application/json" }, "x".repeat(200_000)],
  ])("%s is not read", async (_title, headers, rawBody) => {
    const response = await reference.send({ url: "/v1/notifications?limit=1", headers, rawBody });
    expect(response.status).toBe(200);
  });
});

describe("listNotifications › HEAD", () => {
  test("responds like GET, without a body", async () => {
    const head = await reference.send({ method: "HEAD", url: "/v1/notifications?limit=2" });
    const get = await list("limit=2");
    expect(head.status).toBe(200);
    expect(head.text).toBeFalsy();
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    expect((await reference.send({ method: "HEAD", url: "/v1/notifications?limit=0" })).status).toBe(422);
  });
});
