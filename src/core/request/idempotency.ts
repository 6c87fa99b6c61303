// Idempotent updates: one key, one effect, one response. The response is recorded in the same commit as the effect, so
// that no crash can separate them. Decisions D-57 to D-62.
import { memoize } from "../../contract/memoize.js";
import type { Operation, Parameter } from "../../contract/model.js";
import type { RecordedResponse } from "../domain/state.js";
import type { Environment, Transaction } from "../state/environment.js";
import { isKept } from "../state/environment-state.js";
import { RequestError } from "./errors.js";
import { type Exchange, type HttpResponse, type IdempotentRequest, timeOf } from "./exchange.js";

const keysInProgress = memoize((_environment: Environment) => new Set<string>());

/**
 * Takes the key of an update, if it has one. No other request can take it until this one is done with it, however long
 * its response is delayed. Returns the function that releases the key.
 * @throws RequestError while another request holds it, or if it was used for a different request.
 */
export function takeIdempotencyKey(exchange: Exchange, { parameters }: Operation): (() => void) | undefined {
  const { environment, headers, method, path, input } = exchange;
  const now = timeOf(exchange);
  const key = headers["idempotency-key"]?.toString();
  if (!key || !environment || !parameters.some(isIdempotencyKey)) return undefined; // elsewhere it means nothing
  const fingerprint = environment.digest(fingerprintOf(method, path, input.body));
  const record = environment.state.recordedResponse(key);
  if (record && isKept(record, now.getTime())) {
    if (record.fingerprint !== fingerprint) throw reusedError(key);
    exchange.idempotent = { key, fingerprint, now, recorded: record };
    return undefined;
  }
  const keys = keysInProgress(environment);
  if (keys.has(key)) throw inProgressError(key);
  keys.add(key);
  exchange.idempotent = { key, fingerprint, now };
  return () => keys.delete(key);
}

function isIdempotencyKey({ in: where, name }: Parameter): boolean {
  return where === "header" && name.toLowerCase() === "idempotency-key";
}

/** Executes a request that holds its key and records the response, or replays the recorded one. */
export async function executeOnce(
  environment: Environment,
  request: IdempotentRequest,
  transaction: Transaction<HttpResponse>,
): Promise<HttpResponse> {
  if (request.recorded) return createReplay(request.recorded);
  return environment.transact((state) => {
    const { result, changes } = transaction(state);
    return { result, changes: [...changes, { type: "responseRecorded", response: createRecord(result, request) }] };
  });
}

/** Identifies a request by method, path and re-serialised body, so that white space does not count (D-59). */
function fingerprintOf(method: string, path: string, body: unknown): string {
  return JSON.stringify([method, path, body]);
}

function createReplay({ status, headers, body }: RecordedResponse): HttpResponse {
  return { status, headers: { ...headers, "Idempotency-Replay": "true" }, body };
}

function createRecord(
  { status, headers, body }: HttpResponse,
  { key, fingerprint, now }: IdempotentRequest,
): RecordedResponse {
  return { key, fingerprint, recordedAt: now.toISOString(), status, headers: { ...headers }, body };
}

function inProgressError(key: string): RequestError {
  const message = `Request with key "${key}" is currently being processed. Please retry after 1 second`;
  return new RequestError("idempotencyInProgress", message, {
    headers: { "Retry-After": "1", ...rejectionHeaders(key, "D-57") },
  });
}

function reusedError(key: string): RequestError {
  const message = "is being reused for a different request. Send a new key with each new request.";
  return new RequestError("idempotencyKeyReused", `Request with key "${key}" ${message}`, {
    headers: rejectionHeaders(key, "D-59"),
    violations: { "header.idempotency-key": { code: "keyReused", messages: [message], value: key, decision: "D-59" } },
  });
}

function rejectionHeaders(key: string, decision: string): Record<string, string> {
  return { "Idempotency-Key": key, Link: `</docs#decision-${decision}>; rel="help"` };
}
