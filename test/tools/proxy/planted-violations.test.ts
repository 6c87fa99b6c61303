// An upstream that violates the contract in one way at a time. Each is reported once.
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ReportEntry } from "../../../src/tools/proxy/proxy-server.js";
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

const PLANTED: [title: string, planted: Planted, want: Partial<ReportEntry>, query?: string][] = [
  ["a status that HTTP knows and the contract does not", { status: 418 }, { location: "status", clause: "§4.2" }],
  [
    "a success for a request that has to be rejected",
    {},
    { location: "status", message: "200 for a request that the contract rejects with 422: query.limit" },
    "?limit=51",
  ],
  [
    "an error without a header that it needs",
    { status: 429, body: error(429) },
    { location: "header.retry-after", message: "is missing", decision: "D-54" },
  ],
  [
    "a header that is not of the contract",
    { headers: { "X-Powered-By": "PHP" } },
    { location: "header.x-powered-by", message: "is not declared for this status" },
  ],
  [
    "a header of the wrong type",
    { status: 503, body: error(503), headers: { "Retry-After": "soon" } },
    { location: "header.retry-after", message: "must be integer" },
  ],
  [
    "another media type",
    { headers: { "content-type": "text/html" }, body: "<h1>Hello</h1>" },
    { location: "header.content-type", message: "must be application/json, is text/html", decision: "D-68" },
  ],
  [
    "another charset",
    { headers: { "content-type": "application/json; charset=utf-16" } },
    { location: "header.content-type", decision: "D-68" },
  ],
  ["no body", { body: "" }, { location: "body", message: "is missing" }],
  [
    "a body that is not JSON",
    { body: '{"page":0,' },
    { location: "body", message: "is not valid JSON (at position 10)" },
  ],
  [
    "a body that is not UTF-8",
    { body: Buffer.from([0x22, 0xff, 0x22]) },
    { location: "body", message: "is not UTF-8" },
  ],
  ["a body of another shape", { body: "[]" }, { location: "body", message: "must be object" }],
  ["a member too many", { body: json({ ...PAGE, total: 1 }) }, { location: "body.total", decision: "D-23" }],
  ["a member too few", { body: json(pageWithoutMember) }, { location: "body.hasMore", message: "is missing" }],
  [
    "a member of the wrong form, deep within",
    { body: json({ ...PAGE, data: [{ ...ids, transactionId: "t", createdAt: "2026-02-31T00:00:00.000Z" }] }) },
    { location: "body.data.0.createdAt", decision: "D-05" },
  ],
  [
    "an error whose body says another status",
    { status: 429, body: error(503), headers: { "Retry-After": "1" } },
    { location: "body.statusCode", message: "must be equal to constant: 429" },
  ],
  [
    "a violation within a compressed body",
    { headers: { "content-encoding": "gzip" }, body: gzipSync(json({ ...PAGE, page: -1 })) },
    { location: "body.page", message: "must be >= 0", decision: "D-23" },
  ],
  [
    "a body that is not compressed as it says",
    { headers: { "content-encoding": "gzip" } },
    { location: "body", message: "is not valid gzip" },
  ],
];

test.each(PLANTED)("%s", async (_title, { status = 200, headers = {}, body = PAGE }, want, query) => {
  const proxy = await exchanged(responding(body, status, headers), {}, (own) => list(own, query));
  const entries = proxy.entries.filter(({ direction }) => direction === "response");
  const expected = { kind: "violation", operation: "listNotifications", method: "GET", status, ...want };
  expect(entries).toMatchObject([expected]);
  expect(entries[0]?.clause ?? entries[0]?.decision).toMatch(/^(§|D-)/);
  const violations = { request: query === undefined ? 0 : 1, response: 1 };
  expect(proxy.summary()).toEqual({ requests: 1, violations, notChecked: 0, ownResponses: 0, internalErrors: 0 });
});

test("headers that are allowed by name are not reported; those of the contract are still checked", async () => {
  const headers = { "CF-Ray": "1", Server: "x", NEL: "{}", "RateLimit-Limit": "x" };
  const allowedHeaders = ["cf-ray", "SERVER", "x-request-id", "ratelimit-limit"];
  const { entries } = await exchanged(responding(PAGE, 200, headers), { allowedHeaders });
  expect(entries.map(({ location }) => location)).toEqual(["header.nel", "header.ratelimit-limit"]);
});

test.each(["application/json", "application/json;charset=UTF-8", 'Application/JSON; charset="utf-8"'])(
  "the media type may be %s",
  async (type) => {
    expect((await exchanged(responding(PAGE, 200, { "content-type": type }))).entries).toEqual([]);
  },
);

test.each([400, 422])("an empty body may be rejected with %d", async (status) => {
  const path = "/v2/subscribers/ada/preferences";
  const members = status === 422 ? { errors: { "body.channels": { messages: ["is required"] } } } : {};
  const body = { ...JSON.parse(error(status)), path, ...members };
  const { entries } = await exchanged(responding(body, status), {}, (proxy) => update(proxy, ""));
  expect(entries.filter(({ direction }) => direction === "response")).toEqual([]);
});

test("a record without createdAt may have any place in a page", async () => {
  const record = { ...ids, transactionId: "t" };
  const dated = { ...record, createdAt: "2026-11-02T09:00:00.000Z" };
  expect((await exchanged(responding({ ...PAGE, data: [dated, record, dated] }))).entries).toEqual([]);
});
