// The first step: opens the exchange of a request. When the connection is done with it, the request is logged, and added to the
// request history if it is one to the API.
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { Contract } from "../../contract/contract.js";
import type { Operation } from "../../contract/operations.js";
import { type ErrorBody, violationsIn } from "../../core/operations/errors.js";
import { suggestPath, suggestPlace } from "../../core/operations/routes.js";
import { type ExchangeOptions, type HttpExchange, openExchange } from "./exchange.js";

/** A request and its response, without Node's objects, which would keep the connection in memory. */
export interface RequestRecord extends Pick<HttpExchange, "id" | "method" | "target" | "headers" | "redactor"> {
  /** By the clock of its environment. */
  at: Date;
  /** The contract that was served then. */
  contract: Contract;
  environment: string | undefined;
  operation: Operation | undefined;
  /** The first `MAX_RECORDED_BYTES` of the body. */
  sentBody: Buffer | undefined;
  /** Undefined if the client disconnected before the response. */
  status: number | undefined;
  responseHeaders: Record<string, unknown>;
  responseBody: unknown;
  /** Milliseconds until the response was sent. */
  ms: number;
  fault: string | undefined;
  isMocked: boolean;
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

interface RecordOptions extends ExchangeOptions {
  log: Logger;
  history?: { add(record: RequestRecord): void } | undefined;
}

export const MAX_RECORDED_BYTES = 16_384;

export function createRecordRequest(options: RecordOptions): RequestHandler {
  const { contract, log, history } = options;
  return function recordRequest(request, response, next) {
    const started = performance.now();
    const exchange = openExchange(request, response, options);
    response.setHeader("X-Request-Id", exchange.id);
    response.on("close", () => {
      const record = toRecord(exchange, { contract, ms: performance.now() - started });
      if (log.isLevelEnabled("info")) logRecord(record, log);
      if (exchange.isApiRequest) history?.add(record);
    });
    next();
  };
}

function toRecord(exchange: HttpExchange, { contract, ms }: { contract: Contract; ms: number }): RequestRecord {
  const { id, operation, method, target, headers, redactor, fault, isMocked = false, response } = exchange;
  return {
    id,
    operation,
    method,
    target,
    headers,
    redactor,
    fault,
    isMocked,
    at: exchange.now,
    contract,
    environment: exchange.environment?.name,
    sentBody: exchange.sentBody && Buffer.from(exchange.sentBody.subarray(0, MAX_RECORDED_BYTES)), // a copy, so that the rest is freed
    status: response.writableFinished ? response.statusCode : undefined,
    responseHeaders: response.getHeaders(),
    responseBody: exchange.responseBody, // not as bytes: a page shares those of its notifications with the store
    ms,
  };
}

function logRecord(record: RequestRecord, log: Logger): void {
  const { id, environment, method, status = "aborted", isMocked } = record;
  const target = record.redactor().redactTarget(record.target);
  const { message, violations, suggestion } = explainRejection(record);
  const reasons = violations.map((violation) =>
    join(`${violation.location} ${violation.messages.join(" and ")}`, violation.suggestion),
  );
  if (reasons.length === 0 && message !== undefined) reasons.push(join(message, suggestion));
  const shownStatus = isMocked ? `${status} (mocked)` : status;
  const text = `${method} ${target} ${shownStatus}${reasons.length === 0 ? "" : `: ${reasons[0]}`}`;
  const ms = Math.round(record.ms * 10) / 10;
  const logged: LogFields = { requestId: id, environment, method, target, status, ms };
  if (isMocked) logged.mocked = true;
  if (reasons.length > 0) logged.reasons = reasons;
  log.info(logged, text);
}

/** Errors repeat what clients send, so control characters must not reach a terminal. */
function join(text: string, suggestion: string | undefined): string {
  const reason = suggestion ? `${text.replace(/\.$/, "")}. ${suggestion}` : text;
  return reason.replaceAll(/\p{C}/gu, "�");
}

/** Why a request was rejected, and suggestions, without its keys. */
export function explainRejection(record: RequestRecord) {
  const { contract, method, target, redactor, operation, status = 0, responseBody } = record;
  const { message, errors = {} } = (status >= 400 ? (responseBody ?? {}) : {}) as Partial<ErrorBody>;
  if (message === undefined) return { message, violations: [], suggestion: undefined };
  const { redact, redactTarget } = redactor();
  const isOurs = operation !== undefined && contract.operations.includes(operation); // not one of the control plane
  const isUnknownPath = status === 404 && operation === undefined;
  return {
    message: redact(message),
    violations: violationsIn({ errors }).map((violation) => ({
      ...violation,
      location: redact(violation.location),
      messages: violation.messages.map(redact),
      suggestion: isOurs ? suggestPlace(contract, operation, violation.location) : undefined,
    })),
    suggestion: isUnknownPath ? suggestPath(contract, method, redactTarget(target)) : undefined,
  };
}
