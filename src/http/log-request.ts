// Assigns a request its id and time, and writes one line to the log when the response is sent.
import { randomUUID } from "node:crypto";
import type { Request, RequestHandler } from "express";
import type { Logger } from "pino";
import type { ErrorEntry } from "../api/errors.js";
import type { Clock } from "../domain/clock.js";
import { createRedactor } from "./redactor.js";
import { contextOf, startContext } from "./request-context.js";

/**
 * Logs method, path, status, time taken and environment, and of a 422 the first violation. Values of the query are left out, and so are
 * names without a value: any of them may be a key. The request's own key is left out everywhere.
 */
export function createLogRequest(log: Logger, clock: Clock): RequestHandler {
  return function logRequest(request, response, next) {
    const started = performance.now();
    const requestId = randomUUID();
    const { method } = request; // a later step turns HEAD into GET
    startContext(response, { requestId, now: clock.now() });
    response.setHeader("X-Request-Id", requestId);
    response.on("close", () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const { environment, operation, response: apiResponse, isMocked } = contextOf(response);
      const status = response.writableFinished ? `${response.statusCode}${isMocked ? " (mocked)" : ""}` : "aborted";
      const path = toLoggedPath(request);
      const isAccepted = operation !== undefined && response.statusCode < 400; // then every name is one of the contract
      const text = isAccepted ? `${path} ${status}` : withoutKeys(request, `${path} ${status}`, apiResponse?.body);
      log.info({ requestId, environment: environment?.name, ms }, `${method} ${text}`);
    });
    next();
  };
}

/** With the first violation. Its place may repeat what a client sent as a name: a key, or control characters. */
function withoutKeys({ rawHeaders, originalUrl }: Request, text: string, body: unknown): string {
  const redactor = createRedactor({ placeholder: "…" });
  redactor.learn(rawHeaders, originalUrl);
  const { errors = {} } = (body ?? {}) as { errors?: Record<string, ErrorEntry> };
  const [first] = Object.entries(errors);
  if (!first) return redactor.redact(text);
  const [location, { messages }] = first;
  const reason = redactor.redact(`${location} ${messages[0]}`, originalUrl).replaceAll(/\p{C}/gu, "�");
  return `${redactor.redact(text)}: ${reason}`;
}

function toLoggedPath(request: Request): string {
  const [path = "", query] = request.originalUrl.split("?", 2);
  return query === undefined ? path : `${path}?${query.split("&").map(toName).join("&")}`;
}

function toName(parameter: string): string {
  const [name = "", value] = parameter.split("=", 2);
  return name && (value ? name : "…");
}
