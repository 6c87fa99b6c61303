// The latest requests to the API and their responses, in memory: as text, so that nothing of the contract they were
// sent to stays. Requests are formatted when somebody reads them. Of 1,500 lists by ann, ten of them rejected, the
// history keeps
//   ann, rejected   10, dropped 0
//   ann, others   1,000, dropped 490

import { EventEmitter, once } from "node:events";
import type { Contract } from "../contract/contract.js";
import { parseJson } from "../contract/json.js";
import { queryOf } from "../contract/target.js";
import type { LoggedRequest, RequestFilter } from "../core/control/handlers.js";
import type { Coverage, CoverageCounter } from "../core/coverage/coverage.js";
import { JsonText } from "../core/domain/notifications.js";
import { isFromConsole } from "../core/operations/exchange.js";
import { joinParts } from "../server/http/express-exchange.js";
import { MAX_RESPONSE_BYTES, type RequestRecord, type Served } from "../server/http/record-request.js";

/** Of each ring. */
const MAX_REQUESTS = 1000;
/** Of all rings together. */
const MAX_BYTES = 32_000_000;

interface Entry {
  number: number;
  bytes: number;
  request: RequestRecord;
  responseHeaders: Served["responseHeaders"];
  /** A cache: formatting is slow. */
  formatted?: LoggedRequest;
}

/** The latest rejected requests of an environment, or its latest others: neither replaces the other. */
interface Ring {
  environment: string | undefined;
  isRejected: boolean;
  entries: Entry[];
  bytes: number;
  /** How many requests made room for later ones. */
  dropped: number;
}

export function createRequestHistory(counter: CoverageCounter) {
  const additions = new EventEmitter().setMaxListeners(0);
  const cover = createCover(counter);
  const rings = new Map<string, Ring>();
  let latest = 0;
  let bytes = 0;

  function findRing({ environment, status }: RequestRecord): Ring {
    const isRejected = isRejection(status);
    const key = `${environment ?? ""} ${isRejected}`;
    const ring = rings.get(key) ?? { environment, isRejected, entries: [], bytes: 0, dropped: 0 };
    rings.set(key, ring);
    return ring;
  }

  function drop(ring: Ring): void {
    const oldest = ring.entries.shift();
    if (!oldest) return;
    ring.dropped += 1;
    ring.bytes -= oldest.bytes;
    bytes -= oldest.bytes;
  }

  return {
    /** The number of the latest request; 0 before the first. */
    get latest() {
      return latest;
    },
    /** How many requests made room for later ones since they were cleared. */
    countDropped: (scope: Scope): number => select(rings, scope).reduce((count, { dropped }) => count + dropped, 0),
    add(request: RequestRecord, served: Served): void {
      cover(request, served);
      latest += 1;
      const { responseHeaders } = served;
      const entry = { number: latest, bytes: sizeOf(request, responseHeaders), request, responseHeaders };
      const ring = findRing(request);
      ring.entries.push(entry);
      ring.bytes += entry.bytes;
      bytes += entry.bytes;
      if (ring.entries.length > MAX_REQUESTS) drop(ring);
      while (bytes > MAX_BYTES) drop(findLargest(rings));
      additions.emit("added");
    },
    /** The matching requests, as soon as there is one, `waitMs` have passed or the signal aborts. */
    async wait(filter: RequestFilter, signal: AbortSignal): Promise<LoggedRequest[]> {
      const over = AbortSignal.any([signal, AbortSignal.timeout(filter.waitMs ?? 0)]);
      for (;;) {
        const matches = find(select(rings, filter), filter);
        if (matches.length > 0 || over.aborted) return matches;
        await once(additions, "added", { signal: over }).catch(ignoreAbort);
      }
    },
    clear(environment: string | undefined): void {
      for (const [key, ring] of rings) {
        if (environment !== undefined && ring.environment !== environment) continue;
        rings.delete(key);
        bytes -= ring.bytes;
      }
    },
    /** The coverage of a contract by all requests so far, including those that were dropped or cleared. */
    coverage: (contract: Contract): Coverage => counter.list(contract),
  };
}

type Scope = Pick<RequestFilter, "environment" | "rejected">;

function select(rings: ReadonlyMap<string, Ring>, { environment, rejected }: Scope): Ring[] {
  return [...rings.values()].filter(
    (ring) =>
      (environment === undefined || ring.environment === environment) &&
      (rejected === undefined || ring.isRejected === rejected),
  );
}

/** Finds the ring that gives way, so that one environment's large requests leave those of the others. */
function findLargest(rings: ReadonlyMap<string, Ring>): Ring {
  return [...rings.values()].reduce((largest, ring) => (ring.bytes > largest.bytes ? ring : largest));
}

const MEMBERS_BYTES = 500;

/** About the memory that a request takes. */
function sizeOf({ target, headers, sentBody, responseBody }: RequestRecord, responseHeaders: object): number {
  let bytes = MEMBERS_BYTES + target.length + (sentBody?.length ?? 0);
  for (const all of [headers, responseHeaders])
    for (const [name, value] of Object.entries(all)) bytes += name.length + String(value).length;
  for (const part of responseBody) bytes += part.length;
  return bytes;
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}

/** The matching requests, oldest first: with `after` the first ones after it, else the latest ones. */
function find(
  rings: readonly Ring[],
  { after, before = Infinity, limit = 100, search, responseBodies = true, ...filter }: RequestFilter,
): LoggedRequest[] {
  const text = search?.toLowerCase();
  const isEarlier = ({ number }: Entry) => number <= (after ?? 0);
  const entries = rings
    .flatMap((ring) => ring.entries.slice(ring.entries.findLastIndex(isEarlier) + 1))
    .toSorted((one, other) => one.number - other.number);
  if (after === undefined) entries.reverse();
  const page: Entry[] = [];
  for (const entry of entries) {
    if (page.length === limit) break;
    if (entry.number >= before || !isMatch(entry.request, filter)) continue;
    if (text === undefined || includesText(format(entry), text)) page.push(entry);
  }
  if (after === undefined) page.reverse();
  return page.map((entry) => (responseBodies ? withResponse(entry) : format(entry)));
}

/** 4xx: the client's error. */
function isRejection(status = 599): boolean {
  return status >= 400 && status < 500;
}

function isMatch(request: RequestRecord, { operation, method, status, failed, console }: RequestFilter): boolean {
  const { status: sent = 599 } = request; // no response counts as a failure
  return (
    (operation === undefined || request.operation === operation) &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (status === undefined || request.status === status) &&
    (failed === undefined || sent >= 500 === failed) &&
    (console === undefined || isFromConsole(request) === console)
  );
}

/** Searches the redacted text, so that a search finds no keys. */
function includesText(request: LoggedRequest, text: string): boolean {
  const { id, environment, method, target, headers, body, status, message, violations, injected, replayed } = request;
  if (String(status) === text || environment === text) return true;
  const texts = [
    injected && ((injected.status ?? injected.example ?? injected.disconnect) ? "fault" : "delayed by a fault"),
    replayed ? "replay" : undefined,
    `${method} ${target}`,
    headers["idempotency-key"],
    body,
    message,
    JSON.stringify(violations),
  ];
  if (!STATUS.test(text)) texts.push(id); // most ids have some three digits
  return texts.some((part) => part?.toLowerCase().includes(text));
}

const STATUS = /^[1-5]\d\d$/;

function format(entry: Entry): LoggedRequest {
  entry.formatted ??= formatRequest(entry);
  return entry.formatted;
}

function formatRequest({ number, request, responseHeaders }: Entry): LoggedRequest {
  const { redact, redactForLog } = request.redactor;
  const { fault } = request;
  return {
    number,
    id: request.id,
    at: request.at.toISOString(),
    environment: request.environment,
    operation: request.operation,
    method: request.method,
    target: redactForLog(request.target),
    headers: formatHeaders(request, redact),
    body: request.sentBody && redact(request.sentBody.toString("utf8")),
    status: request.status,
    milliseconds: Math.round(request.ms * 10) / 10,
    fault: fault?.id,
    injected: fault?.rule,
    mocked: request.isMocked || undefined,
    replayed: responseHeaders["idempotency-replay"] !== undefined || undefined,
    ...request.rejection,
  } as LoggedRequest; // JSON omits undefined members
}

function withResponse(entry: Entry): LoggedRequest {
  const { responseBody, responseBytes, redactor, target, status } = entry.request;
  if (status === undefined) return format(entry);
  const { redact, redactTarget, redactForLog } = redactor;
  const bytes = joinParts(responseBody);
  const text = redact(bytes.subarray(0, MAX_RESPONSE_BYTES).toString("utf8"));
  // Errors repeat the target.
  const body = text.replaceAll(redactTarget(target), () => redactForLog(target));
  const headers = Object.entries(entry.responseHeaders).map(([name, value]) => [name, redact(String(value))]);
  const responseHeaders: Record<string, string> = Object.fromEntries(headers);
  return { ...format(entry), responseHeaders, ...(body === "" ? {} : { responseBody: body, responseBytes }) };
}

const SHOWN = /^(accept|connection|expect|host|origin|prefer|transfer-encoding|user-agent|x-requested-by)$/;
const SHOWN_FAMILIES = /^(accept|content|sec-fetch)-/;

/**
 * The headers of a request, with the values of common ones and of the operation's parameters. Any other value may be a
 * key or a session, whatever its name.
 */
function formatHeaders(
  { headers, parameters }: RequestRecord,
  redact: (text: string) => string,
): Record<string, string> {
  const formatHeader = (name: string, value: string): string => {
    if (name === "authorization") return value.startsWith("ApiKey ") ? "ApiKey …" : "…"; // to show a wrong scheme
    const isShown = SHOWN.test(name) || SHOWN_FAMILIES.test(name) || parameters.includes(name);
    return isShown ? redact(value) : "…";
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [redact(name), formatHeader(name, String(value))]),
  );
}

// Counting parses each page, so it has a budget: tests stay far below it; under load, most requests are skipped.
const BURST_BYTES = 16_000_000;
const BYTES_A_SECOND = 500_000;
const EXCHANGE_BYTES = 4_096;

/** Creates the function that counts what a request and its response cover of the contract. */
function createCover(counter: CoverageCounter) {
  let budget = BURST_BYTES;
  let at = performance.now();

  return function cover(request: RequestRecord, { contract, responseHeaders, body }: Served): void {
    if (isFromConsole(request)) return; // not a client under test
    const parts = body instanceof JsonText ? body.parts : [];
    const bytes = parts.reduce((sum, part) => sum + part.length, EXCHANGE_BYTES);
    const now = performance.now();
    budget = Math.min(BURST_BYTES, budget + ((now - at) / 1_000) * BYTES_A_SECOND);
    at = now;
    if (budget < bytes) {
      counter.skip();
      return;
    }
    budget -= bytes;
    const { method, target, headers, status, sentBody, ms } = request;
    const observation = {
      query: queryOf(target),
      headers,
      sent: sentBody && parseJson(sentBody.toString("utf8")),
      status,
      responseHeaders,
      received: parts.length > 0 ? parseJson(joinParts(parts).toString("utf8")) : body,
      milliseconds: ms,
    };
    counter.add(contract, { method, target }, observation);
  };
}
