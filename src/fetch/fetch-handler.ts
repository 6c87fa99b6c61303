// The reference server as a function from Request to Response: no process, no port, nothing of Node. Domain, handlers,
// errors and faults are those of the server, and the path of a request has the order of app.ts.

import { callOperation, implementationOf } from "../api/call-operation.js";
import { readApiKey, UNKNOWN_KEY, unauthorized } from "../api/check-request.js";
import { type HttpResponse, type RejectedRequest, toErrorResponse, toInternalErrorResponse } from "../api/errors.js";
import { takeKey, toFingerprint } from "../api/idempotency.js";
import { applyPreferHeader } from "../api/prefer.js";
import { pause } from "../client/pause.js";
import { toFaultResponse } from "../control/faults.js";
import { assertOptions, type Check } from "../domain/options.js";
import { type Plan, RETENTION_DAYS } from "../domain/plan.js";
import { randomHex } from "../domain/random.js";
import { contract } from "./contract.js";
import {
  createFetchEnvironment,
  ENVIRONMENT_OPTIONS,
  type EnvironmentControl,
  type EnvironmentOptions,
} from "./fetch-environment.js";
import { parseBody, receiveBody, type SentBody } from "./read-body.js";
import { findRoute } from "./routes.js";
import { CORS_HEADERS, toHeaderRecord, toPreflightHeaders, toResponse, toText } from "./to-response.js";

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
  /** Names in lower case. */
  responseHeaders?: Record<string, string>;
  responseBody?: string;
  /** How long it took. */
  milliseconds?: number;
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
  sent: SentBody;
  handled: HandledRequest;
  now: Date;
  /** Of the response, as far as the steps have set them. */
  headers: Headers;
  releaseKey(): void;
  /** The response to an error, if it is a rejection. */
  toRejection(error: unknown): HttpResponse | undefined;
}

const MAX_REQUESTS = 1000;

const OPTIONS: Record<keyof FetchHandlerOptions, Check> = {
  ...ENVIRONMENT_OPTIONS,
  apiKey: [
    "1 to 255 printable ASCII characters without blanks",
    (key: unknown) => /^[\x21-\x7e]{1,255}$/.test(String(key)),
  ],
  plan: [`one of ${Object.keys(RETENTION_DAYS).join(", ")}`, (plan: string) => Object.hasOwn(RETENTION_DAYS, plan)],
  delayMs: ["a number from 0 to 60,000", (ms: unknown) => typeof ms === "number" && ms >= 0 && ms <= 60_000],
};

/**
 * Creates a handler with an environment of its own, in memory.
 * @throws TypeError for an option that does not exist or has a wrong value; Error where the built-in contract has an operation
 * without a handler. (Its schemas are compiled.)
 */
export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  assertOptions("createFetchHandler", options, OPTIONS, ["seed"]);
  const unhandled = contract.operations.find((operation) => !implementationOf(operation));
  if (unhandled) throw new Error(`openapi.yaml: no handler implements ${unhandled.id} (src/api/call-operation.ts)`);
  const { apiKey = "demo-key", plan = "enterprise", delayMs = 0 } = options;
  const { environment, faults, control } = createFetchEnvironment(options);
  let latest: HandledRequest[] = [];

  async function handle(request: Request): Promise<Response> {
    const requestId = { "X-Request-Id": randomHex(16) };
    const { method } = request;
    if (method === "OPTIONS")
      return new Response(null, { status: 204, headers: { ...toPreflightHeaders(request), ...requestId } });
    const sent = await receiveBody(request).catch(() => undefined);
    if (!sent || request.signal.aborted) return Response.error(); // a server would not have received it
    const { pathname, search } = new URL(request.url);
    const path = pathname + search;
    const shownPath = path.replaceAll(encodeURIComponent(apiKey), "…").replaceAll(apiKey, "…"); // D-48
    const body = new TextDecoder().decode(sent.bytes);
    const handled: HandledRequest = { method, target: path, headers: toHeaderRecord(request.headers), body };
    latest = [...latest.slice(1 - MAX_REQUESTS), handled];
    const started = performance.now();
    const headers = new Headers({ ...CORS_HEADERS, ...requestId });
    const now = environment.clock.now();
    const toRejection = (error: unknown) => toErrorResponse(error, { path: shownPath, now });
    const exchange = { request, sent, handled, now, headers, releaseKey() {}, toRejection };
    const response = await respond(exchange)
      .catch((error: unknown) => toRejection(error) ?? toBug(error, { path: shownPath, now }))
      .finally(() => exchange.releaseKey());
    handled.milliseconds = performance.now() - started;
    if (!response) return Response.error();
    const { status, body: responseBody } = response;
    const sending = toResponse(response, { headers, isHead: method === "HEAD" });
    const responseHeaders = toHeaderRecord(sending.headers);
    Object.assign(handled, { status, responseHeaders, responseBody: toText(responseBody) });
    return sending;
  }

  /** The path of a request. Undefined where a fault disconnects. */
  async function respond(exchange: Exchange): Promise<HttpResponse | undefined> {
    const { request, sent, handled, now, headers, toRejection } = exchange;
    const { method, target, headers: header } = handled;
    if (delayMs > 0) await pause(delayMs, request.signal);
    if (readApiKey(header.authorization) !== apiKey) throw unauthorized(UNKNOWN_KEY);
    const { pathname } = new URL(request.url);
    const { operation, examples, path, validate } = findRoute(method, pathname);
    handled.operation = operation.id;
    const body = operation.hasBody ? await parseBody(request, sent) : undefined; // the body of a GET means nothing (D-72)
    const valid = validate({ target, path, header, body });
    const key = operation.method === "get" ? undefined : header["idempotency-key"];
    const fingerprint = toFingerprint(method, pathname, body);
    const lease = key ? takeKey(environment, { key, fingerprint, now }) : undefined; // before any delay (D-57)
    if (lease) exchange.releaseKey = lease.release;

    headers.append("Vary", "Prefer");
    const preferred = applyPreferHeader(header.prefer ?? "", examples, operation);
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
      const example = toFaultResponse(examples, fault, { path: target, now });
      if (example) return example;
    }

    return callOperation(operation, valid, { environment, now, plan, idempotent: lease?.request, toRejection });
  }

  return {
    ...control,
    handle,
    async fetch(input, init) {
      const request = new Request(input, init);
      const response = await handle(request);
      request.signal.throwIfAborted();
      if (response.type === "error")
        throw new TypeError(
          "fetch failed: an injected fault has disconnected, or the body of the request could not be read",
        );
      return response;
    },
    requests: () => latest,
    async reset() {
      latest = [];
      await control.reset();
    },
  };
}

function toBug(error: unknown, request: RejectedRequest): HttpResponse {
  const errorId = randomHex(16);
  console.error(`internal error ${errorId}`, error);
  return toInternalErrorResponse(errorId, request);
}
