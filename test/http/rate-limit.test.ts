import { describe, expect, test } from "vitest";
import { createReference, type TestAnswer } from "../support/reference.js";

const LIST = { url: "/v1/notifications?limit=1" };
const UPDATE = { method: "PATCH", url: "/v2/subscribers/ines-moreau/preferences", body: { channels: {} } };

const rateOf = ({ status, headers }: TestAnswer) => [
  status,
  headers["ratelimit-limit"],
  headers["ratelimit-remaining"],
  headers["ratelimit-reset"],
];

describe("--rate-limit", () => {
  test.each([
    ["free", LIST, '150;w=5;burst=165;comment="token bucket";category="global";cost="single";serviceLevel="free"'],
    [
      "free",
      UPDATE,
      '100;w=5;burst=110;comment="token bucket";category="configuration";cost="single";serviceLevel="free"',
    ],
    ["pro", LIST, '600;w=5;burst=660;comment="token bucket";category="global";cost="single";serviceLevel="pro"'],
    [
      "business",
      UPDATE,
      '1000;w=5;burst=1100;comment="token bucket";category="configuration";cost="single";serviceLevel="business"',
    ],
    [
      "enterprise",
      LIST,
      '15000;w=5;burst=16500;comment="token bucket";category="global";cost="single";serviceLevel="enterprise"',
    ],
  ] as const)("%s: the policy of %j", async (rateLimit, request, policy) => {
    const { send } = await createReference({ rateLimit });
    const answer = await send(request);
    const [limit, , burst] = policy.split(";");
    expect(answer.headers["ratelimit-policy"]).toBe(policy);
    expect(rateOf(answer)).toEqual([200, limit, String(Number(burst?.slice(6)) - 1), "5"]);
  });

  test("used up: 429 until the window is over; each operation and environment has its own; refusals count too", async () => {
    const { send, clock, store, seed } = await createReference({ rateLimit: "free" });
    await store.create({ name: "other", apiKey: "other-key", seed, isDurable: false });
    for (let used = 1; used <= 110; used += 1) {
      const answer = await send(used % 10 === 0 ? { ...UPDATE, body: {} } : UPDATE);
      expect(rateOf(answer)).toEqual([used % 10 === 0 ? 422 : 200, "100", String(110 - used), "5"]);
    }
    clock.set(new Date(clock.now().getTime() + 1_500));
    const refused = await send({ ...UPDATE, body: { channels: { email: false } } });
    expect(rateOf(refused)).toEqual([429, "100", "0", "4"]);
    expect(refused.headers["retry-after"]).toBe("4");
    expect(refused.body).toMatchObject({
      message: expect.stringContaining("API rate limit exceeded"),
      ctx: { decision: "D-54" },
    });
    expect((await send(LIST)).status).toBe(200);
    expect((await send({ ...UPDATE, headers: { authorization: "ApiKey other-key" } })).status).toBe(200);

    clock.set(new Date(clock.now().getTime() + 3_500));
    const again = await send(UPDATE);
    expect(rateOf(again)).toEqual([200, "100", "99", "5"]);
    expect(again.body.global.channels.email).toBe(true);
  });

  test("it is filled only once it is empty; idle for two windows it is new", async () => {
    const { send, clock } = await createReference({ rateLimit: "free" });
    const later = (ms: number) => clock.set(new Date(clock.now().getTime() + ms));
    expect(rateOf(await send(UPDATE))).toEqual([200, "100", "109", "5"]);
    later(9_999);
    expect(rateOf(await send(UPDATE))).toEqual([200, "100", "108", "0"]);
    later(10_000);
    expect(rateOf(await send(UPDATE))).toEqual([200, "100", "109", "5"]);
  });

  test("a clock that is set back does not lock anybody out", async () => {
    const { send, clock } = await createReference({ rateLimit: "free" });
    for (let used = 0; used < 111; used += 1) await send(UPDATE);
    clock.set(new Date(clock.now().getTime() - 86_400_000));
    expect(rateOf(await send(UPDATE))).toEqual([200, "100", "109", "5"]);
  });

  test("off by default: no such header", async () => {
    const { send } = await createReference();
    const names = Object.keys((await send(LIST)).headers);
    expect(names.filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });

  test("without a key nothing is counted or told", async () => {
    const { send } = await createReference({ rateLimit: "free" });
    const answer = await send({ ...LIST, headers: { authorization: null } });
    expect(rateOf(answer)).toEqual([401, undefined, undefined, undefined]);
  });
});
