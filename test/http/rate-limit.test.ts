import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bucket, rateLimitOf, takeToken } from "../../src/domain/plan.js";
import { createReference, type TestResponse } from "../support/reference.js";

const LIST = { url: "/v1/notifications?limit=1" };
const UPDATE = { method: "PATCH", url: "/v2/subscribers/ines-moreau/preferences", body: { channels: {} } };

const rateOf = ({ status, headers }: TestResponse) => [
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
    const response = await send(request);
    const [limit, , burst] = policy.split(";");
    expect(response.headers["ratelimit-policy"]).toBe(policy);
    expect(rateOf(response)).toEqual([200, limit, String(Number(burst?.slice(6)) - 1), "1"]);
  });

  test("an empty bucket gets back what has accrued; each operation and environment has its own; 422 counts too", async () => {
    const { send, later, store, seed } = await startAt();
    await store.create({ name: "other", apiKey: "other-key", seed, isDurable: false });
    for (let count = 1; count <= 110; count += 1) {
      const response = await send(count % 10 === 0 ? { ...UPDATE, body: {} } : UPDATE);
      expect(rateOf(response)).toEqual([count % 10 === 0 ? 422 : 200, "100", String(110 - count), "1"]);
    }
    later(49);
    const rejection = await send({ ...UPDATE, body: { channels: { email: false } } });
    expect(rateOf(rejection)).toEqual([429, "100", "0", "1"]);
    expect(rejection.headers["retry-after"]).toBe("1");
    expect(rejection.body).toMatchObject({
      message: expect.stringContaining("API rate limit exceeded"),
      ctx: { decision: "D-54" },
    });
    expect((await send(LIST)).status).toBe(200);
    expect((await send({ ...UPDATE, headers: { authorization: "ApiKey other-key" } })).status).toBe(200);

    later(1);
    const again = await send(UPDATE);
    expect(rateOf(again)).toEqual([200, "100", "0", "1"]);
    expect(again.body.global.channels.email).toBe(true);
    expect(rateOf(await send(UPDATE))).toEqual([429, "100", "0", "1"]);
    later(1_000);
    expect(rateOf(await send(UPDATE))).toEqual([200, "100", "19", "1"]);
  });

  test("170 lists in 1.5 s under free: none is rejected", async () => {
    const limit = rateLimitOf("free", "global");
    let bucket: Bucket | undefined;
    for (let count = 0; count < 170; count += 1) {
      const result = takeToken(limit, bucket, Math.round((count * 1_500) / 169));
      bucket = result.bucket;
      expect(result).toMatchObject({ isAllowed: true, resetSeconds: expect.toBeOneOf([0, 1]) });
    }
  });

  test("while there are tokens, none is added; two windows after its last refill a bucket is full", async () => {
    const { send, later } = await startAt();
    expect(rateOf(await send(UPDATE))).toEqual([200, "100", "109", "1"]);
    later(9_999);
    expect(rateOf(await send(UPDATE))).toEqual([200, "100", "108", "0"]);
    later(1);
    expect(rateOf(await send(UPDATE))).toEqual([200, "100", "109", "1"]);
  });

  test("a clock that is set back does not lock anybody out", () => {
    const empty = { tokens: 0, refilledAt: 86_400_000 };
    expect(takeToken(rateLimitOf("free", "configuration"), empty, 0)).toMatchObject({
      isAllowed: true,
      remaining: 109,
      resetSeconds: 1,
    });
  });

  test("what is no operation neither counts nor has the headers: 401, 404, 405 and OPTIONS", async () => {
    const { send } = await startAt();
    const others = [
      { ...LIST, headers: { authorization: null } },
      { url: "/v1/nothing" },
      { ...LIST, method: "POST" },
      { ...LIST, method: "OPTIONS" },
    ];
    const rates = [];
    for (const request of others) rates.push(rateOf(await send(request)));
    expect(rates).toEqual([401, 404, 405, 204].map((status) => [status, undefined, undefined, undefined]));
    expect(rateOf(await send(LIST))).toEqual([200, "150", "164", "1"]);
  });

  test("off by default: no such header", async () => {
    const { send } = await createReference();
    const names = Object.keys((await send(LIST)).headers);
    expect(names.filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });
});

test("takeToken › agrees with a bucket that is simulated millisecond by millisecond", () => {
  const waits = fc.array(fc.oneof(fc.constant(0), fc.nat(60), fc.nat(3_000)), { minLength: 1, maxLength: 400 });
  // Plans whose token accrues in whole milliseconds, so that the simulation is exact.
  fc.assert(
    fc.property(fc.constantFrom("free" as const, "business" as const), waits, (plan, pauses) => {
      const limit = rateLimitOf(plan, "configuration");
      const model = simulateBucket(5_000 / limit.limit, limit.burst);
      let bucket: Bucket | undefined;
      let now = 1_000_000;
      for (const pause of [0, ...pauses]) {
        now += pause;
        const result = takeToken(limit, bucket, now);
        bucket = result.bucket;
        const { isAllowed, remaining, resetSeconds } = result;
        expect({ isAllowed, remaining, resetSeconds }).toEqual(model.take(pause));
      }
    }),
    { numRuns: 60 },
  );
});

/** A bucket beside a tray: each interval drips a token into the tray, which is poured into the bucket when it is empty. */
function simulateBucket(intervalMs: number, burst: number) {
  let [tokens, tray, dripIn, age] = [burst, 0, intervalMs, 0];
  return {
    take(pause: number) {
      for (let ms = 0; ms < pause; ms += 1) {
        age += 1;
        dripIn -= 1;
        if (dripIn > 0) continue;
        tray += 1;
        dripIn = intervalMs;
      }
      if (age >= 10_000) [tokens, tray, dripIn, age] = [burst, 0, intervalMs, 0];
      if (tokens === 0 && tray > 0) [tokens, tray, age] = [Math.min(tray, burst), 0, intervalMs - dripIn];
      const isAllowed = tokens > 0;
      if (isAllowed) tokens -= 1;
      return { isAllowed, remaining: tokens, resetSeconds: tray > 0 ? 0 : 1 };
    },
  };
}

/** A server under `free`, whose clock moves when the test says so. */
async function startAt() {
  const reference = await createReference({ rateLimit: "free" });
  const { clock } = reference;
  return { ...reference, later: (ms: number) => clock.set(new Date(clock.now().getTime() + ms)) };
}
