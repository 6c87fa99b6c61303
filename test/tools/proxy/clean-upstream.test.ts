// The reference server behind the proxy: its responses are never reported, invalid requests are.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../../src/server/server.js";
import { type Watched, watch } from "./proxied.js";

interface SentRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const UPDATE = { method: "PATCH", path: "/v2/subscribers/ines-moreau/preferences" };
const JSON_TYPE = { "content-type": "application/json" };
const GZIP = { ...JSON_TYPE, "content-encoding": "gzip" };
const RESET = {
  method: "POST",
  path: "/_control/environments/default/reset",
  headers: { authorization: "", ...JSON_TYPE },
  body: "{}",
};
const RETRY = { ...UPDATE, headers: { ...JSON_TYPE, "idempotency-key": "k-1" }, body: '{"channels":{"email":false}}' };

// The request, the status of the response, and where the request violates the contract.
const REQUESTS: [title: string, sent: SentRequest, status: number, locations: string[]][] = [
  ["a page", { path: "/v1/notifications?limit=5&channels=email&channels=sms" }, 200, []],
  ["a page by HEAD", { method: "HEAD", path: "/v1/notifications" }, 200, []],
  [
    "a page, compressed if the upstream likes",
    { path: "/v1/notifications", headers: { "accept-encoding": "gzip" } },
    200,
    [],
  ],
  [
    "a preferred example of another page",
    { path: "/v1/notifications", headers: { prefer: "example=lastPage" } },
    200,
    [],
  ],
  ["a preflight", { method: "OPTIONS", path: "/v1/notifications", headers: { origin: "http://a.example" } }, 204, []],
  ["an update", { ...UPDATE, headers: JSON_TYPE, body: '{"channels":{"sms":false}}' }, 200, []],
  ["an update that may be repeated", RETRY, 200, []],
  ["its repetition", RETRY, 200, []],
  ["its key with another body", { ...RETRY, body: '{"channels":{"email":true}}' }, 422, []],
  ["an update that is compressed", { ...UPDATE, headers: GZIP, body: gzipSync('{"channels":{"sms":true}}') }, 200, []],
  ["a reset", RESET, 200, ["header.authorization", "path"]],
  ["a key from before the reset with another body", { ...RETRY, body: '{"channels":{"email":true}}' }, 200, []],
  ["an unknown subscriber", { ...RETRY, path: "/v2/subscribers/nobody/preferences", headers: JSON_TYPE }, 404, []],
  [
    "a critical workflow",
    { ...UPDATE, headers: JSON_TYPE, body: '{"channels":{},"workflowId":"password-reset"}' },
    400,
    [],
  ],
  [
    "bounds that differ below a millisecond",
    { path: "/v1/notifications?after=2026-11-01T00:00:00.8170002Z&before=2026-11-01T00:00:00.8170001Z" },
    200,
    [],
  ],
  ["dates before the plan's", { path: "/v1/notifications?after=1990-01-01T00:00:00Z" }, 402, []],
  ["an unknown key", { path: "/v1/notifications", headers: { authorization: "ApiKey unknown" } }, 401, []],
  ["no key", { path: "/v1/notifications", headers: { authorization: "" } }, 401, ["header.authorization"]],
  [
    "another scheme, and a parameter out of bounds",
    { path: "/v1/notifications?limit=0", headers: { authorization: "Bearer x" } },
    401,
    ["header.authorization", "query.limit"],
  ],
  ["an unknown path", { path: "/v1/notification" }, 404, ["path"]],
  ["a trailing slash", { path: "/v1/notifications/" }, 404, ["path"]],
  ["a page outside the contract", { path: "/health" }, 200, ["path"]],
  ["another method", { method: "DELETE", path: "/v1/notifications" }, 405, ["method"]],
  [
    "three errors in the query",
    { path: "/v1/notifications?limit=51&page=-1&chanels=email" },
    422,
    ["query.chanels", "query.limit", "query.page"],
  ],
  ["a query that cannot be decoded", { path: "/v1/notifications?search=%zz" }, 400, ["query"]],
  ["a path that cannot be decoded", { ...RETRY, path: "/v2/subscribers/%zz/preferences" }, 400, ["path"]],
  ["a body that is not JSON", { ...UPDATE, headers: JSON_TYPE, body: '{"channels":' }, 400, ["body"]],
  ["a body that is not UTF-8", { ...RETRY, body: Buffer.from([0x22, 0xff, 0x22]) }, 400, ["body"]],
  [
    "a body of another type",
    { ...UPDATE, headers: { "content-type": "text/plain" }, body: "x" },
    415,
    ["header.content-type"],
  ],
  [
    "an unknown coding",
    { ...RETRY, headers: { ...JSON_TYPE, "content-encoding": "x" } },
    415,
    ["header.content-encoding"],
  ],
  ["no body", { ...UPDATE, headers: JSON_TYPE }, 422, ["body.channels"]],
  ["a body too large", { ...RETRY, body: JSON.stringify("x".repeat(200_000)) }, 413, ["body"]],
  [
    "members that are unknown or of the wrong type",
    { ...UPDATE, headers: JSON_TYPE, body: '{"channels":{"emial":true,"sms":1},"extra":1}' },
    422,
    ["body.channels.emial", "body.channels.sms", "body.extra"],
  ],
  [
    "a key for retries that is too long",
    { ...RETRY, headers: { ...JSON_TYPE, "idempotency-key": "k".repeat(256) } },
    422,
    ["header.idempotency-key"],
  ],
];

describe("a clean upstream", () => {
  let upstream: RunningServer;
  let proxy: Watched;

  beforeAll(async () => {
    upstream = await startServer();
    proxy = await watch({ upstream: upstream.url });
  });
  afterAll(async () => {
    await proxy.close();
    await upstream.close();
  });

  const statuses: number[] = [];
  test("responds through the proxy as it does without", async () => {
    for (const [, { path, method = "GET", headers, body }] of REQUESTS) {
      const all = { authorization: `ApiKey ${upstream.apiKey}`, ...headers };
      const sent = Object.entries(all).filter(([, value]) => value !== "");
      const response = await fetch(proxy.url + path, {
        method,
        headers: sent as [string, string][],
        body: body ?? null,
      });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    await proxy.close(); // all is reported now
    expect(statuses).toEqual(REQUESTS.map(([, , status]) => status));
  });

  test("is never reported", () => {
    expect(proxy.entries.filter(({ direction }) => direction === "response")).toEqual([]);
    expect(proxy.internalErrors).toEqual([]);
    expect(proxy.summary().requests).toBe(REQUESTS.length);
  });

  test.each(REQUESTS.map(([title, , , locations], index) => ({ title, locations, exchange: index + 1 })))(
    "$title › $locations",
    ({ locations, exchange }) => {
      const reported = proxy.entries.filter((entry) => entry.exchange === exchange);
      expect(reported.map(({ location }) => location).toSorted()).toEqual(locations);
      for (const { clause, decision } of reported) expect(clause ?? decision).toMatch(/^(§|D-)/);
    },
  );
});
