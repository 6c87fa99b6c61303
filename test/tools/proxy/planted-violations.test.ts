// An upstream that breaks the contract in every way there is, once each. Each is reported, once.
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { ReportEntry } from "../../../src/tools/proxy/proxy-server.js";
import { listen } from "../../support/listen.js";
import { AUTHORIZED, list, PAGE, PAGE_HEADERS, proxied, responding, watch } from "./proxied.js";

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
  ["a member of the wrong type", { body: json({ ...PAGE, page: "0" }) }, { location: "body.page", decision: "D-23" }],
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
    { location: "body.page", message: "must be >= 0" },
  ],
  [
    "a body that is not compressed as it says",
    { headers: { "content-encoding": "gzip" } },
    { location: "body", message: "is not valid gzip" },
  ],
];

test("headers that are allowed by name are not reported; those of the contract are still checked", async () => {
  const headers = { "CF-Ray": "1", Server: "x", NEL: "{}", "RateLimit-Limit": "x" };
  const allowedHeaders = ["cf-ray", "SERVER", "x-request-id", "ratelimit-limit"];
  const { proxy } = await proxied(responding(PAGE, 200, headers), { allowedHeaders });
  await (await list(proxy)).text();
  await proxy.close();
  expect(proxy.entries.map(({ location }) => location)).toEqual(["header.nel", "header.ratelimit-limit"]);
});

test.each(["application/json", "application/json;charset=UTF-8", 'Application/JSON; charset="utf-8"'])(
  "the media type may be %s",
  async (type) => {
    const { proxy } = await proxied(responding(PAGE, 200, { "content-type": type }));
    await (await list(proxy)).text();
    await proxy.close();
    expect(proxy.entries).toEqual([]);
  },
);

test.each([400, 422])("an empty body may be rejected with %d", async (status) => {
  const path = "/v2/subscribers/ada/preferences";
  const members = status === 422 ? { errors: { "body.channels": { messages: ["is required"] } } } : {};
  const body = json({ ...JSON.parse(error(status)), path, ...members });
  const { proxy } = await proxied(responding(body, status));
  const headers = { ...AUTHORIZED, "content-type": "application/json" };
  await (await fetch(proxy.url + path, { method: "PATCH", headers, body: "" })).text();
  await proxy.close();
  expect(proxy.entries.filter(({ direction }) => direction === "response")).toEqual([]);
});

test("a record without createdAt may have any place in a page", async () => {
  const record = { ...ids, transactionId: "t" };
  const dated = { ...record, createdAt: "2026-11-02T09:00:00.000Z" };
  const { proxy } = await proxied(responding({ ...PAGE, data: [dated, record, dated] }));
  await (await list(proxy)).text();
  await proxy.close();
  expect(proxy.entries).toEqual([]);
});

describe("an upstream with planted violations", () => {
  let entries: ReportEntry[];
  let summary: unknown;

  beforeAll(async () => {
    let planted: Planted = {};
    const upstream = createServer((_request, response) => {
      response.writeHead(planted.status ?? 200, { ...PAGE_HEADERS, ...planted.headers });
      response.end(planted.body ?? json(PAGE));
    });
    const proxy = await watch({ upstream: await listen(upstream) });
    for (const [, next, , query = ""] of PLANTED) {
      planted = next;
      const headers = { ...AUTHORIZED, "accept-encoding": "identity" };
      const response = await fetch(`${proxy.url}/v1/notifications${query}`, { headers });
      await response.arrayBuffer().catch(() => {}); // fetch cannot read the one that is not gzip
    }
    await proxy.close();
    upstream.close();
    entries = proxy.entries.filter(({ direction }) => direction === "response");
    summary = proxy.summary();
  });

  test.each(PLANTED.map(([title, planted, want], index) => ({ title, planted, want, exchange: index + 1 })))(
    "$title",
    ({ planted, want, exchange }) => {
      const reported = entries.filter((entry) => entry.exchange === exchange);
      expect(reported).toHaveLength(1);
      expect(reported[0]).toMatchObject({
        kind: "violation",
        operation: "listNotifications",
        method: "GET",
        status: planted.status ?? 200,
        ...want,
      });
      expect(reported[0]?.clause ?? reported[0]?.decision).toMatch(/^(§|D-)/);
    },
  );

  test("one report each, and the summary counts them", () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(10);
    expect(entries.map(({ exchange }) => exchange)).toEqual(PLANTED.map((_, index) => index + 1));
    expect(summary).toEqual({
      requests: PLANTED.length,
      violations: { request: 1, response: PLANTED.length }, // the one request that has to be rejected
      notChecked: 0,
      ownResponses: 0,
      internalErrors: 0,
    });
  });
});
