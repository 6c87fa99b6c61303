// The latest requests to the API and their responses. Bounded; it lives as long as the server.
import { EventEmitter, once } from "node:events";
import type { Contract } from "../../contract/contract.js";
import type { LoggedRequest, RequestFilter } from "../../core/control/control-handler.js";
import { isFromConsole } from "../../core/control/faults.js";
import type { Coverage, CoverageCounter } from "../../core/coverage/coverage.js";
import type { RequestRecord } from "../http/record-request.js";
import { cover, toLoggedBody, toLoggedRequest } from "./logged-request.js";

export type RequestHistory = ReturnType<typeof createRequestHistory>;

const MAX_REQUESTS = 1000;
const MAX_BYTES = 16 * 1024 * 1024;

interface Entry {
  number: number;
  request: RequestRecord;
  /** The console is no client under test. */
  isFromConsole: boolean;
  /** Formatted once. */
  formatted?: LoggedRequest;
  isCovered?: boolean;
}

export function createRequestHistory(counter: CoverageCounter) {
  const additions = new EventEmitter().setMaxListeners(0);
  let entries: Entry[] = [];
  let bytes = 0;
  let latest = 0;
  let fromConsole = 0;
  const dropped = new Map<string | undefined, number>();

  /** Those of the console go first: what it reads to be up to date must not push out what others have sent. */
  function dropOldest(): void {
    const index = fromConsole > 0 ? entries.findIndex((entry) => entry.isFromConsole) : 0;
    for (const entry of entries.splice(index, 1)) {
      const { environment } = entry.request;
      coverOnce(entry);
      count(entry, -1);
      if (entry.isFromConsole) continue; // nobody misses what it reads
      dropped.set(environment, (dropped.get(environment) ?? 0) + 1);
    }
  }

  /** Later than its response, which must not wait for it. */
  function coverOnce(entry: Entry): void {
    if (!entry.isCovered && !entry.isFromConsole) cover(entry.request, counter);
    entry.isCovered = true;
  }

  function count(entry: Entry, sign: 1 | -1): void {
    bytes += sign * entry.request.bytes;
    if (entry.isFromConsole) fromConsole += sign;
  }

  /** The matching requests, oldest first: the first ones after `after`, or else the latest (before `before`). */
  function find({ after, before = Infinity, limit = 100, search, responseBodies = true, ...filter }: RequestFilter) {
    const text = search?.toLowerCase();
    const page: Entry[] = [];
    for (const entry of after === undefined ? entries.toReversed() : entries) {
      if (page.length === limit) break;
      const isInRange = entry.number > (after ?? 0) && entry.number < before;
      if (!isInRange || !isMatch(entry, filter)) continue;
      if (text === undefined || includesText(format(entry), text)) page.push(entry);
    }
    if (after === undefined) page.reverse();
    return page.map((entry) => (responseBodies ? withResponseBody(entry) : format(entry)));
  }

  return {
    /** The number of the latest request; 0 before the first. */
    get latest() {
      return latest;
    },
    /** How many requests of an environment, or of all, have made room for later ones since they were cleared. */
    droppedOf: (environment: string | undefined): number =>
      environment === undefined
        ? [...dropped.values()].reduce((sum, number) => sum + number, 0)
        : (dropped.get(environment) ?? 0),
    add(request: RequestRecord): void {
      latest += 1;
      const entry = { number: latest, request, isFromConsole: isFromConsole(request.headers) };
      entries.push(entry);
      count(entry, 1);
      while (entries.length > MAX_REQUESTS || bytes > MAX_BYTES) dropOldest();
      additions.emit("added");
    },
    find,
    /** The same, once a request matches, the time is over or the signal aborts. */
    async wait(filter: RequestFilter, signal: AbortSignal): Promise<LoggedRequest[]> {
      const over = AbortSignal.any([signal, AbortSignal.timeout(filter.waitMs ?? 0)]);
      for (;;) {
        const matches = find(filter);
        if (matches.length > 0 || over.aborted) return matches;
        await once(additions, "added", { signal: over }).catch(ignoreAbort);
      }
    },
    clear(environment: string | undefined): void {
      for (const entry of entries) coverOnce(entry);
      entries = environment === undefined ? [] : entries.filter(({ request }) => request.environment !== environment);
      if (environment === undefined) dropped.clear();
      else dropped.delete(environment);
      [bytes, fromConsole] = [0, 0];
      for (const entry of entries) count(entry, 1);
    },
    /** The coverage of a contract by all requests so far, dropped and cleared ones included. */
    coverage(contract: Contract): Coverage {
      for (const entry of entries) coverOnce(entry);
      return counter.list(contract);
    },
  };
}

function isMatch(
  { request, isFromConsole }: Entry,
  { environment, operation, method, status, rejected, failed, console }: RequestFilter,
): boolean {
  const { status: sent = 599 } = request; // without a response, it failed
  return (
    (environment === undefined || request.environment === environment) &&
    (operation === undefined || request.operation?.id === operation) &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (status === undefined || request.status === status) &&
    (rejected === undefined || (sent >= 400 && sent < 500) === rejected) &&
    (failed === undefined || sent >= 500 === failed) &&
    (console === undefined || isFromConsole === console)
  );
}

function format(entry: Entry): LoggedRequest {
  entry.formatted ??= toLoggedRequest(entry.request, entry.number);
  return entry.formatted;
}

function withResponseBody(entry: Entry): LoggedRequest {
  const responseBody = toLoggedBody(entry.request);
  return { ...format(entry), ...(responseBody === undefined ? {} : { responseBody }) };
}

/** Searches the text that the log shows, so that a search finds no keys. */
function includesText(request: LoggedRequest, text: string): boolean {
  const { id, environment, method, target, body, message, violations } = request;
  const texts = [id, environment, `${method} ${target}`, body, message, JSON.stringify(violations)];
  return texts.some((part) => part?.toLowerCase().includes(text));
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
