// Prefer on the reference server (D-71). The mock has the same step, and test/mock and `verify` try each example.
import { request as openRequest } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServer } from "../../../src/start-server.js";
import { createReference, type TestRequest } from "../../support/reference.js";
import { requestOf } from "../../support/requests-by-operation.js";

const reference = await createReference();
const { send } = reference;

const LIST = requestOf({ id: "listNotifications" });
const UPDATE = requestOf({ id: "updatePreferences" });

const prefer = (request: TestRequest, value: string) =>
  send({ ...request, headers: { ...request.headers, prefer: value } });

describe("the headers of a preferred response", () => {
  test("405 has the methods of its own path", async () => {
    expect((await prefer(UPDATE, "code=405")).headers.allow).toBe("PATCH, OPTIONS");
  });

  test("HEAD has them too, without a body", async () => {
    const response = await prefer({ ...LIST, method: "HEAD" }, "code=429");
    expect([response.status, response.text]).toEqual([429, undefined]);
    expect(response.headers).toMatchObject({ "retry-after": "1", "preference-applied": "code=429" });
  });

  test("Vary names Prefer whether it was sent or not", async () => {
    expect((await send(LIST)).headers.vary).toBe("Prefer");
    expect((await prefer(LIST, "code=503")).headers.vary).toBe("Prefer");
  });
});

test.each([
  ["an undeclared code", "code=409", "listNotifications has 200, 400, 401, 402, 405, 422, 429, 500, 503."],
  ["an invalid code", "code=abc", "code=abc is not in the contract."],
  ["a code without a value", "code", "Prefer: code= is not in the contract. listNotifications has 200,"],
  ["a delay without a value", "code=503, delay=", "delay= is not supported. It must be a whole"],
  ["an undeclared example", "example=nope", "example=nope is not in the contract. listNotifications has "],
  ["one of another status", "code=503, example=rateLimited", "503 of listNotifications has unavailable."],
  ["an invalid delay", "delay=abc", "a whole number of milliseconds from 0 to 60000"],
  ["a delay of more than a minute", "delay=60001", "from 0 to 60000"],
])("an unsupported preference is 400, with the supported ones: %s", async (_title, value, message) => {
  const response = await prefer(LIST, value);
  expect(response.status).toBe(400);
  expect(response.body.message).toContain(message);
  expect(response.body.ctx).toEqual({ code: "invalidPreference", decision: "D-71" });
  expect(response.headers["preference-applied"]).toBeUndefined();
});

test("other preferences are ignored, and not listed as applied", async () => {
  const response = await prefer(LIST, "respond-async, wait=10, dynamic=true");
  expect([response.status, response.body.data.length]).toEqual([200, 10]);
  expect(response.headers["preference-applied"]).toBeUndefined();
});

test("a preferred response changes neither the preferences, nor the response of its idempotency key", async () => {
  const own = await createReference();
  const state = () => own.send({ ...UPDATE, body: { channels: {} } });
  const before = await state();
  const keyed = { ...UPDATE, headers: { "idempotency-key": "preferred" } };
  const preferred = await own.send({ ...keyed, headers: { ...keyed.headers, prefer: "code=200" } });
  expect(preferred.status).toBe(200);
  expect((await state()).body).toEqual(before.body);
  const real = await own.send(keyed);
  expect([real.status, real.headers["idempotency-replay"]]).toEqual([200, undefined]);
  expect(real.body.global.channels.email).toBe(false);
});

describe("delay", () => {
  test("alone delays the real response", async () => {
    const started = performance.now();
    const response = await prefer({ url: "/v1/notifications?limit=3" }, "delay=60");
    expect(performance.now() - started).toBeGreaterThan(55);
    expect([response.status, response.body.data.length]).toEqual([200, 3]);
    expect(response.headers["preference-applied"]).toBe("delay=60");
  });

  test("delays a preferred response, and a rejection by the operation", async () => {
    const preferred = await prefer(LIST, "delay=1, code=503");
    expect([preferred.status, preferred.headers["preference-applied"]]).toEqual([503, "code=503, delay=1"]);
    const rejection = await prefer({ ...UPDATE, url: "/v2/subscribers/nobody/preferences" }, "delay=1");
    expect([rejection.status, rejection.headers["preference-applied"]]).toEqual([404, "delay=1"]);
  });

  test("ends when the client disconnects; the update still counts", async () => {
    const server = await startServer();
    const init = { method: "PATCH", headers: { ...AUTHORIZED, "content-type": "application/json" } };
    const isEmailOn = async () => {
      const response = await fetch(server.url + UPDATE.url, { ...init, body: '{"channels":{}}' });
      return ((await response.json()) as { global: { channels: { email: boolean } } }).global.channels.email;
    };
    const late = open(server, { method: "PATCH", path: UPDATE.url, prefer: "delay=60000" });
    late.request.end(JSON.stringify(UPDATE.body));
    await late.arrived;
    expect(await isEmailOn()).toBe(true); // now the server has read the body of the late request, too
    late.request.destroy();
    await expect.poll(isEmailOn).toBe(false);
    await server.close();
  });

  test("does not delay the stop: the responses are sent immediately", async () => {
    const server = await startServer();
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const late = Array.from({ length: 12 }, () =>
      open(server, { method: "GET", path: LIST.url, prefer: "delay=60000" }),
    );
    for (const { request } of late) request.end();
    await Promise.all(late.map(({ arrived }) => arrived));
    const [statuses] = await Promise.all([Promise.all(late.map(({ status }) => status)), server.close()]);
    expect(statuses).toEqual(Array(12).fill(200));
    expect(warnings).toEqual([]);
  });
});

const AUTHORIZED = { authorization: "ApiKey demo-key" };

/** `arrived` settles once the server has the request, as the response to `Expect` shows. */
function open({ port }: { port: number }, { method, path, prefer }: { method: string; path: string; prefer: string }) {
  const headers = { ...AUTHORIZED, "content-type": "application/json", prefer, expect: "100-continue" };
  const request = openRequest({ port, method, path, headers, agent: false });
  const arrived = new Promise<void>((resolve) => request.once("continue", resolve));
  const status = new Promise<number | undefined>((resolve) => {
    request.once("response", (response) => resolve(response.resume().statusCode));
    request.once("error", () => resolve(undefined));
  });
  return { request, arrived, status };
}
