// The reference server as a function from Request to Response: no process, no port, nothing of Node. Domain, handlers,
// errors and faults are those of the server, and the path of a request has the order of app.ts.
import { readApiKey, UNKNOWN_KEY, unauthorized } from "../api/api-key.js";
import { callOperation } from "../api/call-operation.js";
import { toErrorResponse, toInternalErrorResponse } from "../api/errors.js";
import type { HttpResponse } from "../api/http-response.js";
import { takeKey, toFingerprint } from "../api/idempotency.js";
import { applyPreferences } from "../api/prefer.js";
import { randomHex } from "../api/random-hex.js";
import { assertNoneMissing, findUnhandled } from "../api/relied-names.js";
import { pause } from "../client/pause.js";
import { examplesOf } from "../contract/examples.js";
import type { Operation } from "../contract/operations.js";
import { findExample } from "../control/fault-effects.js";
import type { Plan } from "../domain/plan.js";
import { contract } from "./contract.js";
import { CORS_HEADERS, respondToOptions } from "./cors.js";
import { createFetchEnvironment, type EnvironmentControl, type EnvironmentOptions } from "./fetch-environment.js";
import { readBody } from "./read-body.js";
import { findRoute } from "./routes.js";
import { toResponse, toText } from "./to-response.js";
import { createValidateRequest } from "./validate-request.js";

export type { Seed } from "../domain/state.js";
export type { EnvironmentControl } from "./fetch-environment.js";

export interface FetchHandlerOptions extends EnvironmentOptions {
  /** Default: `demo-key`. */
  apiKey?: string;
  /** How far back notifications may be listed. Default: `enterprise`. */
  plan?: Plan;
  /** How much later each response comes, in milliseconds. */
  delayMs?: number;
}

/** A request and its response. There is one reader, the test: keys are shown as they were sent. */
export interface HandledRequest {
  /** Undefined for a path or method that the contract does not have, and without a valid key. */
  operation?: string;
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: string;
  /** Undefined where a fault has disconnected. */
  status?: number;
  responseBody?: string;
  /** The id of the fault that was injected. */
  fault?: string;
}

export interface FetchHandler extends EnvironmentControl {
  /** Responds to a request at any origin. A fault that disconnects gives a network error, `Response.error()`. */
  handle(request: Request): Promise<Response>;
  /** In the place of the global `fetch`: rejects where there is no response. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** The latest requests, oldest first. */
  requests(): readonly HandledRequest[];
}

/** What the steps of one request share. */
interface Exchange {
  request: Request;
  path: string;
  now: Date;
  /** Of the response, as far as the steps have set them. */
  headers: Headers;
  isTruncated: boolean;
  handled: HandledRequest;
  releaseKey(): void;
}

const MAX_REQUESTS = 1000;

const steps = new Map(
  contract.operations.map((operation) => [
    operation,
    { validate: createValidateRequest(contract, operation), examples: examplesOf(contract.document, operation) },
  ]),
);

/**
 * Creates a handler with an environment of its own, in memory.
 * @throws Error where the built-in contract has an operation without a handler. (Its schemas are compiled.)
 */
export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  assertNoneMissing(findUnhandled(contract.operations), (_place, reason) => new Error(`openapi.yaml: ${reason}`));
  const { apiKey = "demo-key", plan = "enterprise", delayMs = 0 } = options;
  const { environment, faults, control } = createFetchEnvironment(options);
  let latest: HandledRequest[] = [];

  async function handle(request: Request): Promise<Response> {
    const requestId = randomHex(16);
    if (request.method === "OPTIONS") return respondToOptions(request, requestId);
    const { pathname: path, search } = new URL(request.url);
    const { method } = request;
    const target = path + search;
    const body = await request.clone().text();
    const handled: HandledRequest = { method, target, headers: Object.fromEntries(request.headers), body };
    latest = [...latest.slice(1 - MAX_REQUESTS), handled];
    const headers = new Headers({ ...CORS_HEADERS, "X-Request-Id": requestId });
    const now = environment.clock.now();
    const exchange: Exchange = { request, path, now, headers, isTruncated: false, handled, releaseKey() {} };
    const response = await respond(exchange)
      .catch((error: unknown) => toErrorResponse(error, { path: target, now }) ?? toBug(error, target, now))
      .finally(() => exchange.releaseKey());
    if (!response) return Response.error();
    Object.assign(handled, { status: response.status, responseBody: toText(response.body) });
    return toResponse(response, { headers, isHead: method === "HEAD", isTruncated: exchange.isTruncated });
  }

  /** Undefined where a fault disconnects. */
  async function respond(exchange: Exchange): Promise<HttpResponse | undefined> {
    const { request, path: pathname, now, headers, handled } = exchange;
    const { target } = handled;
    if (delayMs > 0) await pause(delayMs, request.signal);
    if (readApiKey(request.headers.get("authorization")) !== apiKey) throw unauthorized(UNKNOWN_KEY);
    const { operation, path } = findRoute(request.method, pathname);
    const { validate, examples } = stepsOf(operation);
    handled.operation = operation.id;
    const body = operation.hasBody ? await readBody(request) : undefined; // the body of a GET means nothing (D-72)
    const valid = validate({ target, path, header: handled.headers, body });
    const key = operation.method === "get" ? null : request.headers.get("idempotency-key");
    const fingerprint = toFingerprint(request.method, pathname, body);
    const taken = key ? takeKey(environment, { key, fingerprint, now }) : undefined; // before any delay (D-57)
    if (taken) exchange.releaseKey = taken.release;

    headers.append("Vary", "Prefer");
    const preferred = applyPreferences(request.headers.get("prefer") ?? "", examples, operation);
    if (preferred) {
      headers.set("Preference-Applied", preferred.applied);
      await pause(preferred.delayMs, request.signal);
      if (preferred.response) return preferred.response;
    }

    const fault = faults.apply(environment, operation.id);
    if (fault) {
      handled.fault = fault.id;
      if (fault.delayMs !== undefined) await pause(fault.delayMs, request.signal);
      if (fault.disconnect) return undefined;
      exchange.isTruncated = fault.malformed ?? false;
      const example = findExample(examples, fault);
      if (example) return example;
    }

    const toRejection = (error: unknown) => toErrorResponse(error, { path: target, now });
    return callOperation(operation, valid, { environment, now, plan, idempotent: taken?.request, toRejection });
  }

  return {
    ...control,
    handle,
    async fetch(input, init) {
      const request = new Request(input, init);
      const response = await handle(request);
      request.signal.throwIfAborted();
      if (response.type === "error") throw new TypeError("fetch failed: an injected fault has disconnected");
      return response;
    },
    requests: () => latest,
    async reset() {
      latest = [];
      await control.reset();
    },
  };
}

function stepsOf(operation: Operation) {
  const found = steps.get(operation);
  if (!found) throw new Error(`the contract has no operation ${operation.id}`);
  return found;
}

function toBug(error: unknown, path: string, now: Date): HttpResponse {
  const errorId = randomHex(16);
  console.error(`internal error ${errorId}`, error);
  return toInternalErrorResponse(errorId, { path, now });
}
