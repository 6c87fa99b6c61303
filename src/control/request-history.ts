// The latest requests to the API and their responses, in memory. They are formatted when somebody reads them. Of 1,500
// lists by ann, of which the first ten were rejected, the history keeps the ten rejected ones and the latest 990 others:
// polls do not replace what was rejected.

import { EventEmitter, once } from "node:events";
import type { LoggedRequest, RequestFilter } from "../core/control/handlers.js";
import { joinSignals } from "../core/domain/clock.js";
import { isFromConsole } from "../core/request/exchange.js";
import { joinParts, LOGGED_BYTES } from "../server/http/exchange.js";
import type { RequestRecord } from "../server/http/record-request.js";

const MAX_OF_ENVIRONMENT = 1_000;
const MAX_OF_ALL = 10_000;
/** So many of an environment give way to rejected ones only. */
const KEPT_REJECTED = 100;

interface Entry {
  number: number;
  request: RequestRecord;
  /** A cache: formatting is slow. */
  formatted?: LoggedRequest;
}

/** The requests of an environment, oldest first. */
interface Ring {
  environment: string | undefined;
  entries: Entry[];
  /** How many of the entries were rejected. */
  rejected: number;
  /** How many requests made room for later ones. */
  dropped: { rejected: number; others: number };
}

export function createRequestHistory() {
  const additions = new EventEmitter().setMaxListeners(0);
  const rings = new Map<string | undefined, Ring>();
  let latest = 0;
  let count = 0;

  function findRing(environment: string | undefined): Ring {
    const ring = rings.get(environment) ?? {
      environment,
      entries: [],
      rejected: 0,
      dropped: { rejected: 0, others: 0 },
    };
    rings.set(environment, ring);
    return ring;
  }

  return {
    /** The number of the latest request; 0 before the first. */
    get latest() {
      return latest;
    },
    /** How many requests made room for later ones since they were cleared. */
    countDropped({ environment, rejected }: Pick<RequestFilter, "environment" | "rejected">): number {
      return select(rings, environment).reduce((sum, { dropped }) => {
        return sum + (rejected === false ? 0 : dropped.rejected) + (rejected === true ? 0 : dropped.others);
      }, 0);
    },
    add(request: RequestRecord): void {
      latest += 1;
      count += 1;
      const ring = findRing(request.environment);
      ring.entries.push({ number: latest, request });
      if (isRejected(request)) ring.rejected += 1;
      const isFull = ring.entries.length > MAX_OF_ENVIRONMENT;
      if (isFull || count > MAX_OF_ALL) {
        drop(isFull ? ring : findLongest(rings));
        count -= 1;
      }
      additions.emit("added");
    },
    /** The matching requests, as soon as there is one, `waitMs` have passed or the signal aborts. */
    async wait(filter: RequestFilter, signal: AbortSignal): Promise<LoggedRequest[]> {
      const over = joinSignals(signal);
      const timer = setTimeout(over.abort, filter.waitMs ?? 0);
      try {
        for (;;) {
          const matches = find(select(rings, filter.environment), filter);
          if (matches.length > 0 || over.signal.aborted) return matches;
          await once(additions, "added", { signal: over.signal }).catch(ignoreAbort);
        }
      } finally {
        clearTimeout(timer);
        over.release();
      }
    },
    clear(environment: string | undefined): void {
      for (const ring of select(rings, environment)) {
        rings.delete(ring.environment);
        count -= ring.entries.length;
      }
    },
  };
}

/** The requests of one environment, or of all. */
function select(rings: ReadonlyMap<string | undefined, Ring>, environment: string | undefined): Ring[] {
  return [...rings.values()].filter((ring) => environment === undefined || ring.environment === environment);
}

/** Finds the ring that gives way, so that one environment leaves those of the others. */
function findLongest(rings: ReadonlyMap<string | undefined, Ring>): Ring {
  return [...rings.values()].reduce((longest, ring) => (ring.entries.length > longest.entries.length ? ring : longest));
}

/** Drops the oldest request that may give way. */
function drop(ring: Ring): void {
  const { entries, rejected, dropped } = ring;
  const other = rejected > KEPT_REJECTED ? 0 : entries.findIndex(({ request }) => !isRejected(request));
  const [oldest] = entries.splice(Math.max(0, other), 1);
  if (oldest && isRejected(oldest.request)) {
    ring.rejected -= 1;
    dropped.rejected += 1;
  } else dropped.others += 1;
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
function isRejected({ status = 599 }: RequestRecord): boolean {
  return status >= 400 && status < 500;
}

function isMatch(
  request: RequestRecord,
  { operation, method, status, rejected, failed, console }: RequestFilter,
): boolean {
  const { status: sent = 599 } = request; // no response counts as a failure
  return (
    (operation === undefined || request.operation === operation) &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (status === undefined || request.status === status) &&
    (rejected === undefined || isRejected(request) === rejected) &&
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

function formatRequest({ number, request }: Entry): LoggedRequest {
  const { redact, redactForLog } = request.redactor;
  const { fault, sentBody } = request;
  return {
    number,
    id: request.id,
    at: request.receivedAt.toISOString(),
    environmentTime: isOtherTime(request) ? request.time.toISOString() : undefined,
    environment: request.environment,
    operation: request.operation,
    method: request.method,
    target: redactForLog(request.target),
    headers: formatHeaders(request, redact),
    body: sentBody && redact(startOf(sentBody)),
    bodyBytes: sentBody?.bytes,
    status: request.status,
    milliseconds: Math.round(request.ms * 10) / 10,
    fault: fault?.id,
    injected: fault?.rule,
    mocked: request.isMocked || undefined,
    replayed: request.responseHeaders["idempotency-replay"] !== undefined || undefined,
    ...request.rejection,
  } as LoggedRequest; // JSON omits undefined members
}

/** True for an environment whose clock was set; one that runs with this machine's is a moment late. */
function isOtherTime({ receivedAt, time }: RequestRecord): boolean {
  return Math.abs(time.getTime() - receivedAt.getTime()) > 1_000;
}

function withResponse(entry: Entry): LoggedRequest {
  const { responseBody, redactor, target, status } = entry.request;
  if (status === undefined) return format(entry);
  const { redact, redactTarget, redactForLog } = redactor;
  const headers = Object.entries(entry.request.responseHeaders).map(([name, value]) => [name, redact(String(value))]);
  const responseHeaders: Record<string, string> = Object.fromEntries(headers);
  if (!responseBody) return { ...format(entry), responseHeaders };
  const text = redact(startOf(responseBody));
  // Errors repeat the target.
  const body = text.replaceAll(redactTarget(target), () => redactForLog(target));
  return { ...format(entry), responseHeaders, responseBody: body, responseBytes: responseBody.bytes };
}

function startOf({ parts }: NonNullable<RequestRecord["responseBody"]>): string {
  return Buffer.from(joinParts(parts)).subarray(0, LOGGED_BYTES).toString("utf8");
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
