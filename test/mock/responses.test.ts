// The mock responds with the contract's examples, after the same steps as the reference server.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { responseExamplesOf } from "../../src/contract/operation.js";
import { startMock } from "../../src/mock/mock-server.js";
import type { RunningServer } from "../../src/start-server.js";
import { contract } from "../support/contract.js";
import { expectInContract } from "../support/reference.js";
import { socketRequestOf } from "../support/requests-by-operation.js";
import { type SocketRequest, sendTo } from "../support/socket-request.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { KEY, LIST, UPDATE } from "./requests.js";

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

describe("pages of the list", () => {
  test("are the ones asked for, and come to an end", async () => {
    const page = async (query: string) => (await send({ ...LIST, target: `${LIST.target}?${query}` })).body;
    const { data } = await page("");
    expect(await page("page=0&limit=1")).toEqual({ page: 0, pageSize: 1, hasMore: true, data: data.slice(0, 1) });
    expect(await page("page=1&limit=1")).toEqual({ page: 1, pageSize: 1, hasMore: false, data: data.slice(1) });
    expect(await page(`limit=${data.length}`)).toEqual({ page: 0, pageSize: data.length, hasMore: false, data });
    expect(await page("page=9")).toEqual({ page: 9, pageSize: 10, hasMore: false, data: [] });
  });
});

describe("nothing of Prism's shows", () => {
  test("neither its headers nor headers that are only examples", async () => {
    const one = await send({ ...LIST, headers: { ...KEY, origin: "http://page.example" } });
    const other = await send(LIST);
    expect(Object.keys(one.headers).toSorted().join(" ")).toBe(
      "access-control-allow-origin access-control-expose-headers connection content-length content-type date vary x-content-type-options x-request-id",
    );
    expect(one.headers["access-control-allow-origin"]).toBe("*");
    expect(one.headers["x-request-id"]).not.toBe(other.headers["x-request-id"]);
  });
});

describe("what only the reference server has", () => {
  test("any text is a subscriberId", async () => {
    for (const id of ["nobody", "..", ".", "%2e%2E", "a%2Fb", "a!b'(c)*", "%00", "%25E0%25A4%25A", "x".repeat(2000)]) {
      expect((await send({ ...UPDATE, target: `/v2/subscribers/${id}/preferences` })).status, id).toBe(200);
    }
  });

  test.each(["/_control", "/_control/environments", "/console", "/console/"])(
    "%s is a 404 that names serve",
    async (target) => {
      for (const method of ["GET", "POST", "DELETE"]) {
        const response = await sendTo(mock.url, { method, target });
        expect(response.status).toBe(404);
        expect(response.body.message).toBe(
          "The mock has no control plane and no console. The reference server has both: `notifications-contract serve`.",
        );
      }
    },
  );

  test.each(["/_controls", "/consoles", "/v1/console"])("%s is a path like any other", async (target) => {
    expect((await sendTo(mock.url, { target })).status).toBe(401);
    expect((await sendTo(mock.url, { target, headers: KEY })).body.message).toMatch(/no resource at this path/);
  });
});

describe("an example outside the contract", () => {
  test.each([
    ["with a wrong value", { pageSize: "10" }],
    ["with an unknown member", { surplus: 1 }],
    ["without a list", { data: undefined }],
  ])("%s gives way to what is inside it", async (_title, wrong) => {
    const path = join(await createTemporaryFolder(), "contract.json");
    const document = structuredClone(contract.document);
    const [first] = Object.keys(document.components.examples ?? {}).filter((key) =>
      key.startsWith("listNotifications.200."),
    );
    Object.assign(document.components.examples?.[first ?? ""]?.value as object, wrong);
    await writeFile(path, JSON.stringify(document));
    const broken = await startMock({ contractPath: path });
    for (const headers of [KEY, { ...KEY, prefer: "code=200" }]) {
      const response = await sendTo(broken.url, { ...LIST, headers });
      expect(response.status, response.text).toBe(200);
      expectInContract("GET", LIST.target, response);
    }
    await broken.close();
  });
});

test("an idempotency key is returned where the contract declares it", async () => {
  const path = join(await createTemporaryFolder(), "contract.json");
  const document = structuredClone(contract.document);
  const success = document.paths["/v2/subscribers/{subscriberId}/preferences"]?.patch?.responses["200"];
  Reflect.deleteProperty(Object(success).headers, "Idempotency-Key");
  await writeFile(path, JSON.stringify(document));
  const without = await startMock({ contractPath: path });
  const request = { ...UPDATE, headers: { ...UPDATE.headers, "idempotency-key": "once" } };
  expect((await sendTo(mock.url, request)).headers["idempotency-key"]).toBe("once");
  expect((await sendTo(without.url, request)).headers).not.toHaveProperty("idempotency-key");
  await without.close();
});

test("a stop responds to what is under way, to a delayed request at once", async () => {
  const stopped = await startMock();
  const late = sendTo(stopped.url, { ...LIST, headers: { ...KEY, prefer: "code=200, delay=60000" } });
  await sendTo(stopped.url, LIST); // by this response the mock has read the late request, too
  await stopped.close();
  expect((await late).status).toBe(200);
});
