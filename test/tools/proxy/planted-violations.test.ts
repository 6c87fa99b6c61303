// An upstream that violates the contract in one way at a time. Each is reported once.
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { exchanged, list, PAGE, responding, update } from "./proxied.js";

interface Planted {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const json = (value: unknown) => JSON.stringify(value);
const error = (statusCode: number) =>
  json({ statusCode, timestamp: "2026-11-02T09:00:00.000Z", path: "/v1/notifications", message: "no" });
const ids = { _environmentId: "6".repeat(24), _organizationId: "6".repeat(24), _subscriberId: "6".repeat(24) };
const { hasMore: _hasMore, ...pageWithoutMember } = PAGE;

const LIMITED = { status: 429, body: error(429) };
const SOON = { "Retry-After": "soon" };
const HTML = { headers: { "content-type": "text/html" }, body: "<h1>" };
const GZIP = { "content-encoding": "gzip" };
const compressed = gzipSync(json({ ...PAGE, page: -1 }));
const record = { ...ids, transactionId: "t" };
const DATED = { ...record, createdAt: "2026-11-02T09:00:00.000Z" };
const undated = { ...PAGE, data: [{ ...record, createdAt: "2026-02-31T00:00:00.000Z" }] };

/** Each with the one entry that the proxy reports. */
const PLANTED: [title: string, planted: Planted, want: string, query?: string][] = [
  ["a status that only HTTP knows", { status: 418 }, "status 418 is not declared for listNotifications, by §4.2"],
  [
    "a success for an invalid request",
    {},
    "status 200 for a request that the contract rejects with 422: query.limit, by §4.2",
    "?limit=51",
  ],
  ["an error without a required header", LIMITED, "header.retry-after is required, by D-54"],
  ["a header of the wrong type", { ...LIMITED, headers: SOON }, "header.retry-after must be an integer, by D-54"],
  ["another media type", HTML, "header.content-type must be application/json, is text/html, by D-68"],
  [
    "another charset",
    { headers: { "content-type": "application/json; charset=utf-16" } },
    'header.content-type must be "application/json, in UTF-8", is "application/json; charset=utf-16", by D-68',
  ],
  ["no body", { body: "" }, "body is missing, by §4.2"],
  ["a body that is not JSON", { body: '{"page":0,' }, "body is not valid JSON (at position 10), by §4.2"],
  ["a body that is not UTF-8", { body: Buffer.from([0x22, 0xff, 0x22]) }, "body is not UTF-8, by §4.2"],
  ["a body of another shape", { body: "[]" }, "body must be an object, by §4.2"],
  ["an additional member", { body: json({ ...PAGE, total: 1 }) }, "body.total is unknown, by D-23"],
  ["a missing member", { body: json(pageWithoutMember) }, "body.hasMore is required, by D-24"],
  [
    "a value deep within",
    { body: json(undated) },
    "body.data.0.createdAt must be a date and time such as 2026-11-02T09:00:00Z, by D-05",
  ],
  [
    "an error whose body has another status",
    { status: 429, body: error(503), headers: { "Retry-After": "1" } },
    "body.statusCode must be 429, by D-48",
  ],
  ["a violation that is compressed", { headers: GZIP, body: compressed }, "body.page must be at least 0, by D-23"],
  ["a body that is not compressed as it says", { headers: GZIP }, "body is not valid gzip, by §4.2"],
];

test.each(PLANTED)("%s", async (_title, { status = 200, headers = {}, body = PAGE }, want, query) => {
  const proxy = await exchanged(responding(body, status, headers), {}, (own) => list(own, query));
  const entries = proxy.entries.filter(({ direction }) => direction === "response");
  expect(entries).toMatchObject([{ kind: "violation", operation: "listNotifications", method: "GET", status }]);
  const [{ location, message, clause, decision } = expect.unreachable()] = entries;
  expect(`${location} ${message}, by ${clause ?? decision}`).toBe(want);
  const violations = { request: query === undefined ? 0 : 1, response: 1 };
  const counts = { requests: 1, violations, notChecked: 0, ownResponses: 0, internalErrors: 0 };
  expect(proxy.summary()).toMatchObject(counts);
  expect(proxy.summary().causes).toHaveLength(violations.request + violations.response);
});

test("headers beyond the contract are allowed, but those of idempotency; its own are checked", async () => {
  const headers = { Server: "x", ETag: '"1"', "Idempotency-Replay": "true", "RateLimit-Limit": "x" };
  const { entries } = await exchanged(responding(PAGE, 200, headers));
  expect(entries.map(({ location }) => location)).toEqual(["header.idempotency-replay", "header.ratelimit-limit"]);
});

test("a replay of an update without a key is reported", async () => {
  const preferences = { global: { enabled: true, channels: {} }, workflows: [] };
  const replaying = responding(preferences, 200, { "Idempotency-Replay": "true" });
  const { entries } = await exchanged(replaying, {}, (proxy) => update(proxy, { channels: {} }));
  expect(entries.map(({ location, message }) => `${location} ${message}`)).toEqual([
    "header.idempotency-replay is sent for a request without a key",
  ]);
});

test.each([
  [PAGE, "application/json;charset=UTF-8"],
  [PAGE, 'Application/JSON; charset="utf-8"'],
  [{ ...PAGE, data: [DATED, record, DATED] }, "application/json"], // createdAt is optional
])("%j as %s conforms", async (body, type) => {
  expect((await exchanged(responding(body, 200, { "content-type": type }))).entries).toEqual([]);
});

test("an error for a valid request says which statuses are possible", async () => {
  const since = "?after=2026-11-01T00:00:00Z";
  const { entries } = await exchanged(responding(error(400), 400), {}, (proxy) => list(proxy, since));
  expect(entries[0]?.message).toBe("400 for a request that the contract accepts; expected 200 or 402");
});

test("a 405 that allows no method is reported", async () => {
  const { entries } = await exchanged(responding(error(405), 405), {}, (own) =>
    fetch(`${own.url}/v1/notifications`, { method: "PUT", headers: { authorization: "ApiKey k" } }),
  );
  const found = entries.filter(({ direction }) => direction === "response");
  expect(found.map(({ location, decision }) => [location, decision])).toEqual([["header.allow", "D-51"]]);
});

test("an error that names another parameter is reported", async () => {
  const target = "/v1/notifications?limit=51";
  const named = (place: string) => ({
    ...JSON.parse(error(422)),
    path: target,
    errors: { [place]: { messages: ["no"] } },
  });
  const report = async (place: string) => {
    const { entries } = await exchanged(responding(named(place), 422), {}, (own) => list(own, "?limit=51"));
    return entries
      .filter(({ direction }) => direction === "response")
      .map(({ location, message }) => [location, message]);
  };
  expect(await report("query.limit")).toEqual([]);
  expect(await report("query.page")).toEqual([
    ["body.errors", "names query.page, and the request violates query.limit"],
  ]);
});

test.each([400, 422])("an empty body may be rejected with %d", async (status) => {
  const path = "/v2/subscribers/ada/preferences";
  const members = status === 422 ? { errors: { "body.channels": { messages: ["is required"] } } } : {};
  const body = { ...JSON.parse(error(status)), path, ...members };
  const { entries } = await exchanged(responding(body, status), {}, (proxy) => update(proxy, ""));
  expect(entries.filter(({ direction }) => direction === "response")).toEqual([]);
});
