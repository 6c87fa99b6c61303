// Express's shell of an exchange: opened from a request, and the one place where a response is sent, errors included.
import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import type { Contract } from "../../contract/contract.js";
import { isJson } from "../../contract/media-type.js";
import { findResponse, operationFor } from "../../contract/operation.js";
import { type Clock, joinSignals, pause } from "../../core/domain/clock.js";
import { JsonText } from "../../core/domain/notifications.js";
import {
  type Exchange,
  type HttpResponse,
  JSON_TYPE,
  protectionOf,
  type ResponseAdapter,
} from "../../core/request/exchange.js";
import { redactorOf } from "../../core/request/redactor.js";

export interface HttpExchange extends Exchange {
  /** By this machine's clock. */
  receivedAt: Date;
  request: Request;
  response: Response;
  /** True from authentication on: a request to the API, not to the control plane, for a page, or a preflight. */
  isApiRequest?: boolean;
  /** Adapts a response to the served contract, if that is not the implemented one. */
  adapt?: (response: HttpResponse) => HttpResponse;
  /** Set by `keepUnreadBody`: the log waits for the rest of the body. */
  arrival?: Promise<void>;
  /** Set by `sendResponse`: the body of the response, as it is sent. */
  writtenBody?: BodyParts;
  /** Set by `sendResponse`: the body of an error as the server writes it, whatever form the contract gives it. */
  error?: unknown;
}

export interface ExchangeOptions {
  clock: Clock;
  contract: Contract;
  /** Opens the default environment. It is never written, whoever sends it. */
  apiKey?: string | undefined;
  /** Check responses against the contract before they are sent. */
  checkResponses?: boolean;
  /** Aborts when the server stops, so that delayed responses are sent at once. */
  stopping?: AbortSignal | undefined;
}

export function openExchange(request: Request, response: Response, options: ExchangeOptions): HttpExchange {
  const { clock, contract, apiKey = "", checkResponses, stopping } = options;
  const { method, path, originalUrl: target, headers } = request;
  const redactor = createRedactorOf({ headers, target }, contract, apiKey);
  const exchange: HttpExchange = {
    id: randomUUID(),
    method,
    path,
    target,
    headers,
    receivedAt: new Date(),
    serverTime: clock.now(),
    input: { path: {}, query: {}, body: undefined },
    responseHeaders: {},
    request,
    response,
    redactor,
    wait: (ms) => pause(ms, signalOf(response, stopping)),
  };
  if (checkResponses) exchange.assertValid = (result) => assertInContract(contract, exchange, result);
  response.locals.exchange = exchange;
  return exchange;
}

/** Outside `openExchange`, whose scope the request history would keep in memory with the returned function. */
function createRedactorOf(sent: Pick<Exchange, "headers" | "target">, contract: Contract, apiKey: string) {
  return () => redactorOf(contract, sent, apiKey);
}

/** Aborts when the response is sent, the client has gone or the server stops. */
export function signalOf(response: Response, stopping: AbortSignal | undefined): AbortSignal {
  const { signal, abort, release } = joinSignals(stopping);
  response.once("close", () => {
    release();
    abort();
  });
  if (response.destroyed) abort();
  return signal;
}

/** The exchange of a request; the first step has opened it. */
export function exchangeOf(response: Response): HttpExchange {
  const exchange: HttpExchange | undefined = response.locals.exchange;
  if (!exchange) throw new Error("no step has opened the request's exchange");
  return exchange;
}

/** Adapts a response to the served contract, and removes the headers that it lacks. */
export function adaptResponse(
  exchange: HttpExchange,
  result: HttpResponse,
  { adapter, contract }: { adapter: ResponseAdapter; contract: Pick<Contract, "findPath"> },
): HttpResponse {
  const { method, path, response, responseHeaders } = exchange;
  const match = contract.findPath(path);
  const declaring = match?.operations.find((other) => findResponse(other, result.status)) ?? match?.operations[0];
  const operation = exchange.operation ?? operationFor(match, method) ?? declaring; // of an error, such as a 401 or 405
  const adapted = adapter.adapt(operation, exchange, result);
  const isDeclared = (name: string) => adapter.isDeclared(operation, adapted.status, name);
  for (const name of response.getHeaderNames()) if (!isDeclared(name)) response.removeHeader(name);
  for (const name of Object.keys(responseHeaders)) if (!isDeclared(name)) delete responseHeaders[name];
  return adapted;
}

/** A response of ours that violates the contract: a bug, found by `--check-responses`. */
class ResponseViolationError extends Error {
  override name = "ResponseViolationError";
}

/** Sends a response. Node sends no body in response to HEAD. */
export function sendResponse(exchange: HttpExchange, result: HttpResponse): void {
  const { response } = exchange;
  const { status, headers, body, mediaType } = exchange.adapt?.(result) ?? result;
  if (status >= 400) exchange.error = result.body;
  response.statusCode = status;
  for (const [name, value] of Object.entries({ ...exchange.responseHeaders, ...headers }))
    response.setHeader(name, value);
  for (const [name, value] of Object.entries(protectionOf(mediaType))) response.setHeader(name, value);
  if (body === undefined) return void response.end();
  response.setHeader("Content-Type", mediaType ?? JSON_TYPE);
  exchange.writtenBody = mediaType === undefined || isJson(mediaType) ? writeJson(body) : [String(body)];
  const written = joinParts(exchange.writtenBody);
  response.setHeader("Content-Length", Buffer.byteLength(written));
  response.end(written);
}

/**
 * Checks a response as it would be sent, with the headers that earlier steps have set.
 * @throws ResponseViolationError
 */
function assertInContract(contract: Contract, exchange: HttpExchange, result: HttpResponse): void {
  const { status, headers, body, mediaType = JSON_TYPE } = exchange.adapt?.(result) ?? result;
  const entries = Object.entries({ ...exchange.responseHeaders, ...headers });
  const allHeaders = {
    ...(body === undefined ? {} : { "content-type": mediaType }),
    ...exchange.response.getHeaders(),
    ...Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value])),
  };
  // As the client will parse it: JSON has neither dates nor undefined members.
  const violations = contract.checkResponse(exchange.operation, {
    status,
    headers: allHeaders,
    body: isJson(mediaType) && body !== undefined ? JSON.parse(joinParts(writeJson(body)).toString()) : body,
  });
  if (violations.length === 0) return;
  const list = violations.map(({ location, message }) => `${location} ${message}`).join("; ");
  throw new ResponseViolationError(`The response (${status}) violates the contract: ${list}`);
}

export type BodyParts = readonly (string | Uint8Array)[];

export function writeJson(value: unknown): BodyParts {
  return value instanceof JsonText ? value.parts : [JSON.stringify(value)];
}

/** A single text stays one: Node sends it with the headers, in one write. */
export function joinParts(parts: BodyParts): string | Buffer {
  const [only] = parts;
  if (parts.length === 1 && typeof only === "string") return only;
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}
