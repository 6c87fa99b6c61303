// The reference server behind the proxy: the proxy never reports its responses, but every invalid request.
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { startServer } from "../../../src/start-server.js";
import { watch } from "./proxied.js";

interface SentRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const JSON_TYPE = { "content-type": "application/json" };
const GZIP = { ...JSON_TYPE, "content-encoding": "gzip" };
const ONCE = { ...JSON_TYPE, "idempotency-key": "k-1" };
const OFF = '{"channels":{"email":false}}';
const ON = '{"channels":{"email":true}}';
const TIME = "2026-11-01T00:00:00";
const LIMIT = "query.limit";
const MEMBERS = ["body.channels.emial", "body.channels.sms", "body.extra"];
const RESET = {
  method: "POST",
  path: "/_control/environments/default/reset",
  headers: { authorization: "", ...JSON_TYPE },
  body: "{}",
};

const list = (query: string, headers = {}): SentRequest => ({ path: `/v1/notifications${query}`, headers });
const update = (
  body: string | Buffer,
  headers: Record<string, string> = JSON_TYPE,
  id = "ines-moreau",
): SentRequest => ({
  ...{ method: "PATCH", path: `/v2/subscribers/${id}/preferences` },
  ...{ headers, ...(body === "" ? {} : { body }) },
});

/** The request, the status of the response, and where the request violates the contract. */
const REQUESTS: [title: string, sent: SentRequest, status: number, locations: string[]][] = [
  ["a page", list("?limit=5&channels=email&channels=sms"), 200, []],
  ["a page by HEAD", { ...list(""), method: "HEAD" }, 200, []],
  ["a page, compressed if the upstream likes", list("", { "accept-encoding": "gzip" }), 200, []],
  ["a preferred example of another page", list("", { prefer: "example=firstPage" }), 200, []],
  ["a preflight", { ...list("", { origin: "http://a.example" }), method: "OPTIONS" }, 204, []],
  ["an update", update('{"channels":{"sms":false}}'), 200, []],
  ["an update that may be repeated", update(OFF, ONCE), 200, []],
  ["its repetition", update(OFF, ONCE), 200, []],
  ["its key with another body", update(ON, ONCE), 422, []],
  ["an update that is compressed", update(gzipSync('{"channels":{"sms":true}}'), GZIP), 200, []],
  ["a reset", RESET, 200, ["header.authorization", "path"]],
  ["a key from before the reset with another body", update(ON, ONCE), 200, []],
  ["an unknown subscriber", update(OFF, JSON_TYPE, "nobody"), 404, []],
  ["a critical workflow", update('{"channels":{},"workflowId":"password-reset"}'), 400, []],
  ["bounds that differ below a millisecond", list(`?after=${TIME}.8170002Z&before=${TIME}.8170001Z`), 200, []],
  ["dates before the plan's", list("?after=1990-01-01T00:00:00Z"), 402, []],
  ["an unknown key", list("", { authorization: "ApiKey unknown" }), 401, []],
  ["no key", list("", { authorization: "" }), 401, ["header.authorization"]],
  ["no key, and a limit", list("?limit=0", { authorization: "Bearer x" }), 401, ["header.authorization", LIMIT]],
  ["an unknown path", { path: "/v1/notification" }, 404, ["path"]],
  ["a trailing slash", { path: "/v1/notifications/" }, 404, ["path"]],
  ["a page outside the contract", { path: "/health" }, 200, ["path"]],
  ["another method", { ...list(""), method: "DELETE" }, 405, ["method"]],
  ["three errors in the query", list("?limit=51&page=-1&chanels=email"), 422, ["query.chanels", LIMIT, "query.page"]],
  ["a query that cannot be decoded", list("?search=%zz"), 400, ["query"]],
  ["a path that cannot be decoded", update(OFF, ONCE, "%zz"), 400, ["path"]],
  ["a body that is not JSON", update('{"channels":'), 400, ["body"]],
  ["a body that is not UTF-8", update(Buffer.from([0x22, 0xff, 0x22])), 400, ["body"]],
  ["a body of another type", update("x", { "content-type": "text/plain" }), 415, ["header.content-type"]],
  ["an unknown coding", update(OFF, { ...JSON_TYPE, "content-encoding": "x" }), 415, ["header.content-encoding"]],
  ["no body", update(""), 422, ["body"]],
  ["a body too large", update(JSON.stringify("x".repeat(200_000))), 413, ["body"]],
  ["unknown and wrong members", update('{"channels":{"emial":true,"sms":1},"extra":1}'), 422, MEMBERS],
  ["a long key", update(OFF, { ...ONCE, "idempotency-key": "k".repeat(256) }), 422, ["header.idempotency-key"]],
];

const upstream = await startServer();
const proxy = await watch({ upstream: upstream.url });
afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

describe("a clean upstream", () => {
  const statuses: number[] = [];
  test("responds through the proxy as it does without", async () => {
    for (const [, { path, method = "GET", headers, body }] of REQUESTS) {
      const all = { authorization: `ApiKey ${upstream.apiKey}`, ...headers };
      const sent = Object.entries(all).filter(([, value]) => value !== "");
      const init = { method, headers: sent as [string, string][], body: body ?? null };
      const response = await fetch(proxy.url + path, init);
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    await proxy.close(); // then everything has been reported
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
