// Injected faults: which requests they affect in both shells, and how; then what only the control plane can do with them.
import { afterAll, describe, expect, test } from "vitest";
import type { NewFault } from "../../src/browser/client/control.js";
import { createFetchHandler } from "../../src/browser/fetch/fetch-handler.js";
import { completeFault } from "../../src/core/control/faults.js";
import { createFaults } from "../../src/core/request/faults.js";
import type { Environment } from "../../src/core/state/environment.js";
import { startControlled } from "../support/controlled.js";
import { DEMO } from "../support/demo-seed.js";

const LIST = "GET /v1/notifications";
const PREFERENCES = "PATCH /v2/subscribers/ines-moreau/preferences";
const EMAIL_OFF = { body: JSON.stringify({ channels: { email: false } }) };
const NOTHING = { body: JSON.stringify({ channels: {} }) };
const MENTION_ID = "66e0f1a20c4b3d5e6f708101";

const update = (subscriberId: string, body: object): [string, RequestInit] => [
  `PATCH /v2/subscribers/${subscriberId}/preferences`,
  { body: JSON.stringify(body) },
];
const REQUESTS: Record<string, [what: string, init?: RequestInit]> = {
  read: update("ines-moreau", { channels: {} }),
  emailOff: update("ines-moreau", { channels: { email: false } }),
  ofWorkflow: update("ines-moreau", { channels: { email: false }, workflowId: "comment-mention" }),
  ofAnother: update("lucas-moreau", { channels: { email: false } }),
  list: [LIST],
  listTwo: [`${LIST}?subscriberIds=lucas-moreau&subscriberIds=ines-moreau`],
  listOfWorkflow: [`${LIST}?templates=${MENTION_ID}`],
};

const server = await startControlled({}, afterAll);

type Send = (what: string, init?: RequestInit) => Promise<{ status: number; headers: Headers; text: string }>;
const SHELLS: Record<string, (fault: NewFault) => Promise<Send>> = {
  async server(fault) {
    const mine = await server.createEnvironment({ now: "2031-05-05T12:00:00Z" });
    const addition = await mine.control("POST /faults", fault);
    expect([addition.status, addition.body]).toEqual([201, expect.objectContaining(fault)]);
    return async (what, init) => {
      const { status, headers, body } = await mine.request(what, init);
      return { status, headers, text: JSON.stringify(body) };
    };
  },
  async "fetch handler"(fault) {
    const handler = createFetchHandler({ seed: DEMO, now: "2031-05-05T12:00:00Z", faults: [fault] });
    return async (what, init = {}) => {
      const [method = "", target = ""] = what.split(" ");
      const own = { authorization: "ApiKey demo-key", "content-type": "application/json", ...init.headers };
      const response = await handler.fetch(`https://api.example.com${target}`, { ...init, method, headers: own });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
  },
};

describe.each(Object.entries(SHELLS))("%s", (_name, open) => {
  test.each<[string, NewFault, string[]]>([
    ["updates that set a channel", { isUpdate: true }, ["emailOff", "ofWorkflow", "ofAnother"]],
    ["a subscriber", { when: { subscriberId: "ines-moreau" } }, ["read", "emailOff", "ofWorkflow", "listTwo"]],
    ["updates of a subscriber", { isUpdate: true, when: { subscriberId: "lucas-moreau" } }, ["ofAnother"]],
    ["lists of a subscriber", { operation: "listNotifications", when: { subscriberId: "ines-moreau" } }, ["listTwo"]],
    ["a workflow", { when: { workflowId: "comment-mention" } }, ["ofWorkflow"]],
    ["a workflow's list", { when: { workflowId: MENTION_ID } }, ["listOfWorkflow"]],
  ])("affects %s", async (_title, fault, wanted) => {
    const send = await open({ status: 503, ...fault });
    const statuses = await Promise.all(
      Object.entries(REQUESTS).map(async ([name, request]) => [name, (await send(...request)).status] as const),
    );
    expect(new Set(statuses.map(([, status]) => status))).toEqual(new Set([200, 503]));
    expect(statuses.flatMap(([name, status]) => (status === 503 ? [name] : []))).toEqual(wanted);
  });

  const updates = ["read", "emailOff", "read", "list", "ofWorkflow", "emailOff"];
  test.each<[string, NewFault, string[], number[]]>([
    ["count and skip: of matching requests", { status: 503, isUpdate: true, skip: 1, count: 1 }, updates, [4]],
    ["count", { status: 500, count: 2 }, ["list", "read", "list"], [0, 1]],
    ["a second page that fails", { preset: "second-page-fails" }, ["list", "list", "list"], [1]],
    ["a rate limit, once", { preset: "rate-limited", count: 1 }, ["list", "list"], [0]],
  ])("%s", async (_title, fault, names, affected) => {
    const send = await open(fault);
    const failed: number[] = [];
    for (const [index, name] of names.entries())
      if ((await send(...(REQUESTS[name] as [string]))).status >= 400) failed.push(index);
    expect(failed).toEqual(affected);
  });

  test("a response by a preset has its headers", async () => {
    const { status, headers } = await (await open({ preset: "rate-limited" }))(PREFERENCES, NOTHING);
    const limits = { "retry-after": "1", "ratelimit-limit": "150", "ratelimit-remaining": "0" };
    expect([status, Object.fromEntries(headers)]).toEqual([429, expect.objectContaining(limits)]);
  });

  const path = "/v2/subscribers/ada/preferences";
  const WORKFLOW = { channels: { email: false }, workflowId: "digest" };
  test.each([
    ["unknownSubscriber", WORKFLOW, "Subscriber with id: ada is not found."],
    ["unknownWorkflow", WORKFLOW, "Workflow cannot be found: digest."],
    ["unavailable", WORKFLOW, "The service is unavailable."],
    ["unavailable", { channels: {} }, "The preferences could not be read."],
  ])(
    "%s of %j by a fault, and by Prefer, has the time, path and names of its request",
    async (example, body, message) => {
      const send = await open({ example, count: 1 });
      for (const headers of [{}, { prefer: `example=${example}` }]) {
        const { text } = await send(`PATCH ${path}`, { body: JSON.stringify(body), headers });
        const expected = { timestamp: "2031-05-05T12:00:00.000Z", path, message: expect.stringContaining(message) };
        expect(JSON.parse(text)).toMatchObject(expected);
      }
    },
  );
});

test("status: changes nothing, and affects no other environment or operation", async () => {
  const mine = await server.createEnvironment();
  await mine.control("POST /faults", { operation: "updatePreferences", status: 503 });
  const rejection = await mine.request(PREFERENCES, EMAIL_OFF);
  expect([rejection.status, rejection.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
  expect((await mine.request(LIST)).status).toBe(200);
  expect((await server.request(server.apiKey, PREFERENCES, NOTHING)).status).toBe(200);
  await mine.control("DELETE /faults");
  expect((await mine.request(PREFERENCES, NOTHING)).body.global.channels.email).toBe(true);
});

test("delayMs: delays the response, also with a status", async () => {
  const mine = await server.createEnvironment();
  await mine.control("POST /faults", { delayMs: 60, status: 500, count: 1 });
  const started = performance.now();
  expect((await mine.request(LIST)).status).toBe(500);
  expect(performance.now() - started).toBeGreaterThanOrEqual(59);
});

test.each([
  ["Prefer: delay", { prefer: "delay=60000" }, undefined],
  ["a latency fault", {}, { delayMs: 60_000, count: 1 }],
])("%s › a delayed update holds its idempotency key: others get 409", async (_title, delay, fault) => {
  const server = await startControlled();
  const mine = await server.createEnvironment();
  if (fault) await mine.control("POST /faults", fault);
  const send = (init: RequestInit, headers: object = {}) =>
    mine.request(PREFERENCES, { ...init, headers: { "idempotency-key": "held", ...headers } });
  const first = send(EMAIL_OFF, delay);
  const probe = () => send(EMAIL_OFF, { prefer: "code=503" }); // takes the key and records nothing
  await expect.poll(async () => (await probe()).status).toBe(409);
  const second = await send(NOTHING);
  expect([second.status, second.headers.get("retry-after")]).toEqual([409, "1"]);
  await server.close(); // the delay ends
  const { status, headers, body } = await first;
  expect([status, headers.get("idempotency-replay"), body.global.channels.email]).toEqual([200, null, false]);
});

test("the console's requests are exempt", async () => {
  const mine = await server.createEnvironment();
  await mine.control("POST /faults", { status: 503 });
  expect((await mine.request(LIST, { headers: { "x-requested-by": "console" } })).status).toBe(200);
  expect((await mine.control("GET /faults")).body.faults).toMatchObject([{ hits: 0 }]);
});

test("disconnect: the idempotency key is free again", async () => {
  const mine = await server.createEnvironment();
  const update = { ...EMAIL_OFF, headers: { "idempotency-key": "cut" } };
  await mine.control("POST /faults", { disconnect: true, count: 1 });
  await expect(mine.request(PREFERENCES, update)).rejects.toThrow("fetch failed");
  const retry = await mine.request(PREFERENCES, update);
  expect([retry.status, retry.headers.get("idempotency-replay")]).toEqual([200, null]);
});

test("a seed draws the same requests and delays every time", () => {
  const draw = (fault: NewFault) => {
    const [faults, environment] = [createFaults(), {} as Environment];
    faults.add(environment, completeFault(fault));
    return Array.from({ length: 50 }, () => faults.apply(environment, { operation: "listNotifications" })?.delayMs);
  };
  for (const fault of [{ delayMs: 1, share: 0.4 }, { preset: "slow-3g" }] as const) {
    expect(draw({ ...fault, seed: 7 })).toEqual(draw({ ...fault, seed: 7 }));
    expect(draw({ ...fault, seed: 7 })).not.toEqual(draw({ ...fault, seed: 8 }));
  }
  const affected = draw({ delayMs: 1, share: 0.4, seed: 7 }).filter((delayMs) => delayMs !== undefined);
  expect(affected.length).toBeGreaterThan(10);
  expect(affected.length).toBeLessThan(30);
  const delays = draw({ preset: "slow-3g", seed: 7 }).map(Number);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(400);
  expect(Math.max(...delays)).toBeLessThanOrEqual(2_000);
  expect(new Set(delays).size).toBeGreaterThan(40);
  expect([completeFault({ preset: "flaky-10-percent" }).share, completeFault({ status: 503 }).share]).toEqual([0.1, 1]);
});

test("paused: applies to no request, counts none, and goes on when it is resumed", async () => {
  const mine = await server.createEnvironment();
  const { body: fault } = await mine.control("POST /faults", { status: 500, skip: 1, count: 2 });
  const readStatus = async () => (await mine.request(LIST)).status;
  expect([await readStatus(), await readStatus()]).toEqual([200, 500]);
  const paused = await mine.control(`PATCH /faults/${fault.id}`, { paused: true });
  expect(paused.body).toEqual({ ...fault, hits: 1, paused: true });
  expect((await mine.control("GET")).body.faults).toBe(0);
  expect([await readStatus(), await readStatus()]).toEqual([200, 200]);
  await mine.control(`PATCH /faults/${fault.id}`, { paused: false });
  expect((await mine.control("GET")).body.faults).toBe(1);
  expect([await readStatus(), await readStatus()]).toEqual([500, 200]);
  expect((await mine.control("GET /faults")).body.faults).toMatchObject([{ hits: 2, paused: false }]);
  const { requests } = (await server.control(`GET /requests?environment=${mine.name}&status=500`)).body;
  expect(requests.map((request: { fault: string }) => request.fault)).toEqual([fault.id, fault.id]);
});

test("position: the first fault that matches applies, and one that is moved keeps what it has counted", async () => {
  const mine = await server.createEnvironment();
  const { body: first } = await mine.control("POST /faults", { status: 500 });
  const { body: second } = await mine.control("POST /faults", { status: 503 });
  const readStatus = async () => (await mine.request(LIST)).status;
  expect(await readStatus()).toBe(500);
  expect((await mine.control(`PATCH /faults/${second.id}`, { position: 1 })).body).toEqual(second);
  expect([await readStatus(), await readStatus()]).toEqual([503, 503]);
  expect((await mine.control(`PATCH /faults/${second.id}`, { position: 9 })).body).toMatchObject({ hits: 2 });
  expect(await readStatus()).toBe(500);
  const faults = [first, second].map(({ id }) => ({ id, hits: 2 }));
  expect((await mine.control("GET /faults")).body.faults).toMatchObject(faults);
});

test.each([
  ["a range without room", { delayMs: 20, maxDelayMs: 10 }, "must not be less than delayMs"],
  ["no effect", {}, "A fault needs an effect: delayMs, status, example or disconnect."],
  ["two effects", { status: 503, disconnect: true }, "exclude each other: give one"],
  ["an unknown status", { status: 418 }, "The contract has no response with status 418. It has 200 "],
  [
    "a status of another operation",
    { operation: "updatePreferences", status: 402 },
    "updatePreferences has no response with status 402",
  ],
  ["an example of another status", { status: 503, example: "emptyPage" }, "with status 503 and example emptyPage"],
  ["an unknown operation", { operation: "x", status: 503 }, "There is no operation x; expected one of "],
  [
    "a list as an update",
    { operation: "listNotifications", status: 503, isUpdate: true },
    "It matches no request: listNotifications has no body.",
  ],
  ["an unknown condition", { status: 503, when: { subscriber: "x" } }, "body.when.subscriber is unknown"],
])("%s is rejected", async (_title, fault, message) => {
  const mine = await server.createEnvironment();
  const response = await mine.control("POST /faults", fault);
  expect([response.status, response.body.message]).toEqual([422, expect.stringContaining(message)]);
  expect((await mine.control("GET /faults")).body.faults).toEqual([]);
});
