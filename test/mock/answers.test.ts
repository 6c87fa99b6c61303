// What the mock answers: the contract's examples, and otherwise what the reference server answers to the same request.
import { Novu } from "@novu/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { examplesOf } from "../../src/contract/examples.js";
import { type RunningMock, startMock } from "../../src/mock/mock-server.js";
import { type RunningServer, startServer } from "../../src/server.js";
import { buildIfStale } from "../support/fresh-build.js";
import { expectInContract } from "../support/reference.js";
import { type SocketRequest, sendTo } from "../support/socket-request.js";

const contract = await loadContract();
const KEY = { authorization: "ApiKey demo-key" };
const JSON_TYPE = { "content-type": "application/json" };

const LIST: SocketRequest = { target: "/v1/notifications", headers: KEY };
const UPDATE: SocketRequest = {
  method: "PATCH",
  target: "/v2/subscribers/ines-moreau/preferences",
  headers: { ...KEY, ...JSON_TYPE },
  body: '{"channels":{"email":false}}',
};
const REQUESTS: Record<string, SocketRequest> = { listNotifications: LIST, updatePreferences: UPDATE };

let mock: RunningMock;
let reference: RunningServer;
beforeAll(async () => {
  await buildIfStale();
  mock = await startMock();
  reference = await startServer({ checkResponses: true });
}, 120_000);
afterAll(() => Promise.all([mock.close(), reference.close()]));

async function ask(request: SocketRequest) {
  const answer = await sendTo(mock.url, request);
  expectInContract(request.method ?? "GET", request.target, answer);
  return answer;
}

describe.each(contract.operations.map((operation) => [operation.id, operation] as const))("%s", (id, operation) => {
  const examples = examplesOf(contract.document, operation);
  const request = REQUESTS[id] as SocketRequest;

  test("answers the first example of its success", async () => {
    const answer = await ask(request);
    expect([answer.status, answer.body]).toEqual([200, examples[0]?.body]);
  });

  test.each(examples.map((example) => [example.name, example] as const))("example=%s", async (name, example) => {
    const answer = await ask({ ...request, headers: { ...request.headers, prefer: `example=${name}, delay=1` } });
    expect(answer).toMatchObject({ status: example.status, body: example.body });
    expect(answer.headers).toMatchObject({ "preference-applied": `example=${name}, delay=1` });
  });
});

describe("pages of the list", () => {
  test("are the ones asked for, and come to an end", async () => {
    const page = async (query: string) => (await ask({ ...LIST, target: `${LIST.target}?${query}` })).body;
    const { data } = await page("");
    expect(await page("page=0&limit=2")).toEqual({ page: 0, pageSize: 2, hasMore: true, data: data.slice(0, 2) });
    expect(await page("page=1&limit=2")).toEqual({ page: 1, pageSize: 2, hasMore: false, data: data.slice(2) });
    expect(await page(`limit=${data.length}`)).toEqual({ page: 0, pageSize: data.length, hasMore: false, data });
    expect(await page("page=9")).toEqual({ page: 9, pageSize: 10, hasMore: false, data: [] });
  });
});

describe("the official client", () => {
  test("parses both operations", async () => {
    const novu = new Novu({ secretKey: mock.apiKey, serverURL: mock.url, retryConfig: { strategy: "none" } });
    const list = await novu.notifications.list({ limit: 5, channels: ["email"], after: "2026-10-01T00:00:00Z" });
    expect(list.result.data.length).toBeGreaterThan(0);
    const updated = await novu.subscribers.preferences.update({ channels: { inApp: true } }, "ines-moreau", "key-1");
    expect(updated.result.workflows.length).toBeGreaterThan(0);
    expect(updated.headers["idempotency-key"]).toEqual(["key-1"]);
  });
});

describe("nothing of Prism's shows", () => {
  test("neither its headers nor headers that are only examples", async () => {
    const one = await ask({ ...LIST, headers: { ...KEY, origin: "http://page.example" } });
    const other = await ask(LIST);
    expect(Object.keys(one.headers).toSorted()).toEqual([
      "access-control-allow-origin",
      "access-control-expose-headers",
      "connection",
      "content-length",
      "content-type",
      "date",
      "vary",
      "x-request-id",
    ]);
    expect(one.headers["access-control-allow-origin"]).toBe("*");
    expect(one.headers["x-request-id"]).not.toBe(other.headers["x-request-id"]);
  });
});

describe("the mock answers as the reference server does", () => {
  const list = (query: string, headers = {}): SocketRequest => ({
    target: `/v1/notifications${query}`,
    headers: { ...KEY, ...headers },
  });
  const update = (body: string | Buffer, headers: Record<string, string> = {}): SocketRequest => ({
    ...UPDATE,
    headers: { ...UPDATE.headers, ...headers },
    body,
  });
  const preferring = (prefer: string) => [
    list("", { prefer }),
    list("?limit=51", { prefer }),
    list("", { prefer, authorization: "ApiKey other" }),
    update("{", { prefer }),
    { ...list("", { prefer }), method: "HEAD" },
    { target: "/v1/nothing", headers: { ...KEY, prefer } },
  ];

  const rows: [string, SocketRequest[]][] = [
    ["no key", [{ target: "/v1/notifications" }, { target: "/v1/nothing" }, { target: "/v1/%E0%A4%A" }]],
    [
      "other keys",
      ["ApiKey other", "Bearer demo-key", "apikey demo-key", "ApiKey", "demo-key"].map((authorization) =>
        list("", { authorization }),
      ),
    ],
    [
      "other paths",
      [
        "/v1",
        "/v1/notifications/",
        "/V1/notifications",
        "//v1/notifications",
        "/v1/notifications/x",
        "/v2/subscribers//preferences",
        "/v1/../v1/notifications",
      ].map((target) => ({ target, headers: KEY })),
    ],
    [
      "a whole URL or a fragment as target",
      ["http://elsewhere.example/v1/notifications?limit=51", "/v1/notifications?limit=51#x"].map((target) => ({
        target,
        headers: KEY,
      })),
    ],
    [
      "other methods",
      ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"].map((method) => ({ ...LIST, method })),
    ],
    ["other methods of an update", ["HEAD", "GET", "POST", "PUT", "OPTIONS"].map((method) => ({ ...UPDATE, method }))],
    [
      "broken percent-encodings",
      [list("?search=%E0%A4%A"), list("?%=1"), { ...UPDATE, target: "/v2/subscribers/%E0%A4%A/preferences" }],
    ],
    [
      "bounds",
      [
        "limit=0",
        "limit=51",
        "page=-1",
        "page=1.5",
        "limit=1e1",
        "limit=abc",
        "limit=",
        "limit",
        "limit=+5",
        "limit=%205",
        "limit=5.0",
        "limit=0x10",
        "limit=Infinity",
        "page=1e999",
        "page=-Infinity",
      ].map((query) => list(`?${query}`)),
    ],
    [
      "enums, patterns, formats",
      [
        "channels=fax",
        "channels=email,sms",
        "templates=x",
        "after=yesterday",
        "after=2026-02-30T00:00:00Z",
        "before=2026-10-26T24:00:00Z",
        "after=2026-10-26T00:00:00",
      ].map((query) => list(`?${query}`)),
    ],
    [
      "a range that ends before it begins, also where Prefer comes first",
      [
        list("?after=2026-11-01T00:00:00Z&before=2026-10-25T00:00:00Z"),
        list("?after=2026-11-01T00:00:00Z&before=2026-10-25T00:00:00Z", { prefer: "code=200" }),
        list("?after=2026-10-26T01:00:00%2B01:00&before=2026-10-26T00:00:00Z"),
      ],
    ],
    [
      "repeated parameters",
      ["limit=2&limit=3", "search=a&search=b", `channels=${Array(21).fill("sms").join("&channels=")}`].map((query) =>
        list(`?${query}`),
      ),
    ],
    [
      "unknown parameters",
      [
        "chanels=email",
        "__code=200",
        "__server=x",
        "__proto__=1",
        "constructor",
        "channels[]=email",
        "limit=51&x=1",
      ].map((query) => list(`?${query}`)),
    ],
    [
      "all that is empty or needs decoding",
      [
        "",
        "?",
        "?&&",
        "?search=",
        "?page=",
        "?channels=&channels=sms",
        "?emails=a+b@example.com",
        "?search=a+b",
        "?after=2026-10-26T00:00:00+01:00",
        "?search=%25&topicKey=%26",
      ].map((query) => list(query)),
    ],
    [
      "bodies that break the contract",
      [
        "{}",
        "[]",
        "null",
        "0",
        '""',
        "false",
        '{"channels":null}',
        '{"channels":[]}',
        '{"channels":{"email":null}}',
        '{"channels":{"email":"true"}}',
        '{"channels":{"emial":true}}',
        '{"channels":{"__proto__":true}}',
        '{"channels":{},"workflowId":""}',
        '{"channels":{},"workflowId":null}',
        '{"channels":{},"constructor":1}',
        "[",
      ].map((body) => update(body)),
    ],
    [
      "deep bodies",
      [
        "[".repeat(20_000) + "]".repeat(20_000),
        `{"channels":{"email":${"[".repeat(40_000) + "]".repeat(40_000)}}}`,
      ].map((body) => update(body)),
    ],
    ["no body", [update(""), update("   "), { ...UPDATE, body: undefined }].map((request) => request as SocketRequest)],
    ["bodies that are not JSON", ["{", "undefined", '{"channels":{}}x', "\u0000"].map((body) => update(body))],
    [
      "large bodies",
      [update(`{"channels":{},"x":"${"y".repeat(102_300)}"}`), update(`{"channels":{},"x":"${"y".repeat(102_400)}"}`)],
    ],
    [
      "other media types",
      [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/problem+json",
        "",
        "x",
        "application/json; charset=latin1",
        "application/json; charset=utf-16",
      ].map((type) => update('{"channels":{}}', { "content-type": type })),
    ],
    [
      "a form instead of JSON, and a query that cannot be decoded",
      [{ ...update("email=false", { "content-type": "text/plain" }), target: `${UPDATE.target}?x=%zz` }],
    ],
    [
      "other encodings",
      ["gzip", "br", "zstd", "x"].map((encoding) => update('{"channels":{}}', { "content-encoding": encoding })),
    ],
    [
      "what is accepted makes no difference",
      ["text/html", "application/xml;q=1", "x"].map((accept) => list("", { accept })),
    ],
    [
      "idempotency keys",
      [
        update(UPDATE.body ?? "", { "idempotency-key": "k".repeat(255) }),
        update("{}", { "idempotency-key": "k".repeat(256) }),
        list("", { "idempotency-key": "k".repeat(256) }),
      ],
    ],
    ...[
      "code=503",
      "code=200",
      "example=rateLimited",
      "code=999",
      "code=",
      "delay=abc",
      "delay=1",
      "wait=10",
      "code=503;x, delay=1",
      "dynamic=true",
    ].map((value): [string, SocketRequest[]] => [`Prefer: ${value}`, preferring(value)]),
  ];

  test.each(rows)("%s", async (title, requests) => {
    for (const request of requests) {
      const want = toCompared(await sendTo(reference.url, request));
      expect(want.status).toBeLessThan(title.startsWith("Prefer") ? 600 : 500);
      expect(toCompared(await ask(request)), `${request.method ?? "GET"} ${request.target}`).toEqual(want);
    }
  });

  test("what only state can know is 200", async () => {
    for (const id of ["nobody", "..", ".", "%2e%2E", "a%2Fb", "a!b'(c)*", "%00", "%25E0%25A4%25A", "x".repeat(2000)]) {
      expect((await ask({ ...UPDATE, target: `/v2/subscribers/${id}/preferences` })).status, id).toBe(200);
    }
  });

  /** Everything but the moment, the request's id, and the data of a success. */
  function toCompared({ status, headers, body }: Awaited<ReturnType<typeof sendTo>>) {
    const names = Object.keys(headers).filter((name) => !["date", "content-length"].includes(name));
    const { timestamp, ...error } = status >= 400 ? (body ?? {}) : {};
    return { status, type: headers["content-type"], allow: headers.allow, names: names.toSorted(), error };
  }
});
