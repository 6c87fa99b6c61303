// The first step: opens the exchange of a request. When the connection is done with it, the request is logged, and
// added to the request history if it is one to the API.
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { detach } from "../../contract/json.js";
import { memoize } from "../../contract/memoize.js";
import type { Operation } from "../../contract/model.js";
import { type ErrorBody, violationsIn } from "../../core/request/errors.js";
import { isFromConsole, timeOf } from "../../core/request/exchange.js";
import { explainPrefer } from "../../core/request/prefer-hint.js";
import { type BodyParts, type ExchangeOptions, type HttpExchange, LOGGED_BYTES, openExchange } from "./exchange.js";

/** A request and its response: the request history must keep neither Node's objects nor the contract. */
export interface RequestRecord extends Pick<HttpExchange, "id" | "method" | "target" | "headers"> {
  redactor: ReturnType<HttpExchange["redactor"]>;
  receivedAt: Date;
  /** The same by the clock of its environment, or of the server. */
  time: Date;
  environment: string | undefined;
  /** The operation's id. */
  operation: string | undefined;
  /** The names of the operation's header parameters, in lower case. */
  parameters: readonly string[];
  /** Undefined if it was not read. */
  sentBody: LoggedBody | undefined;
  /** Undefined if the client disconnected before the response. */
  status: number | undefined;
  responseHeaders: Record<string, unknown>;
  /** Undefined if it has none. */
  responseBody: LoggedBody | undefined;
  /** Milliseconds until the response was sent. */
  ms: number;
  fault: HttpExchange["fault"];
  isMocked: boolean;
  rejection: Rejection;
}

/** Why a request was rejected, and suggestions, without its keys. */
interface Rejection {
  message?: string | undefined;
  violations: ReturnType<typeof violationsIn>;
  suggestion?: string | undefined;
}

interface LoggedBody {
  /** With the first `LOGGED_BYTES` of it, and little more. They are not copied: most are shared with the state. */
  parts: BodyParts;
  /** The size of the whole body. */
  bytes: number;
}

/** The fields of a request's log line, which the terminal shows in columns. */
export interface LogFields {
  requestId: string;
  environment: string | undefined;
  method: string;
  target: string;
  status: number | "aborted";
  /** Milliseconds until the response was sent. */
  ms: number;
  mocked?: true;
  /** Why it was rejected: each violation with a suggestion, or the error's message. */
  reasons?: string[];
}

/** Keeps the requests to the API. */
export interface RequestLog {
  add(record: RequestRecord): void;
}

interface RecordOptions extends ExchangeOptions {
  log: Logger;
  history?: RequestLog | undefined;
}

export function createRecordRequest(options: RecordOptions): RequestHandler {
  const { log, history } = options;
  return function recordRequest(request, response, next) {
    const started = performance.now();
    const exchange = openExchange(request, response, options);
    response.setHeader("X-Request-Id", exchange.id);
    response.on("close", () => {
      const ms = performance.now() - started;
      if (exchange.arrival) void exchange.arrival.then(() => add(exchange, ms));
      else add(exchange, ms);
    });
    next();
  };

  function add(exchange: HttpExchange, ms: number): void {
    const record = createRecord(exchange, ms);
    const isPolling = isFromConsole(exchange) && exchange.method === "GET"; // our own pages do, as long as they are open
    if (log.isLevelEnabled("info") && !isPolling) logRecord(record, log);
    if (exchange.isApiRequest) history?.add(record);
  }
}

const namesOf = memoize(({ id, parameters }: Operation) => {
  const headers = parameters.filter((parameter) => parameter.in === "header");
  return detach({ id, headers: headers.map(({ name }) => name.toLowerCase()) });
});

function createRecord(exchange: HttpExchange, ms: number): RequestRecord {
  const { id, operation, method, target, headers, fault, isMocked = false, response } = exchange;
  const names = operation && namesOf(operation);
  return {
    id,
    operation: names?.id,
    parameters: names?.headers ?? [],
    method,
    target,
    headers,
    redactor: exchange.redactor(),
    fault,
    isMocked,
    receivedAt: exchange.receivedAt,
    time: timeOf(exchange),
    environment: exchange.environment?.name,
    sentBody: exchange.sentBody && toLoggedBody([exchange.sentBody]),
    status: response.writableFinished ? response.statusCode : undefined,
    responseHeaders: response.getHeaders(),
    responseBody: exchange.writtenBody && toLoggedBody(exchange.writtenBody),
    ms,
    rejection: explainRejection(exchange),
  };
}

function toLoggedBody(parts: BodyParts): LoggedBody {
  const logged: LoggedBody["parts"][number][] = [];
  let bytes = 0;
  for (const part of parts) {
    if (bytes < LOGGED_BYTES) logged.push(part.length > LOGGED_BYTES ? copyStart(part) : part);
    bytes += Buffer.byteLength(part);
  }
  return { parts: logged, bytes };
}

/** A copy, so that the rest is freed. */
function copyStart(part: string | Uint8Array): Buffer {
  return Buffer.from(Buffer.from(part).subarray(0, LOGGED_BYTES));
}

function logRecord(record: RequestRecord, log: Logger): void {
  const { id, environment, method, status = "aborted", isMocked } = record;
  const target = record.redactor.redactForLog(record.target);
  const { message, violations, suggestion } = record.rejection;
  const reasons = violations.map(({ location, messages }) => replaceControls(`${location} ${messages.join(" and ")}`));
  if (reasons.length === 0 && message !== undefined) reasons.push(replaceControls(message));
  if (suggestion !== undefined) reasons.push(replaceControls(suggestion));
  const shownStatus = isMocked ? `${status} (mocked)` : status;
  const text = `${method} ${target} ${shownStatus}${reasons.length === 0 ? "" : `: ${reasons[0]}`}`;
  const ms = Math.round(record.ms * 10) / 10;
  const logged: LogFields = { requestId: id, environment, method, target, status, ms };
  if (isMocked) logged.mocked = true;
  if (reasons.length > 0) logged.reasons = reasons;
  log.info(logged, text);
}

/** Errors repeat what clients send, so control characters must not reach a terminal. */
function replaceControls(reason: string): string {
  return reason.replaceAll(/\p{C}/gu, "�");
}

const ACCEPTED: Rejection = { violations: [] };

function explainRejection(exchange: HttpExchange): Rejection {
  const { headers, redactor, error } = exchange;
  const { message, ...members } = (error ?? {}) as Partial<ErrorBody>;
  const text = typeof message === "string" ? message : undefined;
  if (text === undefined && headers.prefer === undefined) return ACCEPTED;
  const { redact } = redactor();
  const hint = headers.prefer === undefined ? undefined : explainPrefer(headers.prefer.toString());
  return detach({
    message: text && redact(text),
    violations: violationsIn(members).map((violation) => ({
      ...violation,
      location: redact(violation.location),
      messages: violation.messages.map(redact),
    })),
    suggestion: hint && redact(hint),
  });
}
