// The one error handler: turns whatever a step throws into an error of the contract.
import { randomUUID } from "node:crypto";
import type { ErrorRequestHandler, Request } from "express";
import type { Logger } from "pino";
import {
  BODY_ERRORS,
  createErrorResponse,
  createInternalErrorResponse,
  RequestError,
} from "../../core/request/errors.js";
import { type Exchange, type HttpResponse, rejectedOf } from "../../core/request/exchange.js";
import { CannotStoreError } from "../../core/state/environment.js";
import { exchangeOf, type HttpExchange, keepUnreadBody, sendResponse } from "./exchange.js";
import { type FindErrorPage, sendPage } from "./public-pages.js";

/** Logs a bug in full, and responds with its id alone. */
export function createHandleError(log: Logger, findErrorPage?: FindErrorPage): ErrorRequestHandler {
  return function handleError(error, request, response, next) {
    if (response.headersSent) return next(error); // too late for another response: Express closes the connection
    const exchange = exchangeOf(response);
    if (exchange.isApiRequest) keepUnreadBody(exchange);
    try {
      sendError(exchange, request, error);
    } catch (cause) {
      // Express would respond with a page of its own, with stack and paths.
      delete exchange.adapt;
      sendResponse(exchange, createInternalError(cause, exchange, log));
    }
  };

  function sendError(exchange: HttpExchange, request: Request, error: unknown): void {
    if (error instanceof CannotStoreError) log.error({ err: error.cause, requestId: exchange.id }, error.message);
    const context = rejectedOf(exchange);
    const rejection = createErrorResponse(translateError(error), context) ?? createInternalError(error, exchange, log);
    const { message } = rejection.body as { message: string }; // built by core/request/errors.ts
    const page = findErrorPage?.(request, { path: context.path, message });
    if (page) {
      exchange.error = rejection.body;
      return void sendPage(exchange.response.status(rejection.status), page);
    }
    try {
      exchange.assertValid?.(rejection);
    } catch (violation) {
      // It is sent all the same, since it says what happened.
      log.error({ err: violation, requestId: exchange.id }, "an error response violates the contract");
    }
    sendResponse(exchange, rejection);
  }
}

/** Translates errors of Express and its body parser; returns any other as it is. */
export function translateError(error: unknown): unknown {
  const { type, status, limit } = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  switch (type) {
    // body-parser: https://github.com/expressjs/body-parser#errors
    case "entity.parse.failed":
      return BODY_ERRORS.notJson(error as Error);
    case "entity.too.large":
      return BODY_ERRORS.tooLarge(Number(limit));
    case "encoding.unsupported":
      return BODY_ERRORS.encoding();
    case "charset.unsupported":
      return BODY_ERRORS.charset();
    case "request.size.invalid":
    case "request.aborted":
      return new RequestError("undecodable", "The body is shorter than its Content-Length. Send it again.");
  }
  // By Express's router for invalid percent-encoding, by zlib for a body that is not compressed as declared.
  if (status === 400) return BODY_ERRORS.undecodable();
  return error;
}

function createInternalError(error: unknown, exchange: Exchange, log: Logger): HttpResponse {
  const errorId = randomUUID();
  log.error({ err: error, errorId, requestId: exchange.id }, "internal error");
  return createInternalErrorResponse(errorId, rejectedOf(exchange));
}
