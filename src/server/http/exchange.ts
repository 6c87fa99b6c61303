// Express as the servers use it: an empty app; the exchange of a request, its body read (JSON in UTF-8, D-50, D-53), and
// the one place where a response is sent, errors included.

import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import express, { type Express, type Request, type RequestHandler, type Response } from "express";
import type { Contract } from "../../contract/contract.js";
import { contentOf, essenceOf, findMedia, isJson, toBinaryText } from "../../contract/media-type.js";
import { memoize } from "../../contract/memoize.js";
import type { Operation } from "../../contract/model.js";
import { findResponse, operationFor } from "../../contract/operation.js";
import { type Clock, joinSignals, pause } from "../../core/domain/clock.js";
import { JsonText } from "../../core/domain/notifications.js";
import { BODY_ERRORS } from "../../core/request/errors.js";
import {
  type Exchange,
  type HttpResponse,
  JSON_TYPE,
  protectionOf,
  type ResponseAdapter,
} from "../../core/request/exchange.js";
import { LIMITS } from "../../core/request/limits.js";
import { redactorOf } from "../../core/request/redactor.js";
import { type ErrorHints, findOperation, type ParsedBody, validateRequest } from "../../core/request/validate.js";
import { eovValidatorOf, runMiddleware } from "./eov-validator.js";

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

/** An empty app: app.ts lists the middleware. */
export function createExpressApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false); // a 304 is not in the contract
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  // Express has a getter here that parses again on each access. Steps that need a query read it by the contract.
  Object.defineProperty(app.request, "query", { value: undefined, writable: true, configurable: true });
  return app;
}

const MEDIA_TYPE = "application/json";

type BodyOptions = NonNullable<Parameters<typeof express.json>[0]>;

const keepBytes: NonNullable<BodyOptions["verify"]> = (_request, response, bytes) => {
  exchangeOf(response as Response).sentBody = bytes;
};

const OPTIONS = {
  limit: LIMITS.bodyBytes,
  strict: false, // the contract rejects bodies of the wrong type
  verify(_request, response, bytes, charset) {
    exchangeOf(response as Response).sentBody = bytes;
    if (charset.toLowerCase() !== "utf-8") throw BODY_ERRORS.otherUtf();
    if (!isUtf8(bytes)) throw BODY_ERRORS.notUtf8();
  },
} satisfies BodyOptions;
const parse = express.json(OPTIONS);

type BodyOptionsOf = (operation: Operation) => BodyOptions | undefined;

/** Creates the function that parses the body of an operation, as JSON, text or bytes by its media type. */
export function createReadBody(optionsOf: BodyOptionsOf = () => undefined) {
  const parsersOf = memoize((operation: Operation) => createParsers(operation, optionsOf(operation)));
  return async function readBody(exchange: HttpExchange, operation: Operation): Promise<ParsedBody | undefined> {
    const { request, response } = exchange;
    for (const parser of parsersOf(operation)) await runMiddleware(parser, request, response);
    const { "content-length": length = 0, "transfer-encoding": encoding } = request.headers;
    const isEmpty = (encoding === undefined && Number(length) === 0) || exchange.sentBody?.length === 0;
    if (isEmpty) return undefined; // the parser turns it into {}
    return { value: Buffer.isBuffer(request.body) ? toBinaryText(request.body) : request.body };
  };
}

/**
 * The parsers of an operation's body, each for its media types:
 *   application/json                          as JSON, even if the operation declares another type
 *   another JSON that the operation declares  as JSON: application/merge-patch+json
 *   a text that it declares                   as text: text/csv
 *   any other                                 as bytes. Validation rejects one that it does not declare.
 */
function createParsers({ body }: Operation, custom: BodyOptions | undefined): RequestHandler[] {
  const content = body?.content ?? [];
  const options = custom ?? OPTIONS;
  const usual = custom ? express.json(custom) : parse;
  if (content.every(({ type }) => essenceOf(type) === MEDIA_TYPE)) return [usual];
  const isOf =
    (wanted: ReturnType<typeof contentOf>) =>
    ({ headers: { "content-type": type = "" } }: IncomingMessage) =>
      contentOf(findMedia(content, type) ? type : "") === wanted;
  return [
    usual,
    express.json({ ...options, type: isOf("json") }),
    express.text({ ...options, type: isOf("text"), defaultCharset: "utf-8" }),
    express.raw({ ...options, type: isOf("bytes"), verify: keepBytes }),
  ];
}

/** The log has no more of a body. */
export const LOGGED_BYTES = 8_192;

/**
 * Keeps a short body that nothing has read, as of a request with an unknown path or media type, while Node discards
 * what arrives. The response does not wait for it.
 */
export function keepUnreadBody(exchange: HttpExchange): void {
  const { request, sentBody } = exchange;
  const { "content-length": length = 0, "content-encoding": encoding } = request.headers;
  const isShort = Number(length) > 0 && Number(length) <= LOGGED_BYTES && encoding === undefined;
  if (sentBody || request.readableDidRead || !isShort) return;
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  exchange.arrival = new Promise((resolve) => {
    const end = () => {
      request.socket.off("close", end);
      if (chunks.length > 0) exchange.sentBody = Buffer.concat(chunks);
      resolve();
    };
    request.once("end", end);
    request.socket.once("close", end); // Node ends no request whose response is complete
  });
}

/** Creates the function that finds a request's operation and valid input, for the control plane and the proxy. */
export function createReadRequest(contract: Contract, hints: ErrorHints, optionsOf?: BodyOptionsOf) {
  const readBody = createReadBody(optionsOf);
  const validate = eovValidatorOf(contract);
  return async function readRequest(exchange: HttpExchange): Promise<Operation> {
    const operation = findOperation(exchange, contract.findPath(exchange.path), contract, hints);
    const body = operation.body ? await readBody(exchange, operation) : undefined; // that of a GET is ignored (D-72)
    exchange.input = await validateRequest(exchange, operation, { contract, validate, body });
    return operation;
  };
}

/** Has the parser load its charsets now: at the first body, file descriptors may be short, which would be a 415. */
function loadCharsets(): void {
  const request = new IncomingMessage(new Socket()); // never connected
  Object.assign(request.headers, { "content-type": MEDIA_TYPE, "content-length": "0" });
  request.push(null);
  parse(request as Request, new ServerResponse(request) as Response, () => {});
}

loadCharsets();
