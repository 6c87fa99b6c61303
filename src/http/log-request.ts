// Assigns a request its id and time, and writes one record to the log when the response is sent.
import { randomUUID } from "node:crypto";
import type { Request, RequestHandler } from "express";
import type { Logger } from "pino";
import { type ErrorBody, violationsIn } from "../api/errors.js";
import { suggestPath, suggestPlace } from "../api/near-miss.js";
import type { Contract } from "../contract/contract.js";
import { toQueryNames } from "../contract/operations.js";
import type { Clock } from "../domain/clock.js";
import { createRedactor, decodeAll, SECRET_HEADER } from "./redactor.js";
import { contextOf, type RequestContext, startContext } from "./request-context.js";

/** What the log has of a request, beside its message: the terminal shows it in columns. */
export interface LoggedRequest {
  requestId: string;
  environment: string | undefined;
  method: string;
  target: string;
  status: number | "aborted";
  /** Milliseconds until the response was sent. */
  ms: number;
  /** Whether no implementation made the response. */
  mocked?: true;
  /** Why it was rejected: each violation with what was probably meant, or the error's message. */
  reasons?: string[];
}

/**
 * Logs method, target, status, time taken, environment and reasons of each request. Of the query, the values of the contract's
 * parameters are logged. Other values, and names without one, may be a key; the request's own key is left out everywhere.
 */
export function createLogRequest(log: Logger, clock: Clock, contract: Contract): RequestHandler {
  const toReadable = createToReadable(contract);
  return function logRequest(request, response, next) {
    const started = performance.now();
    const requestId = randomUUID();
    const { method } = request; // a later step turns HEAD into GET
    startContext(response, { requestId, now: clock.now() });
    response.setHeader("X-Request-Id", requestId);
    response.on("close", () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const context = contextOf(response);
      const status = response.writableFinished ? response.statusCode : "aborted";
      const isAccepted = context.operation !== undefined && response.statusCode < 400; // then every name is one of the contract
      const { target, reasons } =
        isAccepted && isPlain(request)
          ? { target: request.originalUrl, reasons: [] }
          : toReadable(request, method, response.statusCode, context);
      const shownStatus = context.isMocked ? `${status} (mocked)` : status;
      const text = `${method} ${target} ${shownStatus}${reasons.length === 0 ? "" : `: ${reasons[0]}`}`;
      const record: LoggedRequest = { requestId, environment: context.environment?.name, method, target, status, ms };
      if (context.isMocked) record.mocked = true;
      if (reasons.length > 0) record.reasons = reasons;
      log.info(record, text);
    });
    next();
  };
}

/**
 * Whether the target of a request holds none of its keys, as a look at it shows: decoded, it does not contain the only key, which
 * is in `Authorization` and has no character that could be encoded. Most requests are so, and a redactor takes a while.
 */
function isPlain({ rawHeaders, originalUrl }: Request): boolean {
  const target = (/[%+]/.test(originalUrl) ? decodeAll(originalUrl) : originalUrl).toLowerCase();
  if (/[%\\]/.test(target)) return false;
  return rawHeaders.every((name, index) => {
    if (index % 2 === 1 || !SECRET_HEADER.test(name)) return true;
    const [, key = ""] = /^ApiKey ([\w.-]+)$/.exec(rawHeaders[index + 1] ?? "") ?? [];
    return key !== "" && /^authorization$/i.test(name) && !target.includes(key.toLowerCase());
  });
}

/** A request's target and the reasons of its rejection, without keys or control characters: a client chooses what they repeat. */
function createToReadable(contract: Contract) {
  const parameters = toQueryNames(contract.operations);
  return (request: Request, method: string, status: number, { operation, response }: RequestContext) => {
    const { rawHeaders, originalUrl } = request;
    const redactor = createRedactor({ placeholder: "…", parameters });
    redactor.learn(rawHeaders, originalUrl);
    const target = redactor.redactTarget(originalUrl);
    const error = (response?.body ?? {}) as Partial<ErrorBody>;
    const { message } = error;
    if (status < 400 || message === undefined) return { target, reasons: [] };
    const isOurs = operation !== undefined && contract.operations.includes(operation);
    const reasons = error.errors
      ? violationsIn(error).map(({ location, messages }) =>
          join([`${location} ${messages.join(" and ")}`, isOurs && suggestPlace(contract, operation, location)]),
        )
      : [join([message, status === 404 && operation === undefined && suggestPath(contract, method, target)])];
    const toText = (reason: string) => redactor.redact(reason, originalUrl).replaceAll(/\p{C}/gu, "�");
    return { target, reasons: reasons.map(toText) };
  };
}

function join([text, suggestion]: [string, string | false | undefined]): string {
  return suggestion ? `${text.replace(/\.$/, "")}. ${suggestion}` : text;
}
