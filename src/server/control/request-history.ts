// The latest requests to the API and their responses, in memory. Requests are formatted when somebody reads them, and counted for
// coverage after their responses, which must not wait for it.
import { EventEmitter, once } from "node:events";
import type { Contract } from "../../contract/contract.js";
import { isFromConsole } from "../../core/control/faults.js";
import type { LoggedRequest, RequestFilter } from "../../core/control/handlers.js";
import { type Coverage, type CoverageCounter, parseJson } from "../../core/coverage/coverage.js";
import { JsonText } from "../../core/domain/notifications.js";
import { toJsonBytes } from "../http/exchange.js";
import { explainRejection, MAX_RECORDED_BYTES, type RequestRecord } from "../http/record-request.js";

export type RequestHistory = ReturnType<typeof createRequestHistory>;

const MAX_REQUESTS = 1000;

interface Entry {
  number: number;
  request: RequestRecord;
  /** A cache: formatting is slow. */
  formatted?: LoggedRequest;
  isCovered?: boolean;
}

export function createRequestHistory(counter: CoverageCounter) {
  const additions = new EventEmitter().setMaxListeners(0);
  const cover = createCover(counter);
  const dropped = new Map<string | undefined, number>();
  let entries: Entry[] = [];
  let latest = 0;

  return {
    /** The number of the latest request; 0 before the first. */
    get latest() {
      return latest;
    },
    /** How many requests of an environment, or of all, were dropped for later ones since they were cleared. */
    droppedOf: (environment: string | undefined): number =>
      environment === undefined
        ? [...dropped.values()].reduce((sum, number) => sum + number, 0)
        : (dropped.get(environment) ?? 0),
    add(request: RequestRecord): void {
      latest += 1;
      entries.push({ number: latest, request });
      const oldest = entries.length > MAX_REQUESTS ? entries.shift() : undefined;
      if (oldest) {
        cover(oldest);
        const { environment } = oldest.request;
        dropped.set(environment, (dropped.get(environment) ?? 0) + 1);
      }
      additions.emit("added");
    },
    /** The matching requests, as soon as there is one, `waitMs` have passed or the signal aborts. */
    async wait(filter: RequestFilter, signal: AbortSignal): Promise<LoggedRequest[]> {
      const over = AbortSignal.any([signal, AbortSignal.timeout(filter.waitMs ?? 0)]);
      for (;;) {
        const matches = find(entries, filter);
        if (matches.length > 0 || over.aborted) return matches;
        await once(additions, "added", { signal: over }).catch(ignoreAbort);
      }
    },
    clear(environment: string | undefined): void {
      entries.forEach(cover);
      entries = environment === undefined ? [] : entries.filter(({ request }) => request.environment !== environment);
      if (environment === undefined) dropped.clear();
      else dropped.delete(environment);
    },
    /** The coverage of a contract by all requests so far, including those that were dropped or cleared. */
    coverage(contract: Contract): Coverage {
      entries.forEach(cover);
      return counter.list(contract);
    },
  };
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}

/** The matching requests, oldest first: with `after` the first ones after it, else the latest ones. */
function find(
  entries: readonly Entry[],
  { after, before = Infinity, limit = 100, search, responseBodies = true, ...filter }: RequestFilter,
): LoggedRequest[] {
  const text = search?.toLowerCase();
  const page: Entry[] = [];
  for (const entry of after === undefined ? entries.toReversed() : entries) {
    if (page.length === limit) break;
    const isInRange = entry.number > (after ?? 0) && entry.number < before;
    if (!isInRange || !isMatch(entry.request, filter)) continue;
    if (text === undefined || includesText(format(entry), text)) page.push(entry);
  }
  if (after === undefined) page.reverse();
  return page.map((entry) => (responseBodies ? withResponseBody(entry) : format(entry)));
}

function isMatch(request: RequestRecord, filter: RequestFilter): boolean {
  const { environment, operation, method, status, rejected, failed, console } = filter;
  const { status: sent = 599 } = request; // no response counts as a failure
  return (
    (environment === undefined || request.environment === environment) &&
    (operation === undefined || request.operation?.id === operation) &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (status === undefined || request.status === status) &&
    (rejected === undefined || (sent >= 400 && sent < 500) === rejected) &&
    (failed === undefined || sent >= 500 === failed) &&
    (console === undefined || isFromConsole(request.headers) === console)
  );
}

/** Searches the redacted text, so that a search finds no keys. */
function includesText(request: LoggedRequest, text: string): boolean {
  const { id, environment, method, target, body, message, violations } = request;
  const texts = [id, environment, `${method} ${target}`, body, message, JSON.stringify(violations)];
  return texts.some((part) => part?.toLowerCase().includes(text));
}

function format(entry: Entry): LoggedRequest {
  entry.formatted ??= toLoggedRequest(entry);
  return entry.formatted;
}

function toLoggedRequest({ number, request }: Entry): LoggedRequest {
  const { redact, redactTarget } = request.redactor();
  const { message, violations, suggestion } = explainRejection(request);
  return {
    number,
    id: request.id,
    at: request.at.toISOString(),
    environment: request.environment,
    operation: request.operation?.id,
    method: request.method,
    target: redactTarget(request.target),
    headers: toHeaders(request, redact),
    body: request.sentBody && redact(request.sentBody.toString("utf8")),
    status: request.status,
    milliseconds: Math.round(request.ms * 10) / 10,
    fault: request.fault,
    mocked: request.isMocked || undefined,
    message,
    violations,
    suggestion,
  } as LoggedRequest; // JSON omits undefined members
}

function withResponseBody(entry: Entry): LoggedRequest {
  const { responseBody: body, redactor, target } = entry.request;
  if (body === undefined) return format(entry);
  const { redact, redactTarget } = redactor();
  const text = redact(toJsonBytes(body).subarray(0, MAX_RECORDED_BYTES).toString("utf8"));
  return { ...format(entry), responseBody: text.replaceAll(redact(target), () => redactTarget(target)) }; // errors repeat the target
}

const SHOWN_HEADERS =
  /^(accept|accept-.+|connection|content-.+|expect|host|origin|prefer|sec-fetch-.+|transfer-encoding|user-agent|x-requested-by)$/;

/**
 * The headers of a request, with the values of common ones and of the operation's parameters. Any other value may be a key or a
 * session, whatever its name.
 */
function toHeaders({ headers, operation }: RequestRecord, redact: (text: string) => string): Record<string, string> {
  const parameters = operation?.parameters.filter((parameter) => parameter.in === "header") ?? [];
  const shownNames = new Set(parameters.map(({ name }) => name.toLowerCase()));
  const toShown = (name: string, value: string): string => {
    if (name === "authorization") return value.startsWith("ApiKey ") ? "ApiKey …" : "…"; // the console shows a wrong scheme
    return SHOWN_HEADERS.test(name) || shownNames.has(name) ? redact(value) : "…";
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [redact(name), toShown(name, String(value))]),
  );
}

// Counting parses each page, so it has a budget: tests stay far below it; under load, most requests are skipped.
const BURST_BYTES = 16_000_000;
const BYTES_A_SECOND = 500_000;
const EXCHANGE_BYTES = 4_096;

/** Creates the function that counts, once, what a request and its response cover of the contract. */
function createCover(counter: CoverageCounter) {
  let budget = BURST_BYTES;
  let at = performance.now();

  return function cover(entry: Entry): void {
    if (entry.isCovered || isFromConsole(entry.request.headers)) return; // not a client under test
    entry.isCovered = true;
    const { contract, method, target, headers, status, sentBody, responseHeaders, responseBody, ms } = entry.request;
    const parts = responseBody instanceof JsonText ? responseBody.parts : [];
    const bytes = parts.reduce((sum, part) => sum + part.length, EXCHANGE_BYTES);
    const now = performance.now();
    budget = Math.min(BURST_BYTES, budget + ((now - at) / 1_000) * BYTES_A_SECOND);
    at = now;
    if (budget < bytes) {
      counter.skip();
      return;
    }
    budget -= bytes;
    const observation = {
      query: new URLSearchParams(target.split("?")[1]),
      headers,
      sent: sentBody && parseJson(sentBody.toString("utf8")),
      status,
      responseHeaders,
      received: parts.length > 0 ? parseJson(toJsonBytes(responseBody).toString("utf8")) : responseBody,
      milliseconds: ms,
    };
    counter.add(contract, { method, target }, observation);
  };
}
