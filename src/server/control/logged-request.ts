// A recorded request as the request history shows it (formatted when somebody reads it, since formatting hides the keys in it),
// and as coverage sees it.

import type { ControlSchemas } from "../../core/control/control-schemas.js";
import type { CoverageCounter } from "../../core/coverage/coverage.js";
import { parseJson } from "../../core/coverage/observation.js";
import { JsonText } from "../../core/domain/notifications.js";
import { type ErrorBody, violationsIn } from "../../core/operations/errors.js";
import { suggestPath, suggestPlace } from "../../core/operations/suggestion.js";
import { toJsonBytes } from "../http/exchange.js";
import { MAX_RECORDED_BYTES, type RequestRecord } from "../http/record-request.js";
import { toHeaderPairs } from "../http/redactor.js";

type LoggedRequest = ControlSchemas["LoggedRequest"];

/** Without the body of the response. */
export function toLoggedRequest(record: RequestRecord, number: number): LoggedRequest {
  const { contract, method, operation, status = 0 } = record;
  const { redact, redactTarget } = record.redactor();
  const shownTarget = redactTarget(record.target);
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
    headers: toHeaders(record),
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
  const { redact, redactTarget } = record.redactor();
  return redact(text).replaceAll(redact(record.target), () => redactTarget(record.target)); // an error repeats it
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

const COMMON_HEADERS =
  /^(accept|accept-.+|connection|content-.+|expect|host|origin|prefer|sec-fetch-.+|transfer-encoding|user-agent|x-environment|x-requested-by)$/;

/**
 * The headers of a request, with the values of common ones and of the operation's parameters. Any other may hold a key or open a
 * session, whatever its name.
 */
function toHeaders({ rawHeaders, operation, redactor }: RequestRecord): Record<string, string> {
  const parameters = operation?.parameters.filter((parameter) => parameter.in === "header") ?? [];
  const shownNames = new Set(parameters.map((parameter) => parameter.name.toLowerCase()));
  const { redact } = redactor();
  const headers: Record<string, string> = {};
  for (const [rawName, value] of toHeaderPairs(rawHeaders)) {
    const name = redact(rawName.toLowerCase());
    const isShown = COMMON_HEADERS.test(name) || shownNames.has(name);
    const hidden = name === "authorization" && value.startsWith("ApiKey ") ? "ApiKey …" : "…"; // the console says which is wrong
    const text = isShown && name !== "authorization" ? redact(value) : hidden;
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${text}` : text;
  }
  return headers;
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
