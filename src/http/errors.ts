// Every error that a client can see: its status, its reason and its body. One table, one handler.
import { randomUUID } from "node:crypto";
import type { ErrorRequestHandler, Request, Response } from "express";
import type { Logger } from "pino";
import type { Contract } from "../contract/contract.js";
import type { Reason } from "../contract/provenance.js";
import { DomainError, type DomainErrorCode } from "../domain/errors.js";
import { CannotStoreError } from "../store/environment.js";
import { type Answer, assertInContract, writeAnswer } from "./answer.js";
import { contextOf, type RequestContext } from "./request-context.js";

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
  reason: Reason;
}

/** The statuses and reasons of all errors. A test compares them with the contract, in both directions. */
export const ERRORS: Readonly<Record<DomainErrorCode | RequestErrorCode, ErrorKind>> = {
  undecodable: { status: 400, reason: { decision: "D-50" } },
  invalidPreference: { status: 400, reason: { decision: "D-71" } },
  workflowCritical: { status: 400, reason: { decision: "D-20" } },
  dateRangeInverted: { status: 400, reason: { decision: "D-41" } },
  unauthorized: { status: 401, reason: { clause: "§5.2" } },
  outsidePlan: { status: 402, reason: { decision: "D-42" } },
  workflowNotFound: { status: 404, reason: { decision: "D-18" } },
  subscriberNotFound: { status: 404, reason: { decision: "D-19" } },
  pathNotFound: { status: 404, reason: { clause: "§4" } },
  methodNotAllowed: { status: 405, reason: { decision: "D-51" } },
  idempotencyInProgress: { status: 409, reason: { decision: "D-57" } },
  contentTooLarge: { status: 413, reason: { decision: "D-52" } },
  unsupportedMediaType: { status: 415, reason: { decision: "D-53" } },
  invalidRequest: { status: 422, reason: { decision: "D-49" } },
  idempotencyKeyReused: { status: 422, reason: { decision: "D-59" } },
  rateLimited: { status: 429, reason: { decision: "D-54" } },
  internal: { status: 500, reason: { decision: "D-55" } },
  cannotStore: { status: 503, reason: { decision: "D-56" } },
};

/** What is wrong at one place of a request. */
export interface Violation extends Reason {
  messages: string[];
  value?: unknown;
}

/** A request that is refused before an operation looks at it. */
export class RequestError extends Error {
  readonly headers: Readonly<Record<string, string>>;
  readonly violations: Readonly<Record<string, Violation>> | undefined;

  constructor(
    readonly code: RequestErrorCode,
    message: string,
    more: { headers?: Record<string, string>; violations?: Record<string, Violation> } = {},
  ) {
    super(message);
    this.name = "RequestError";
    this.headers = more.headers ?? {};
    this.violations = more.violations;
  }
}

/** The answer to a refusal; undefined for everything else, which is a fault of the server. */
export function toRefusal(error: unknown, request: Request, { now }: RequestContext): Answer | undefined {
  const known = toRequestError(error);
  if (!(known instanceof RequestError || known instanceof DomainError)) return undefined;
  const { status, reason } = ERRORS[known.code];
  const body = {
    statusCode: status,
    timestamp: now.toISOString(),
    path: request.originalUrl,
    message: known.message,
    ctx: { ...reason, ...(known instanceof DomainError ? known.details : {}) },
  };
  if (known instanceof DomainError) return { status, headers: {}, body };
  return { status, headers: known.headers, body: known.violations ? { ...body, errors: known.violations } : body };
}

/** The one place where errors become answers. What is no refusal is logged in full and answered with its id alone. */
export function createErrorHandler(
  contract: Contract,
  log: Logger,
  options: { checkAnswers: boolean },
): ErrorRequestHandler {
  return function answerError(error, request, response, next) {
    if (response.headersSent) return next(error); // Express closes the connection: the answer cannot be mended
    const context = contextOf(response);
    if (error instanceof CannotStoreError) log.error({ err: error.cause, requestId: context.requestId }, error.message);
    const refusal = toRefusal(error, request, context);
    const answer = refusal ?? toFault(error, request, context, log);
    if (options.checkAnswers) reportOutside(contract, log, answer, response);
    writeAnswer(response, answer);
  };
}

/** Errors of the libraries around us, in our own words. */
function toRequestError(error: unknown): unknown {
  if (error instanceof CannotStoreError) {
    const message = "The change could not be stored. Nothing was changed; try again in a moment.";
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
        "The content encoding is not read. Send gzip, deflate, br or none.",
      );
    case "charset.unsupported":
      return new RequestError("unsupportedMediaType", "The charset is not read. Send the body in UTF-8.");
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

function toFault(error: unknown, request: Request, context: RequestContext, log: Logger): Answer {
  const errorId = randomUUID();
  log.error({ err: error, errorId, requestId: context.requestId }, "internal error");
  const { status, reason } = ERRORS.internal;
  const message = `Internal server error. The server's log has more under errorId ${errorId}.`;
  const timestamp = context.now.toISOString();
  const path = request.originalUrl;
  return { status, headers: {}, body: { statusCode: status, timestamp, path, message, ctx: reason, errorId } };
}

/** An error outside the contract still goes out, since it says what happened; the log says what is wrong with it. */
function reportOutside(contract: Contract, log: Logger, answer: Answer, response: Response): void {
  try {
    assertInContract(contract, contextOf(response).operation, response, answer);
  } catch (error) {
    log.error({ err: error, requestId: contextOf(response).requestId }, "an error answer is outside the contract");
  }
}
