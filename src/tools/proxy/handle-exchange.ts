// The path of an exchange: the request is forwarded; meanwhile request and response are checked and reported. Forwarding never
// waits for a check, and no check changes what is forwarded.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Contract } from "../../contract/contract.js";
import { createFindOperation } from "../../core/operations/routes.js";
import { createCheckBehavior } from "./check-behavior.js";
import { createCheckRequest } from "./check-request.js";
import { createCheckResponse } from "./check-response.js";
import type { Exchange } from "./exchange.js";
import { ClientGoneError, type ForwardOptions, forward, readRequest, StopTimeoutError } from "./forward.js";
import {
  createInjectFault,
  type FaultPreset,
  MISSING_STATUSES,
  mockMissing,
  type OwnResponse,
  sendOwnResponse,
  sendPreflight,
} from "./own-response.js";
import type { Recorder } from "./recorder.js";
import type { Reporter } from "./reporter.js";

export interface ExchangeOptions extends ForwardOptions {
  contract: Contract;
  reporter: Reporter;
  recorder?: Recorder | undefined;
  /** Presets of faults, to be injected. */
  faults: readonly FaultPreset[];
  /** Ids of operations that are mocked without asking the upstream; those that it says it lacks are mocked, too. Undefined: none. */
  missing: readonly string[] | undefined;
  /** Names of response headers outside the contract that are not reported. */
  allowedHeaders: readonly string[];
}

export type HandleExchange = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The handler's promise settles when the exchange has been reported. */
export function createHandleExchange(options: ExchangeOptions): HandleExchange {
  const { contract, reporter, upstream } = options;
  const checkRequest = createCheckRequest(contract);
  const checkResponse = createCheckResponse(contract, options);
  const checkBehavior = createCheckBehavior(contract, upstream.prefix);
  const injectFault = createInjectFault(contract, options.faults);
  const findOperation = createFindOperation(contract.operations);
  const underWay = new Set<Exchange>();

  return async function handleExchange(request, response) {
    const { method = "GET", url = "/", headers, rawHeaders } = request; // a server's requests have all of them
    const exchange = reporter.begin({ method, target: toOriginForm(url), headers }, rawHeaders);
    for (const other of underWay) {
      if (other.method !== method || other.target !== exchange.target) continue;
      other.overlapping.push(exchange);
      exchange.overlapping.push(other);
    }
    underWay.add(exchange);
    for (const side of [request, response]) side.on("error", () => {}); // the client went away: `close` follows
    try {
      await forwardAndCheck(exchange, request, response);
    } catch (error) {
      reporter.reportError(error);
    } finally {
      underWay.delete(exchange);
      exchange.overlapping = []; // else each exchange would hold the one before it in memory
    }
  };

  async function forwardAndCheck(
    exchange: Exchange,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method, target, headers } = exchange;
    const isPreflight = method === "OPTIONS"; // it belongs to CORS, not to the contract (D-51)
    const wanted = isPreflight ? headers["access-control-request-method"] : method;
    const operation = findOperation(wanted ?? method, target.replace(/\?.*/, ""));
    const mocked = operation && options.missing?.includes(operation.id) ? operation : undefined;
    if (isPreflight && mocked) return sendPreflight(request, response);
    const fault = isPreflight || !operation ? undefined : await injectFault(operation, options.graceOver);
    if (fault || mocked) {
      await checkAndReport(exchange, await readRequest(request, response, options));
      const ownResponse = fault ?? (mocked && mockMissing(contract, mocked, exchange));
      return ownResponse && respondInstead(exchange, ownResponse, request, response);
    }
    const isWithheld = (status: number) =>
      operation !== undefined &&
      options.missing !== undefined &&
      (MISSING_STATUSES.includes(status) || (isPreflight && status >= 400));
    const forwarded = forward({ request, response, target, isWithheld }, options);
    const outcome = forwarded.response.catch((error: Error) => {
      const reason = `No response from ${upstream.url}: ${toText(error)}.`;
      if (!response.destroyed) respondForUpstream(response, target, reason);
      return error;
    });

    const body = await forwarded.requestBody;
    if (!isPreflight) await checkAndReport(exchange, body);

    const result = await outcome;
    if (result instanceof ClientGoneError) return reporter.reportUnchecked(exchange, "connection", result.message);
    if (result instanceof Error) {
      const why = result instanceof StopTimeoutError ? " in time" : `: ${toText(result)}`;
      const message = `the upstream sent no response${why}`;
      return reporter.report("response", exchange, [{ location: "connection", message }]);
    }
    if (operation && result.isWithheld) {
      if (isPreflight) return sendPreflight(request, response);
      return respondInstead(exchange, mockMissing(contract, operation, exchange), request, response);
    }
    if (isPreflight) return;
    exchange.status = result.status;
    exchange.responseHeaders = result.headers;
    const { violations, unchecked, responseBody } = await checkResponse(exchange, result);
    exchange.responseBody = responseBody;
    const all = [...(body ? checkBehavior(exchange) : []), ...violations];
    reporter.report("response", exchange, all);
    options.recorder?.add(exchange, all);
    if (unchecked !== undefined) reporter.reportUnchecked(exchange, "body", unchecked);
  }

  async function checkAndReport(exchange: Exchange, body: Buffer | undefined): Promise<void> {
    const verdict = await checkRequest(exchange, body ?? Buffer.alloc(0));
    Object.assign(exchange, body ? verdict : { operation: verdict.operation }); // an incomplete body cannot be checked
    reporter.report("request", exchange, exchange.violations);
  }

  function respondInstead(
    exchange: Exchange,
    ownResponse: OwnResponse,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    sendOwnResponse(request, response, ownResponse);
    reporter.reportOwnResponse({ ...exchange, status: ownResponse.status }, ownResponse.reason);
  }
}

/** The response of the proxy itself for want of one: in the contract's error shape, with a status outside the contract. */
function respondForUpstream(response: ServerResponse, path: string, reason: string): void {
  if (response.headersSent) return void response.destroy(); // half a response has been sent
  const message = `${reason} The proxy sent this response, not the upstream.`;
  const body = JSON.stringify({ statusCode: 502, timestamp: new Date().toISOString(), path, message });
  const headers = { "Content-Type": "application/json; charset=utf-8", Via: "1.1 notifications-contract" };
  response.writeHead(502, { ...headers, "Content-Length": Buffer.byteLength(body) }).end(body);
}

/** Node's message and code: for a host with several addresses the message is empty. */
function toText(error: Error): string {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  if (message === "" || message.includes(code)) return message || code;
  return `${message} (${code})`;
}

/** `GET http://host/path`, as clients send it to a forward proxy, is `GET /path` here (RFC 9112 §3.2.2). */
function toOriginForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return path === "" || path.startsWith("?") ? `/${path}` : path;
}
