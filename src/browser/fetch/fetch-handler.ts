// The reference server as a function from Request to Response, without a process, a port or Node. It runs the server's
// own steps of a request in another shell.

import { memoize } from "../../contract/memoize.js";
import type { Operation } from "../../contract/model.js";
import { allowedMethods, headerNamesOf, responseExamplesOf } from "../../contract/operation.js";
import { MOCKED_HEADER } from "../../contract/response-check.js";
import { pause } from "../../core/domain/clock.js";
import { bodyTextOf, type Plan, RETENTION_DAYS } from "../../core/domain/notifications.js";
import { randomHex } from "../../core/domain/random.js";
import { assertOptions, type OptionRule, relativeMessage, resolveAddress } from "../../core/options.js";
import { createErrorResponse, createInternalErrorResponse, RequestError } from "../../core/request/errors.js";
import {
  DISCONNECT,
  type Exchange,
  type HttpResponse,
  type Outcome,
  protectionOf,
  rejectedOf,
} from "../../core/request/exchange.js";
import { handleRequest, type Shell } from "../../core/request/handle.js";
import { createExecute, handlerOf, isMockedOnPurpose } from "../../core/request/handlers.js";
import { contract, validate } from "./built-contract.js";
import {
  createFetchEnvironment,
  ENVIRONMENT_OPTIONS,
  type EnvironmentControl,
  type EnvironmentOptions,
} from "./fetch-environment.js";
import {
  createGateway,
  type FetchExchange,
  GATEWAY_OPTIONS,
  type GatewayOptions,
  openExchange,
  readBody,
  toHeaderRecord,
} from "./fetch-exchange.js";

export type { Seed } from "../../core/domain/state.js";
export type { EnvironmentControl } from "./fetch-environment.js";

export interface FetchHandlerOptions extends EnvironmentOptions, GatewayOptions {
  /** Default: `demo-key`. */
  apiKey?: string;
  /** How far back notifications may be listed. Default: `enterprise`. */
  plan?: Plan;
  /** Delays each response by this many milliseconds. */
  delayMs?: number;
}

/** A request and its response. Only the test reads it, so API keys are shown as they were sent. */
export interface HandledRequest {
  /** Undefined without a valid key, and for a path or method that the contract does not have. */
  operation?: string;
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  /** Empty if it was not read: of a GET, and without a valid key. */
  body: string;
  /** Undefined if a fault has disconnected. */
  status?: number;
  /** Names in lower case. */
  responseHeaders?: Record<string, string>;
  responseBody?: string;
  milliseconds: number;
  /** The id of the fault that was injected. */
  fault?: string;
}

export interface FetchHandler extends EnvironmentControl {
  /** Responds to a request at any origin. A fault that disconnects results in `Response.error()`. */
  handle(request: Request): Promise<Response>;
  /** Replaces the global `fetch`: rejects if there is no response. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** The latest 1000 completed requests, oldest first. */
  requests(): readonly HandledRequest[];
}

const NO_RESOURCE = "There is no resource at this path.";

const MAX_REQUESTS = 1000;

export const OPTIONS: Record<keyof FetchHandlerOptions, OptionRule> = {
  ...ENVIRONMENT_OPTIONS,
  ...GATEWAY_OPTIONS,
  apiKey: [
    "1 to 255 printable ASCII characters without blanks",
    (key: unknown) => /^[\x21-\x7e]{1,255}$/.test(String(key)),
  ],
  plan: [
    `one of ${Object.keys(RETENTION_DAYS).join(", ")}`,
    (plan: unknown) => Object.hasOwn(RETENTION_DAYS, String(plan)),
  ],
  delayMs: ["a number from 0 to 60,000", (ms: unknown) => typeof ms === "number" && ms >= 0 && ms <= 60_000],
};

/**
 * Creates a handler with its own environment in memory.
 * @throws TypeError for an option that does not exist or has a wrong value; Error if the contract of the build has an
 * operation without a handler.
 */
export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  assertOptions("createFetchHandler", options, OPTIONS, ["seed"]);
  const unhandled = contract.operations.find((operation) => !handlerOf(operation) && !isMockedOnPurpose(operation));
  if (unhandled) throw new Error(`openapi.yaml: no handler implements ${unhandled.id} (src/core/request/handlers.ts)`);
  const { apiKey = "demo-key", plan = "enterprise", delayMs = 0 } = options;
  const { environment, faults, control } = createFetchEnvironment(options);
  const forward = createGateway(options, apiKey);
  let latest: HandledRequest[] = [];
  const shell: Shell<FetchExchange> = {
    contract,
    faults,
    keyHint: options.apiKey === undefined ? " The built-in key is demo-key." : "",
    open: (key) => (key === undefined || key === apiKey ? environment : undefined),
    readBody,
    validate,
    responsesOf: responseExamplesOf,
    lastStepOf: memoize((operation) =>
      isMockedOnPurpose(operation) ? () => mock(operation) : createExecute(operation, plan),
    ),
  };

  async function handle(request: Request): Promise<Response> {
    const exchange = openExchange(request, { contract, now: environment.clock.now(), apiKey, forward });
    const idHeaders = { "X-Request-Id": exchange.id };
    if (exchange.method === "OPTIONS")
      return new Response(null, { status: 204, headers: { ...preflightHeadersOf(request), ...idHeaders } });
    const started = performance.now();
    const outcome = await respond(exchange).catch((error: unknown) => handleError(error, exchange));
    // A server would not have received the request.
    if (outcome === DISCONNECT && !exchange.fault) return Response.error();
    if (delayMs > 0) await pause(delayMs, request.signal);
    const headers = { ...CORS_HEADERS, ...idHeaders, ...exchange.responseHeaders };
    const response = outcome === DISCONNECT ? Response.error() : createResponse(outcome, headers, exchange.method);
    const handled = toHandledRequest(exchange, performance.now() - started);
    if (outcome !== DISCONNECT) {
      handled.status = outcome.status;
      handled.responseHeaders = toHeaderRecord(response.headers);
      handled.responseBody = bodyTextOf(outcome.body);
    }
    latest = [...latest.slice(1 - MAX_REQUESTS), handled];
    return response;
  }

  async function respond(exchange: FetchExchange): Promise<Outcome> {
    if (exchange.request.signal.aborted) return DISCONNECT;
    if (exchange.isOutside)
      throw new RequestError("pathNotFound", `${NO_RESOURCE} The handler's \`basePath\` is ${options.basePath}.`);
    return handleRequest(exchange, shell);
  }

  return {
    ...control,
    handle,
    async fetch(input, init) {
      const address = typeof input === "string" ? resolveAddress(input) : input;
      if (address === undefined) throw new TypeError(relativeMessage("The URL"));
      const request = new Request(address, init);
      const response = await handle(request);
      request.signal.throwIfAborted();
      if (response.type === "error")
        throw new TypeError(
          "fetch failed: an injected fault has disconnected, or the body of the request could not be read",
        );
      return response;
    },
    requests: () => latest,
    reset() {
      latest = [];
      control.reset();
    },
  };
}

function mock(operation: Operation): HttpResponse {
  const success = responseExamplesOf(operation).find(({ status }) => status < 300);
  if (!success) throw new Error(`openapi.yaml: ${operation.id} has neither a handler nor an example of its success`);
  return { ...success, headers: { ...success.headers, [MOCKED_HEADER]: "not-implemented" } };
}

function handleError(error: unknown, exchange: Exchange): HttpResponse {
  const request = rejectedOf(exchange);
  const rejection = createErrorResponse(error, request);
  if (rejection) return rejection;
  const errorId = randomHex(16);
  console.error(`internal error ${errorId}`, error);
  return createInternalErrorResponse(errorId, request);
}

function toHandledRequest(exchange: FetchExchange, milliseconds: number): HandledRequest {
  const { operation, method, target, headers, sentBody, fault } = exchange;
  return {
    ...(operation && { operation: operation.id }),
    method,
    target,
    headers: headers as Record<string, string>, // none is repeated: WHATWG joins them
    body: new TextDecoder().decode(sentBody),
    milliseconds,
    ...(fault && { fault: fault.id }),
  };
}

const encoder = new TextEncoder();

/** @param headers set by earlier steps. */
function createResponse(
  { status, headers: responseHeaders, body }: HttpResponse,
  headers: Record<string, string>,
  method: string,
): Response {
  const payload = encoder.encode(bodyTextOf(body));
  const allHeaders = new Headers({ ...headers, ...responseHeaders, ...protectionOf() });
  allHeaders.set("Content-Type", "application/json; charset=utf-8"); // D-68
  allHeaders.set("Content-Length", String(payload.length));
  return new Response(method === "HEAD" ? null : payload, { status, headers: allHeaders });
}

/** As those of the server (server/app.ts). */
const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": headerNamesOf(contract.operations).join(","),
};

/** The headers of the response to any OPTIONS. */
function preflightHeadersOf({ headers }: Request): Record<string, string> {
  const requested = headers.get("access-control-request-headers");
  return {
    ...CORS_HEADERS,
    "Access-Control-Allow-Methods": [...allowedMethods(contract.operations), "OPTIONS"].join(","),
    "Access-Control-Max-Age": "86400",
    Vary: "Access-Control-Request-Headers",
    ...(requested === null ? {} : { "Access-Control-Allow-Headers": requested }),
  };
}
