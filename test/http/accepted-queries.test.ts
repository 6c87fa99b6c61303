// Asked again, the contract says the same: whatever is remembered of a request changes no answer.
import type { Request } from "express";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAcceptedQueries } from "../../src/http/accepted-queries.js";
import { createReference } from "../support/reference.js";

const reference = await createReference();
const list = reference.contract.operations.find(({ id }) => id === "listNotifications");
if (!list) throw new Error("the contract lists notifications");
const operation = list;

describe("a request that is sent again", () => {
  const parameters = fc.constantFrom("limit", "page", "channels", "search", "after", "nope", "topicKey");
  const values = fc.constantFrom(
    "",
    "1",
    "5",
    "0",
    "-1",
    "1e1",
    "email",
    "in_app,sms",
    "a%20b",
    "a+b",
    "%zz",
    "2026-11-01",
  );
  const queries = fc.array(fc.tuple(parameters, values), { maxLength: 4 });

  test("is answered as the first time, whatever came between", { timeout: 120_000 }, async () => {
    const asked = fc.sample(queries, { numRuns: 150, seed: 7 });
    const urls = asked.map((pairs) => `/v1/notifications?${pairs.map((pair) => pair.join("=")).join("&")}`);
    const ask = async (method: string, url: string) => {
      const { status, body } = await reference.send({ method, url });
      return { status, body };
    };
    const first = await Promise.all(urls.map((url) => ask("GET", url)));
    const again = await Promise.all(urls.map((url) => ask("GET", url)));
    expect(again).toEqual(first);
    const heads = await Promise.all(urls.map((url) => ask("HEAD", url)));
    expect(heads.map(({ status }) => status)).toEqual(first.map(({ status }) => status));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200, 400, 422]));
  });
});

describe("what is remembered", () => {
  const toRequest = (originalUrl: string, headers: Record<string, string> = {}) =>
    ({ originalUrl, headers }) as Request;

  test("is what was accepted, for requests that are equal in all that the contract judges", () => {
    const accepted = createAcceptedQueries(operation);
    accepted.remember(toRequest("/a?b=1", { "idempotency-key": "one" }))({ b: "1" });
    expect(accepted.find(toRequest("/a?b=1", { "idempotency-key": "one" }))).toEqual({ b: "1" });
    expect(accepted.find(toRequest("/a?b=1", { "idempotency-key": "two" }))).toBeUndefined();
    expect(accepted.find(toRequest("/a?b=2", { "idempotency-key": "one" }))).toBeUndefined();
    accepted.remember(toRequest("/a?d"))({ d: "" });
    expect(accepted.find(toRequest("/a?d", { "idempotency-key": "" })), "empty is not missing").toBeUndefined();
    accepted.remember(toRequest("/a?c"));
    expect(accepted.find(toRequest("/a?c")), "not accepted yet").toBeUndefined();
  });

  test("cannot be changed", () => {
    const accepted = createAcceptedQueries(operation);
    accepted.remember(toRequest("/a"))({ list: ["b"] });
    const values = accepted.find(toRequest("/a"));
    expect(Object.isFrozen(values) && Object.isFrozen(values?.list)).toBe(true);
  });

  test("is bounded: the oldest goes, and what is very long is not kept", () => {
    const accepted = createAcceptedQueries(operation);
    for (let index = 0; index <= 1000; index++) accepted.remember(toRequest(`/${index}`))({});
    const kept = Array.from({ length: 1001 }, (_, index) => accepted.find(toRequest(`/${index}`)) !== undefined);
    expect(kept).toEqual([false, ...Array(1000).fill(true)]);
    const long = toRequest(`/${"a".repeat(5000)}`);
    accepted.remember(long)({});
    expect(accepted.find(long)).toBeUndefined();
  });
});
