// The step that records each request to the API in the request history, once its response is sent, and what the coverage sees of it.
import type { Request, RequestHandler, Response } from "express";
import { type ErrorBody, violationsIn } from "../api/errors.js";
import { suggestPath, suggestPlace } from "../api/near-miss.js";
import type { Contract } from "../contract/contract.js";
import { toQueryNames } from "../contract/operations.js";
import type { CoverageCounter } from "../coverage/coverage.js";
import { parseJson } from "../coverage/exchange.js";
import { JsonText } from "../domain/notifications.js";
import { createRedactor, SCHEME, SECRET_HEADER, toHeaderPairs } from "../http/redactor.js";
import { contextOf } from "../http/request-context.js";
import { toJsonBytes } from "../http/response.js";
import type { ControlSchemas } from "./control-schemas.js";
import type { CompletedRequest, RequestHistory } from "./request-history.js";

type LoggedRequest = ControlSchemas["LoggedRequest"];

const MAX_BODY_BYTES = 16_384;
const OVERHEAD_BYTES = 4_096; // headers and the rest, as they were and formatted, roughly

export function createRecordRequest(contract: Contract, history: RequestHistory): RequestHandler {
  return function recordRequest(request, response, next) {
    const started = performance.now();
    response.on("close", () => history.add(toCompleted(contract, request, response, performance.now() - started)));
    next();
  };
}

function toCompleted(contract: Contract, request: Request, response: Response, ms: number): CompletedRequest {
  const {
    requestId,
    now,
    environment,
    operation,
    sentBody,
    response: apiResponse,
    fault,
    isMocked,
  } = contextOf(response);
  // Only these are kept, not request and response with their connection: no function in here may name those two.
  const { rawHeaders, headers: requestHeaders, method, originalUrl: target } = request;
  const responseHeaders = toCoveredHeaders(response);
  const status = response.writableFinished ? response.statusCode : undefined;
  const error = status !== undefined && status >= 400 ? ((apiResponse?.body ?? {}) as Partial<ErrorBody>) : undefined;
  const requestBody = truncate(sentBody);
  const responseBody = apiResponse?.body; // not its bytes: a page shares those of its notifications with the store
  const responseBytes = (error ? 2 : 1) * Math.min(apiResponse?.bytes.length ?? 0, MAX_BODY_BYTES); // an error is formatted, too
  const createRequestRedactor = () => {
    const redactor = createRedactor({ placeholder: "…", parameters: toQueryNames(contract.operations) });
    redactor.learn(rawHeaders, target);
    return redactor;
  };
  return {
    environment: environment?.name,
    operation: operation?.id,
    method,
    status,
    isFromConsole: isFromConsole(request),
    bytes: OVERHEAD_BYTES + target.length + 2 * (requestBody?.length ?? 0) + responseBytes,
    formatResponseBody() {
      if (responseBody === undefined) return undefined;
      const text = toJsonBytes(responseBody).subarray(0, MAX_BODY_BYTES).toString("utf8");
      return createRequestRedactor().redact(text, target);
    },
    cover(coverage) {
      const parts = responseBody instanceof JsonText ? responseBody.parts : [];
      const length = parts.reduce((sum, part) => sum + part.length, EXCHANGE_BYTES);
      if (!isAffordable(coverage, length)) return coverage.skip();
      coverage.add(
        contract,
        { method, target },
        {
          query: new URLSearchParams(target.split("?")[1]),
          headers: requestHeaders,
          sent: requestBody && parseJson(requestBody.toString("utf8")),
          status,
          responseHeaders,
          received: parts.length > 0 ? parseJson(toJsonBytes(responseBody).toString("utf8")) : responseBody,
          milliseconds: ms,
        },
      );
    },
    format(number) {
      const redactor = createRequestRedactor();
      const redact = (text: string) => redactor.redact(text, target);
      const shownTarget = redactor.redactTarget(target);
      const message = error?.message;
      const isUnknownPath = status === 404 && operation === undefined;
      return withoutUndefined({
        number,
        id: requestId,
        at: now.toISOString(),
        environment: environment?.name,
        operation: operation?.id as LoggedRequest["operation"],
        method,
        target: shownTarget,
        headers: toHeaders(rawHeaders, redact),
        body: requestBody && redact(requestBody.toString("utf8")),
        status,
        milliseconds: Math.round(ms * 10) / 10,
        fault,
        mocked: isMocked,
        message: message && redact(message),
        violations: violationsIn(error ?? {}).map((violation) =>
          withoutUndefined({
            ...violation,
            location: redact(violation.location),
            messages: violation.messages.map(redact),
            suggestion: operation && suggestPlace(contract, operation, violation.location),
          }),
        ),
        suggestion: isUnknownPath ? suggestPath(contract, method, shownTarget) : undefined,
      });
    },
  };
}

/** What the coverage looks at. */
function toCoveredHeaders(response: Response) {
  return {
    "retry-after": response.getHeader("retry-after"),
    "idempotency-replay": response.getHeader("idempotency-replay"),
  };
}

/** The console names itself: it is no client under test. */
export function isFromConsole({ headers }: Request): boolean {
  return headers["x-requested-by"] === "console";
}

/** A copy: a part of a buffer would keep all of it in memory. */
function truncate(bytes: Buffer | undefined): Buffer | undefined {
  return bytes && Buffer.from(bytes.subarray(0, MAX_BODY_BYTES));
}

/** Headers as they were sent, without credentials. */
function toHeaders(rawHeaders: readonly string[], redact: (text: string) => string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [rawName, value] of toHeaderPairs(rawHeaders)) {
    const name = redact(rawName.toLowerCase());
    const text = SECRET_HEADER.test(name) ? hideCredentials(value) : redact(value);
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${text}` : text;
  }
  return headers;
}

/** All but the scheme. Whatever else stands first in `Authorization: <key> ApiKey` may be the key. */
function hideCredentials(value: string): string {
  const [scheme = "", ...rest] = value.split(" ");
  return SCHEME.test(scheme) && rest.length > 0 ? `${scheme} …` : "…";
}

type WithoutUndefined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

function withoutUndefined<T extends object>(value: T): WithoutUndefined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as WithoutUndefined<T>;
}

// To look at a page means to parse it, so that under load most are not: what is left to read, by counter. Tests stay far below,
// a benchmark loses a few percent of a processor.
const BURST_BYTES = 16_000_000;
const BYTES_A_SECOND = 500_000;
const EXCHANGE_BYTES = 4_096;
const budgets = new WeakMap<CoverageCounter, { bytes: number; at: number }>();

function isAffordable(coverage: CoverageCounter, bytes: number): boolean {
  const at = performance.now();
  const last = budgets.get(coverage) ?? { bytes: BURST_BYTES, at };
  const left = Math.min(BURST_BYTES, last.bytes + ((at - last.at) / 1_000) * BYTES_A_SECOND);
  const isEnough = left >= bytes;
  budgets.set(coverage, { bytes: isEnough ? left - bytes : left, at });
  return isEnough;
}
