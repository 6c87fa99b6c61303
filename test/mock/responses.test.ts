// The mock responds with the contract's examples, after the same steps as the reference server.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { responseExamplesOf } from "../../src/contract/operation.js";
import { startMock } from "../../src/mock/mock-server.js";
import { type RunningServer, startServer } from "../../src/start-server.js";
import { contract } from "../support/contract.js";
import { createLogLines } from "../support/log-lines.js";
import { expectInContract } from "../support/reference.js";
import { socketRequestOf } from "../support/requests-by-operation.js";
import { ok, writeSmallContract } from "../support/small-contract.js";
import { type SocketRequest, sendTo } from "../support/socket-request.js";

const KEY = { authorization: "ApiKey demo-key" };
const LIST = socketRequestOf({ id: "listNotifications" }, "demo-key");
const UPDATE = socketRequestOf({ id: "updatePreferences" }, "demo-key");

let mock: RunningServer;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

async function send(request: SocketRequest) {
  const response = await sendTo(mock.url, request);
  expectInContract(request.method ?? "GET", request.target, response);
  return response;
}

describe.each(contract.operations.map((operation) => [operation.id, operation] as const))("%s", (_id, operation) => {
  const examples = responseExamplesOf(operation);
  const request = socketRequestOf(operation, "demo-key");

  test("responds with the first example of its success", async () => {
    const response = await send(request);
    expect([response.status, response.body]).toEqual([200, examples[0]?.body]);
  });

  test.each(examples.map((example) => [example.name, example] as const))("example=%s", async (name, example) => {
    const response = await send({ ...request, headers: { ...request.headers, prefer: `example=${name}, delay=1` } });
    const { timestamp, path, message } = response.body; // an error has the request's own
    const own = example.status < 400 ? {} : { timestamp, path, message };
    expect(response).toMatchObject({ status: example.status, body: { ...(example.body as object), ...own } });
    expect(response.headers).toMatchObject({ "preference-applied": `example=${name}, delay=1` });
  });
});

test("pages of the list are the requested ones, and come to an end", async () => {
  const page = async (query: string) => (await send({ ...LIST, target: `${LIST.target}?${query}` })).body;
  const { data } = await page("");
  expect(await page("page=0&limit=1")).toEqual({ page: 0, pageSize: 1, hasMore: true, data: data.slice(0, 1) });
  expect(await page("page=1&limit=1")).toEqual({ page: 1, pageSize: 1, hasMore: false, data: data.slice(1) });
  expect(await page(`limit=${data.length}`)).toEqual({ page: 0, pageSize: data.length, hasMore: false, data });
  expect(await page("page=9")).toEqual({ page: 9, pageSize: 10, hasMore: false, data: [] });
});

test("neither headers of Prism's nor headers that are only examples are sent", async () => {
  const one = await send({ ...LIST, headers: { ...KEY, origin: "http://page.example" } });
  const other = await send(LIST);
  expect(Object.keys(one.headers).toSorted().join(" ")).toBe(
    "access-control-allow-origin access-control-expose-headers connection content-length content-type date vary x-content-type-options x-request-id",
  );
  expect(one.headers["access-control-allow-origin"]).toBe("*");
  expect(one.headers["x-request-id"]).not.toBe(other.headers["x-request-id"]);
});

describe("what only the reference server has", () => {
  test("any text is a subscriberId", async () => {
    for (const id of ["nobody", "..", "%2e%2E", "a%2Fb", "a!b'(c)*", "%00", "%25E0%25A4%25A", "x".repeat(2000)]) {
      expect((await send({ ...UPDATE, target: `/v2/subscribers/${id}/preferences` })).status, id).toBe(200);
    }
  });

  test.each([
    ["GET", "/_control"],
    ["DELETE", "/_control/environments"],
    ["GET", "/console"],
    ["GET", "/console/"],
  ])("%s %s is a 404 that names serve", async (method, target) => {
    const { status, body } = await sendTo(mock.url, { method, target });
    const message = "The mock has no control plane and no console. The reference server has both";
    expect([status, body.message]).toEqual([404, `${message}: \`notifications-contract serve\`.`]);
  });

  test.each(["/_controls", "/consoles", "/v1/console"])("%s is a path like any other", async (target) => {
    expect((await sendTo(mock.url, { target })).status).toBe(401);
    expect((await sendTo(mock.url, { target, headers: KEY })).body.message).toMatch(/no resource at this path/);
  });
});

test("an example outside the contract gives way to what is inside it", async () => {
  const SCHEMA = {
    ...{ type: "object", required: ["size", "cups"], additionalProperties: false },
    properties: { size: { type: "integer" }, cups: { type: "array", items: { type: "string" } } },
  };
  const get = (example: object) => ({ get: { responses: ok(SCHEMA, { example }) } });
  const contractPath = await writeSmallContract({
    "/v1/wrong-value": get({ size: "10", cups: [] }),
    "/v1/unknown-member": get({ size: 1, cups: [], surplus: 1 }),
    "/v1/no-list": get({ size: 1 }),
  });
  const broken = await startMock({ contractPath });
  onTestFinished(broken.close);
  for (const target of ["/v1/wrong-value", "/v1/unknown-member", "/v1/no-list"])
    for (const headers of [{}, { prefer: "code=200" }]) {
      const { status, body } = await sendTo(broken.url, { target, headers });
      expect([status, body]).toEqual([200, { size: expect.any(Number), cups: expect.any(Array) }]);
    }
});

test.each([
  ["the mock", startMock],
  ["the server", startServer],
])("%s names a schema at its start that no value satisfies", async (_title, start) => {
  const responses = ok({ type: "integer", minimum: 5, maximum: 3 });
  const contractPath = await writeSmallContract({ "/v1/cups": { get: { responses } } });
  const { log, logged } = createLogLines();
  const server = await start({ contractPath, log });
  onTestFinished(server.close);
  expect(server.implementation?.cannotBeShown).toEqual([expect.stringMatching(/^GET \/v1\/cups 200 body must be /)]);
  expect(await logged(/cups\.json forbids it/)).toContain("GET /v1/cups 200 body must be");
});

test("an idempotency key is returned where the contract declares it", async () => {
  const responses = ok({ type: "object" });
  const headers = { "Idempotency-Key": { schema: { type: "string" } } };
  const contractPath = await writeSmallContract({
    "/v1/with": { patch: { responses: { 200: { ...responses[200], headers } } } },
    "/v1/without": { patch: { responses } },
  });
  const own = await startMock({ contractPath });
  onTestFinished(own.close);
  const keyOf = async (target: string) =>
    (await sendTo(own.url, { method: "PATCH", target, headers: { "idempotency-key": "once" } })).headers[
      "idempotency-key"
    ];
  expect([await keyOf("/v1/with"), await keyOf("/v1/without")]).toEqual(["once", undefined]);
});
