// A recorded request as the request history shows it (formatted when somebody reads it, since formatting hides the keys in it),
// and as coverage sees it.

import { toQueryNames } from "../../contract/operations.js";
import type { ControlSchemas } from "../../core/control/control-schemas.js";
import type { CoverageCounter } from "../../core/coverage/coverage.js";
import { parseJson } from "../../core/coverage/observation.js";
import { JsonText } from "../../core/domain/notifications.js";
import { type ErrorBody, violationsIn } from "../../core/operations/errors.js";
import { suggestPath, suggestPlace } from "../../core/operations/suggestion.js";
import { toJsonBytes } from "../http/exchange.js";
import { MAX_RECORDED_BYTES, type RequestRecord } from "../http/record-request.js";
import { createRedactor, SCHEME, SECRET_HEADER, toHeaderPairs } from "../http/redactor.js";

type LoggedRequest = ControlSchemas["LoggedRequest"];

/** Without the body of the response. */
export function toLoggedRequest(record: RequestRecord, number: number): LoggedRequest {
  const { contract, method, target, operation, status = 0 } = record;
  const redactor = createRecordRedactor(record);
  const redact = (text: string) => redactor.redact(text, target);
  const shownTarget = redactor.redactTarget(target);
  const error = (status >= 400 ? (record.responseBody ?? {}) : {}) as Partial<ErrorBody>;
  const isUnknownPath = status === 404 && operation === undefined;
  return withoutUndefined({
    number,
    id: record.id,
    at: record.at.toISOString(),
    environment: record.environment,
    operation: operation?.id as LoggedRequest["operation"],
    method,
    target: shownTarget,
    headers: toHeaders(record.rawHeaders, redact),
    body: record.sentBody && redact(record.sentBody.toString("utf8")),
    status: record.status,
    milliseconds: Math.round(record.ms * 10) / 10,
    fault: record.fault,
    mocked: record.isMocked || undefined,
    message: error.message && redact(error.message),
    violations: violationsIn(error).map((violation) =>
      withoutUndefined({
        ...violation,
        location: redact(violation.location),
        messages: violation.messages.map(redact),
        suggestion: operation && suggestPlace(contract, operation, violation.location),
      }),
    ),
    suggestion: isUnknownPath ? suggestPath(contract, method, shownTarget) : undefined,
  });
}

export function toLoggedBody(record: RequestRecord): string | undefined {
  if (record.responseBody === undefined) return undefined;
  const text = toJsonBytes(record.responseBody).subarray(0, MAX_RECORDED_BYTES).toString("utf8");
  return createRecordRedactor(record).redact(text, record.target);
}

function createRecordRedactor({ contract, rawHeaders, target }: RequestRecord) {
  const redactor = createRedactor({ placeholder: "…", parameters: toQueryNames(contract.operations) });
  redactor.learn(rawHeaders, target);
  return redactor;
}

/** Counts what a request and its response have shown of the contract. */
export function cover(record: RequestRecord, coverage: CoverageCounter): void {
  const { contract, method, target, sentBody, responseBody } = record;
  const parts = responseBody instanceof JsonText ? responseBody.parts : [];
  const length = parts.reduce((sum, part) => sum + part.length, EXCHANGE_BYTES);
  if (!isAffordable(coverage, length)) {
    coverage.skip();
    return;
  }
  coverage.add(
    contract,
    { method, target },
    {
      query: new URLSearchParams(target.split("?")[1]),
      headers: record.headers,
      sent: sentBody && parseJson(sentBody.toString("utf8")),
      status: record.status,
      responseHeaders: record.responseHeaders,
      received: parts.length > 0 ? parseJson(toJsonBytes(responseBody).toString("utf8")) : responseBody,
      milliseconds: record.ms,
    },
  );
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
