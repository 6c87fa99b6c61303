import { afterAll, describe, expect, test } from "vitest";
import { completeFault } from "../../src/core/control/faults.js";
import { createFaults } from "../../src/core/request/faults.js";
import type { Environment } from "../../src/core/state/environment.js";
import { startControlled } from "../support/controlled.js";

const LIST = "GET /v1/notifications";
const PREFERENCES = "PATCH /v2/subscribers/ines-moreau/preferences";
const EMAIL_OFF = { body: JSON.stringify({ channels: { email: false } }) };
const NOTHING = { body: JSON.stringify({ channels: {} }) };
const DAY = 86_400_000;

const server = await startControlled({}, afterAll);

describe("the clock of an environment", () => {
  const frozen = { mode: "frozen", now: "2031-05-05T12:00:00.000Z" };
  test("can be frozen, advanced, run and reset, without effect on the default environment", async () => {
    const mine = await server.createEnvironment();
    expect((await mine.control("PUT /clock", frozen)).body).toEqual(frozen);
    expect((await mine.control("GET /clock")).body).toEqual(frozen);
    const later = await mine.control("POST /clock/advance", { milliseconds: DAY });
    expect(later.body).toEqual({ mode: "frozen", now: "2031-05-06T12:00:00.000Z" });
    const rejection = await mine.request(`${LIST}?limit=0`);
    expect(rejection.body.timestamp).toBe("2031-05-06T12:00:00.000Z");
    const running = await mine.control("PUT /clock", { mode: "running" });
    expect(running.body.mode).toBe("running");
    expect(Date.parse(running.body.now)).toBeCloseTo(Date.parse(later.body.now), -6);
    const reset = await mine.control("DELETE /clock");
    expect(Date.parse(reset.body.now)).toBeLessThan(Date.parse(frozen.now));
    const other = (await server.control("GET /environments/default/clock")).body;
    expect(Date.parse(other.now)).toBeLessThan(Date.parse(frozen.now));
  });

  const TOO_LATE = "9999-12-31T23:00:00-02:00";
  const beyond: [string, string, object, string][] = [
    ["a year that RFC 3339 cannot write", "PUT clock", { mode: "frozen", now: TOO_LATE }, "body.now"],
    ["a record of such a year", "POST notifications", { createdAt: TOO_LATE }, "body.createdAt"],
  ];
  test.each(beyond)("%s is rejected", async (_title, what, body, location) => {
    const mine = await server.createEnvironment();
    const [method, resource] = what.split(" ");
    const subject = resource === "notifications" ? { subscriberId: "ines-moreau" } : {};
    const response = await mine.control(`${method} /${resource}`, { ...subject, ...body });
    expect([response.status, Object.keys(response.body.errors)]).toEqual([422, [location]]);
  });

  test("it cannot be advanced beyond the year 8999", async () => {
    const mine = await server.createEnvironment();
    const advance = () => mine.control("POST /clock/advance", { milliseconds: 36_500 * DAY });
    await mine.control("PUT /clock", { mode: "running", now: "8850-01-01T00:00:00Z" });
    expect((await advance()).status).toBe(200);
    expect((await advance()).body.message).toBe("It must be in the years 1000 to 8999.");
    expect((await mine.request(LIST)).status).toBe(200);
  });

  test("the plan's window follows it", async () => {
    const server = await startControlled({ plan: "free" });
    const mine = await server.createEnvironment();
    const before = await mine.request(LIST);
    expect(before.body.data.length).toBeGreaterThan(0);
    await mine.control("POST /clock/advance", { milliseconds: 2 * DAY });
    expect((await mine.request(LIST)).body.data).toEqual([]);
    expect((await server.request(server.apiKey, LIST)).body.data.length).toBeGreaterThan(0);
  });
});

describe("faults", () => {
  test("status: responds with the contract's example, and changes nothing", async () => {
    const mine = await server.createEnvironment();
    await mine.control("POST /faults", { operation: "updatePreferences", status: 503 });
    await mine.control("PUT /clock", { mode: "frozen", now: "2030-01-01T00:00:00Z" });
    const rejection = await mine.request(PREFERENCES, EMAIL_OFF);
    expect([rejection.status, rejection.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
    const path = PREFERENCES.replace("PATCH ", "");
    expect(rejection.body).toMatchObject({ timestamp: "2030-01-01T00:00:00.000Z", path });
    expect((await mine.request(LIST)).status).toBe(200);
    expect((await server.request(server.apiKey, PREFERENCES, NOTHING)).status).toBe(200);
    await mine.control("DELETE /faults");
    expect((await mine.request(PREFERENCES, NOTHING)).body.global.channels.email).toBe(true);
  });

  test("delayMs: delays the response, also with a status", async () => {
    const mine = await server.createEnvironment();
    await mine.control("POST /faults", { delayMs: 150, status: 500, count: 1 });
    const started = performance.now();
    expect((await mine.request(LIST)).status).toBe(500);
    expect(performance.now() - started).toBeGreaterThanOrEqual(149);
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
    const headers = { "x-requested-by": "console" };
    expect((await mine.request(LIST, { headers })).status).toBe(200);
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

  test("share and seed: affect the same requests every time", () => {
    const draw = (seed: number) => {
      const faults = createFaults();
      faults.add(server, completeFault({ status: 500, share: 0.4, seed }));
      return Array.from({ length: 40 }, () => faults.apply(server, { operation: "listNotifications" }) !== undefined);
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect([completeFault({ preset: "flaky-10-percent" }).share, completeFault({ status: 503 }).share]).toEqual([
      0.1, 1,
    ]);
    expect(draw(7).filter(Boolean).length).toBeOneOf([11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21]);
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
    expect((await mine.control("GET /faults")).body.faults).toMatchObject([
      { id: first.id, hits: 2 },
      { id: second.id, hits: 2 },
    ]);
  });

  test("count: limits the hits, which are listed; removed by id", async () => {
    const mine = await server.createEnvironment();
    const { body: fault } = await mine.control("POST /faults", { status: 500, count: 2 });
    const statuses = [await mine.request(LIST), await mine.request(LIST), await mine.request(LIST)];
    expect(statuses.map(({ status }) => status)).toEqual([500, 500, 200]);
    expect((await mine.control("GET /faults")).body.faults).toMatchObject([{ id: fault.id, hits: 2 }]);
    expect((await mine.control(`DELETE /faults/${fault.id}`)).status).toBe(204);
    expect((await mine.control(`DELETE /faults/${fault.id}`)).status).toBe(404);
    const { requests } = (await server.control(`GET /requests?environment=${mine.name}&status=500`)).body;
    expect(requests.map((request: { fault: string }) => request.fault)).toEqual([fault.id, fault.id]);
  });

  const outcomes: [string, object, number[]][] = [
    ["skip: spares the first requests", { status: 503, skip: 2, count: 1 }, [200, 200, 503, 200]],
    ["the preset of a second page that fails", { preset: "second-page-fails" }, [200, 503, 200]],
    ["the preset of a rate limit, once", { preset: "rate-limited", count: 1 }, [429, 200]],
  ];
  test.each(outcomes)("%s", async (_title, fault, expected) => {
    const mine = await server.createEnvironment();
    const addition = await mine.control("POST /faults", fault);
    expect([addition.status, addition.body]).toEqual([201, expect.objectContaining(fault)]);
    const statuses: number[] = [];
    for (const _ of expected) statuses.push((await mine.request(LIST)).status);
    expect(statuses).toEqual(expected);
  });

  test("maxDelayMs: delays by a random time, which the seed repeats", async () => {
    const environment = {} as Environment;
    const draw = (seed: number) => {
      const faults = createFaults();
      faults.add(environment, completeFault({ preset: "slow-3g", seed }));
      const apply = () => faults.apply(environment, { operation: "listNotifications" })?.delayMs ?? 0;
      return Array.from({ length: 50 }, apply);
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(Math.min(...draw(7))).toBeGreaterThanOrEqual(400);
    expect(Math.max(...draw(7))).toBeLessThanOrEqual(2_000);
    expect(new Set(draw(7)).size).toBeGreaterThan(40);
  });

  const LISTED = { operation: "listNotifications", status: 503 };
  const EXPECTED = "expected one of ";
  const rejections: [string, object, string][] = [
    ["a range without room", { delayMs: 20, maxDelayMs: 10 }, "must not be less than delayMs"],
    ["no effect", {}, "A fault needs an effect: delayMs, status, example or disconnect."],
    ["two effects", { status: 503, disconnect: true }, "exclude each other: give one"],
    [
      "a status that the contract does not have",
      { status: 418 },
      "The contract has no response with status 418. It has 200 ",
    ],
    [
      "a status of another operation",
      { operation: "updatePreferences", status: 402 },
      "updatePreferences has no response with status 402",
    ],
    [
      "an example of another status",
      { status: 503, example: "emptyPage" },
      "no response with status 503 and example emptyPage",
    ],
    ["an unknown operation", { operation: "deleteAll", status: 503 }, `There is no operation deleteAll; ${EXPECTED}`],
    ["a list as an update", { ...LISTED, isUpdate: true }, "It matches no request: listNotifications has no body."],
    ["an unknown condition", { status: 503, when: { subscriber: "x" } }, "body.when.subscriber is unknown"],
  ];
  test.each(rejections)("%s is rejected", async (_title, fault, message) => {
    const mine = await server.createEnvironment();
    const response = await mine.control("POST /faults", fault);
    expect([response.status, response.body.message]).toEqual([422, expect.stringContaining(message)]);
    expect((await mine.control("GET /faults")).body.faults).toEqual([]);
  });
});
