// Every error that a client can see: its status, what it rests on and its body. One table, one handler.
import { randomUUID } from "node:crypto";
import type { ErrorRequestHandler, Request, Response } from "express";
import type { Logger } from "pino";
import type { Citation } from "../contract/citation.js";
import type { Contract } from "../contract/contract.js";
import { DomainError, type DomainErrorCode } from "../domain/errors.js";
import { CannotStoreError } from "../store/environment.js";
import { hideKeysInQuery } from "./redactor.js";
import { contextOf, type RequestContext } from "./request-context.js";
import { assertInContract, type HttpResponse, sendResponse } from "./response.js";

export type RequestErrorCode =
  | "undecodable"
  | "invalidPreference"
  | "unauthorized"
  | "pathNotFound"
  | "methodNotAllowed"
  | "idempotencyInProgress"
  | "idempotencyKeyReused"
  | "contentTooLarge"
  | "unsupportedMediaType"
  | "invalidRequest"
  | "rateLimited"
  | "cannotStore"
  | "internal";

interface ErrorKind {
  status: number;
  citation: Citation;
}

/** The statuses and citations of all errors. A test compares them with the contract, in both directions. */
export const ERRORS: Readonly<Record<DomainErrorCode | RequestErrorCode, ErrorKind>> = {
  undecodable: { status: 400, citation: { decision: "D-50" } },
  invalidPreference: { status: 400, citation: { decision: "D-71" } },
  workflowCritical: { status: 400, citation: { decision: "D-20" } },
  dateRangeInverted: { status: 400, citation: { decision: "D-41" } },
  unauthorized: { status: 401, citation: { clause: "§5.2" } },
  outsidePlan: { status: 402, citation: { decision: "D-42" } },
  workflowNotFound: { status: 404, citation: { decision: "D-18" } },
  subscriberNotFound: { status: 404, citation: { decision: "D-19" } },
  pathNotFound: { status: 404, citation: { clause: "§4" } },
  methodNotAllowed: { status: 405, citation: { decision: "D-51" } },
  idempotencyInProgress: { status: 409, citation: { decision: "D-57" } },
  contentTooLarge: { status: 413, citation: { decision: "D-52" } },
  unsupportedMediaType: { status: 415, citation: { decision: "D-53" } },
  invalidRequest: { status: 422, citation: { decision: "D-49" } },
  idempotencyKeyReused: { status: 422, citation: { decision: "D-59" } },
  rateLimited: { status: 429, citation: { decision: "D-54" } },
  internal: { status: 500, citation: { decision: "D-55" } },
  cannotStore: { status: 503, citation: { decision: "D-56" } },
};

/** The violations at one place of a request, in the body of a 422. */
export interface ErrorEntry extends Citation {
  messages: string[];
  value?: unknown;
}

/** A request that is rejected before its operation is executed. */
export class RequestError extends Error {
  readonly headers: Readonly<Record<string, string>>;
  readonly violations: Readonly<Record<string, ErrorEntry>> | undefined;

  constructor(
    readonly code: RequestErrorCode,
    message: string,
    more: { headers?: Record<string, string>; violations?: Record<string, ErrorEntry> } = {},
  ) {
    super(message);
    this.name = "RequestError";
    this.headers = more.headers ?? {};
    this.violations = more.violations;
  }
}

/** The response to a rejected request; undefined for any other error, which is a bug. */
export function toErrorResponse(error: unknown, request: Request, { now }: RequestContext): HttpResponse | undefined {
  const known = toRequestError(error);
  if (!(known instanceof RequestError || known instanceof DomainError)) return undefined;
  const { status, citation } = ERRORS[known.code];
  const body = {
    statusCode: status,
    timestamp: now.toISOString(),
    path: hideKeysInQuery(request),
    message: known.message,
    ctx: { ...citation, ...(known instanceof DomainError ? known.details : {}) },
  };
  if (known instanceof DomainError) return { status, headers: {}, body };
  return { status, headers: known.headers, body: known.violations ? { ...body, errors: known.violations } : body };
}

/** The one place where errors become responses. A bug is logged in full; the response has its id alone. */
export function createHandleError(
  contract: Contract,
  log: Logger,
  options: { checkResponses: boolean },
): ErrorRequestHandler {
  return function handleError(error, request, response, next) {
    if (response.headersSent) return next(error); // Express closes the connection: it is too late for another response
    const context = contextOf(response);
    if (error instanceof CannotStoreError) log.error({ err: error.cause, requestId: context.requestId }, error.message);
    const body = toErrorResponse(error, request, context) ?? toInternalError(error, request, context, log);
    if (options.checkResponses) logViolations(contract, log, body, response);
    sendResponse(response, body);
  };
}

/** Errors of the libraries around us, in our own words. */
function toRequestError(error: unknown): unknown {
  if (error instanceof CannotStoreError) {
    const outcome = error.isUncertain ? "It is uncertain whether a restart shows it" : "Nothing was changed";
    const message = `The change could not be stored. ${outcome}; try again in a moment.`;
    return new RequestError("cannotStore", message, { headers: { "Retry-After": "1" } });
  }
  const { type, status, limit } = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  switch (type) {
    // body-parser: https://github.com/expressjs/body-parser#errors
    case "entity.parse.failed":
      return new RequestError("undecodable", `The body is not valid JSON: ${toParserText(error as Error)}`);
    case "entity.too.large": {
      const message = `The body is larger than ${Number(limit).toLocaleString("en")} bytes. Send a smaller one.`;
      return new RequestError("contentTooLarge", message);
    }
    case "encoding.unsupported":
      return new RequestError(
        "unsupportedMediaType",
        "The content encoding is not supported. Send gzip, deflate, br or none.",
      );
    case "charset.unsupported":
      return new RequestError("unsupportedMediaType", "The charset is not supported. Send the body in UTF-8.");
    case "request.size.invalid":
    case "request.aborted":
      return new RequestError("undecodable", "The body ended before its Content-Length. Send it again.");
  }
  // Express's router on a percent-encoding that cannot be decoded, and zlib on a body that is not what it says.
  if (status === 400) return new RequestError("undecodable", "The path or body cannot be decoded. Check its encoding.");
  return error;
}

/** The same text on every Node: later ones add line and column to the position. */
function toParserText({ message }: Error): string {
  return message.replace(/ \(line \d+ column \d+\)$/, "");
}

function toInternalError(error: unknown, request: Request, context: RequestContext, log: Logger): HttpResponse {
  const errorId = randomUUID();
  log.error({ err: error, errorId, requestId: context.requestId }, "internal error");
  const { status, citation } = ERRORS.internal;
  const message = `Internal server error. The server's log has more under errorId ${errorId}.`;
  const timestamp = context.now.toISOString();
  const path = hideKeysInQuery(request);
  return { status, headers: {}, body: { statusCode: status, timestamp, path, message, ctx: citation, errorId } };
}

/** An error that violates the contract is still sent, since it says what happened; the log says how it violates it. */
function logViolations(contract: Contract, log: Logger, error: HttpResponse, response: Response): void {
  try {
    assertInContract(contract, contextOf(response).operation, response, error);
  } catch (violation) {
    log.error({ err: violation, requestId: contextOf(response).requestId }, "an error response violates the contract");
  }
}
