// The first step: opens the exchange of a request. Once its response is sent, or its client has gone, one record of it goes to
// the log and, of a request to the API, to the request history.
import type { IncomingHttpHeaders } from "node:http";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { Contract } from "../../contract/contract.js";
import type { Operation } from "../../contract/operations.js";
import type { Clock } from "../../core/domain/clock.js";
import { type ErrorBody, violationsIn } from "../../core/operations/errors.js";
import { suggestPath, suggestPlace } from "../../core/operations/suggestion.js";
import { type HttpExchange, openExchange } from "./exchange.js";
import type { Redactor } from "./redactor.js";

/** A request and what became of it. It names neither request nor response, which would keep their connection in memory. */
export interface RequestRecord {
  id: string;
  /** By the clock of its environment. */
  at: Date;
  /** The one that was served then. */
  contract: Contract;
  environment: string | undefined;
  operation: Operation | undefined;
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  rawHeaders: readonly string[];
  /** Creates a redactor that knows the request's keys. */
  redactor: () => Redactor;
  /** The beginning of the body, as it was sent. */
  sentBody: Buffer | undefined;
  /** Undefined where the client has gone before the response. */
  status: number | undefined;
  responseHeaders: Record<string, unknown>;
  responseBody: unknown;
  /** How much memory the record holds once it is formatted. */
  bytes: number;
  /** Milliseconds until the response was sent. */
  ms: number;
  fault: string | undefined;
  isMocked: boolean;
}

/** The log's record of a request, beside its message: the terminal shows it in columns. */
export interface LoggedRequest {
  requestId: string;
  environment: string | undefined;
  method: string;
  target: string;
  status: number | "aborted";
  /** Milliseconds until the response was sent. */
  ms: number;
  /** True if no implementation made the response. */
  mocked?: true;
  /** Why it was rejected: each violation with what was probably meant, or the error's message. */
  reasons?: string[];
}

export interface RecordOptions {
  contract: Contract;
  clock: Clock;
  log: Logger;
  checkResponses: boolean;
  /** A key that is never written, whoever sends it. */
  apiKey?: string | undefined;
  /** Aborts when the server stops. */
  stopping?: AbortSignal | undefined;
  /** The history of requests to the API. */
  history?: { add(record: RequestRecord): void } | undefined;
}

export const MAX_RECORDED_BYTES = 16_384;
const OVERHEAD_BYTES = 4_096; // headers and the rest, as they were and formatted, roughly

export function createRecordRequest(options: RecordOptions): RequestHandler {
  const { contract, clock, log, history } = options;
  const logRecord = createLogRecord(log);
  return function recordRequest(request, response, next) {
    const started = performance.now();
    const exchange = openExchange(request, response, { ...options, now: clock.now() });
    response.setHeader("X-Request-Id", exchange.id);
    response.on("close", () => {
      const record = toRecord(exchange, { contract, ms: performance.now() - started });
      logRecord(record);
      if (exchange.isApiRequest) history?.add(record);
    });
    next();
  };
}

function toRecord(exchange: HttpExchange, { contract, ms }: { contract: Contract; ms: number }): RequestRecord {
  const { id, now, environment, operation, method, target, sentBody, sent, fault, isMocked = false } = exchange;
  const { request, response, redactor } = exchange;
  const body = sentBody && Buffer.from(sentBody.subarray(0, MAX_RECORDED_BYTES)); // a copy: a part would keep all of it
  const shownBytes = Math.min(sent?.bytes.length ?? 0, MAX_RECORDED_BYTES);
  const copies = response.statusCode >= 400 ? 2 : 1; // an error is formatted, too
  return {
    id,
    at: now,
    contract,
    environment: environment?.name,
    operation,
    method,
    target,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    redactor,
    sentBody: body,
    status: response.writableFinished ? response.statusCode : undefined,
    responseHeaders: response.getHeaders(),
    responseBody: sent?.body, // not its bytes: a page shares those of its notifications with the store
    bytes: OVERHEAD_BYTES + target.length + 2 * (body?.length ?? 0) + copies * shownBytes,
    ms,
    fault,
    isMocked,
  };
}

/**
 * Logs method, target, status, time taken, environment and reasons of each request. Of the query, only the values of the
 * contract's parameters are logged: any other may be a key.
 */
function createLogRecord(log: Logger) {
  return function logRecord(record: RequestRecord): void {
    if (!log.isLevelEnabled("info")) return;
    const { id, environment, method, status = "aborted", isMocked } = record;
    const { target, reasons } = toReadable(record);
    const shownStatus = isMocked ? `${status} (mocked)` : status;
    const text = `${method} ${target} ${shownStatus}${reasons.length === 0 ? "" : `: ${reasons[0]}`}`;
    const ms = Math.round(record.ms * 10) / 10;
    const logged: LoggedRequest = { requestId: id, environment, method, target, status, ms };
    if (isMocked) logged.mocked = true;
    if (reasons.length > 0) logged.reasons = reasons;
    log.info(logged, text);
  };
}

/** A request's target and the reasons of its rejection, without keys or control characters: a client chooses what they repeat. */
function toReadable({ contract, method, target, redactor, status = 0, operation, responseBody }: RequestRecord) {
  const { redact, redactTarget } = redactor();
  const shownTarget = redactTarget(target);
  const error = (responseBody ?? {}) as Partial<ErrorBody>;
  const { message } = error;
  if (status < 400 || message === undefined) return { target: shownTarget, reasons: [] };
  const isOurs = operation !== undefined && contract.operations.includes(operation);
  const reasons = error.errors
    ? violationsIn(error).map(({ location, messages }) =>
        join([`${location} ${messages.join(" and ")}`, isOurs && suggestPlace(contract, operation, location)]),
      )
    : [join([message, status === 404 && operation === undefined && suggestPath(contract, method, shownTarget)])];
  const toText = (reason: string) => redact(reason).replaceAll(/\p{C}/gu, "�");
  return { target: shownTarget, reasons: reasons.map(toText) };
}

function join([text, suggestion]: [string, string | false | undefined]): string {
  return suggestion ? `${text.replace(/\.$/, "")}. ${suggestion}` : text;
}
