// Idempotent updates: one key, one effect, one response. The response is recorded in the commit that holds the effect,
// so that no crash comes between them. Decisions D-57 to D-62.
import { createHash } from "node:crypto";
import type { Change } from "../domain/change.js";
import type { EnvironmentView } from "../domain/environment-view.js";
import { isKept } from "../domain/recorded-responses.js";
import type { RecordedResponse } from "../domain/state.js";
import type { Environment } from "../store/environment.js";
import { RequestError } from "./errors.js";
import type { HttpResponse } from "./response.js";

export interface IdempotentRequest {
  environment: Environment;
  key: string;
  /** From `fingerprintOf`. */
  fingerprint: string;
  now: Date;
}

export type Decide = (view: EnvironmentView) => { response: HttpResponse; changes: readonly Change[] };

const inProgress = new WeakMap<Environment, Set<string>>();

/** What makes two requests the same: method, path and re-serialised body, so that white space does not count (D-59). */
export function fingerprintOf(method: string, path: string, body: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([method, path, body]))
    .digest("hex");
}

/**
 * Executes a request once: later requests with its key get its recorded response.
 * @throws RequestError while the first one is in progress, or when the key was used for another request.
 */
export async function executeOnce(request: IdempotentRequest, decide: Decide): Promise<HttpResponse> {
  const { environment, key } = request;
  // What is recorded is durable. It need not wait for the disk, and counts before "in progress".
  const recorded = environment.state.recordedResponse(key);
  if (recorded && isKept(recorded, request.now.getTime())) return replay(recorded, request);
  const keys = inProgress.get(environment) ?? new Set();
  inProgress.set(environment, keys);
  if (keys.has(key)) throw inProgressError(key);
  keys.add(key);
  try {
    return await environment.transact((view) => {
      const { response, changes } = decide(view);
      return {
        result: response,
        changes: [...changes, { type: "responseRecorded", response: toRecord(response, request) }],
      };
    });
  } finally {
    keys.delete(key);
  }
}

function replay(recorded: RecordedResponse, { fingerprint, key }: IdempotentRequest): HttpResponse {
  if (recorded.fingerprint !== fingerprint) throw reusedError(key);
  const { status, headers, body } = recorded;
  return { status, headers: { ...headers, "Idempotency-Replay": "true" }, body };
}

function toRecord(
  { status, headers, body }: HttpResponse,
  { key, fingerprint, now }: IdempotentRequest,
): RecordedResponse {
  return { key, fingerprint, recordedAt: now.toISOString(), status, headers: { ...headers }, body };
}

function inProgressError(key: string): RequestError {
  const message = `Request with key "${key}" is currently being processed. Please retry after 1 second`;
  return new RequestError("idempotencyInProgress", message, {
    headers: { "Retry-After": "1", "Idempotency-Key": key },
  });
}

function reusedError(key: string): RequestError {
  const message = "is being reused for a different request. Send a new key with each new request.";
  return new RequestError("idempotencyKeyReused", `Request with key "${key}" ${message}`, {
    headers: { "Idempotency-Key": key },
    violations: { "header.idempotency-key": { messages: [message], value: key, decision: "D-59" } },
  });
}
