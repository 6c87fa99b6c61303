// The simulated rate limit (D-54), where it is switched on. It counts by the clock of the environment.
import type { RequestHandler } from "express";
import { RequestError } from "../api/errors.js";
import type { Operation, OperationId } from "../contract/operations.js";
import { type Bucket, type Plan, type RateCategory, rateLimitOf, takeToken } from "../domain/plan.js";
import type { Environment } from "../store/environment.js";
import { contextOf, environmentOf } from "./request-context.js";

const CATEGORIES: Readonly<Record<OperationId, RateCategory>> = {
  updatePreferences: "configuration",
  listNotifications: "global",
};

/** Where a bucket is not full at the start. */
const initial = new WeakMap<Environment, Bucket>();

/** As after a burst: the next request of an environment exceeds the limit. */
export function exhaustRateLimit(environment: Environment, now: Date): void {
  initial.set(environment, { tokens: 0, refilledAt: now.getTime() });
}

/** Creates the step of one operation; a 404 or 405 takes no token (D-54). */
export function createRateLimit(plan: Plan): (operation: Operation) => RequestHandler {
  return ({ id }) => {
    const limit = rateLimitOf(plan, CATEGORIES[id as OperationId] ?? "global");
    const buckets = new WeakMap<Environment, Bucket>();
    return function rateLimit(_request, response, next) {
      const environment = environmentOf(response);
      const now = contextOf(response).now.getTime();
      const { bucket, isAllowed, remaining, resetSeconds } = takeToken(
        limit,
        buckets.get(environment) ?? initial.get(environment),
        now,
      );
      buckets.set(environment, bucket);
      response.setHeader("RateLimit-Limit", limit.limit);
      response.setHeader("RateLimit-Remaining", remaining);
      response.setHeader("RateLimit-Reset", resetSeconds);
      response.setHeader("RateLimit-Policy", limit.policy);
      if (isAllowed) return next();
      const message = "API rate limit exceeded. Retry after the number of seconds in Retry-After.";
      throw new RequestError("rateLimited", message, { headers: { "Retry-After": String(resetSeconds) } });
    };
  };
}
