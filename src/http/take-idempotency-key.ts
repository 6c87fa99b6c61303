// The step that takes the idempotency key of an update, until `sendResponse` releases it. A file holds keys for a day: of
// what makes two requests the same, it records a hash.
import { createHash } from "node:crypto";
import type { RequestHandler } from "express";
import { takeKey, toFingerprint } from "../api/idempotency.js";
import { contextOf, environmentOf } from "./request-context.js";

export const takeIdempotencyKey: RequestHandler = function takeIdempotencyKey(request, response, next) {
  const key = request.get("idempotency-key");
  if (!key) return next();
  const context = contextOf(response);
  const text = toFingerprint(request.method, request.path, request.body);
  const fingerprint = createHash("sha256").update(text).digest("hex");
  const lease = takeKey(environmentOf(response), { key, fingerprint, now: context.now });
  context.idempotent = lease.request;
  context.releaseKey = lease.release;
  next();
};
