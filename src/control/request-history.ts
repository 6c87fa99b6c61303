// The latest requests to the API and their responses. Bounded; it lives as long as the server.
import { EventEmitter, once } from "node:events";
import type { ControlOperations, ControlSchemas } from "./control-schemas.js";

type LoggedRequest = ControlSchemas["LoggedRequest"];

/** A request that has its response; it is formatted when somebody reads the log. */
export interface CompletedRequest {
  environment: string | undefined;
  operation: string | undefined;
  method: string;
  status: number | undefined;
  /** How much memory it holds. */
  bytes: number;
  format(number: number): LoggedRequest;
}

export type RequestFilter = NonNullable<ControlOperations["listRequests"]["parameters"]["query"]>;

export interface RequestHistory {
  /** The number of the latest request; 0 before the first. */
  readonly latest: number;
  add(request: CompletedRequest): void;
  /** The matching requests, oldest first: the first ones after `after`, or else the latest. */
  find(filter: RequestFilter): LoggedRequest[];
  /** The same, once a request matches, the time is over or the signal aborts. */
  wait(filter: RequestFilter, signal: AbortSignal): Promise<LoggedRequest[]>;
  clear(environment: string | undefined): void;
}

const MOST_REQUESTS = 1000;
const MOST_BYTES = 16 * 1024 * 1024;

interface Entry {
  number: number;
  request: CompletedRequest;
}

export function createRequestHistory(): RequestHistory {
  const added = new EventEmitter().setMaxListeners(0);
  let entries: Entry[] = [];
  let bytes = 0;
  let latest = 0;

  const history: RequestHistory = {
    get latest() {
      return latest;
    },
    add(request) {
      latest += 1;
      entries.push({ number: latest, request });
      bytes += request.bytes;
      while (entries.length > MOST_REQUESTS || bytes > MOST_BYTES) bytes -= entries.shift()?.request.bytes ?? bytes;
      added.emit("added");
    },
    find({ after, limit = 100, ...filter }) {
      const matches = entries.filter(({ number, request }) => number > (after ?? 0) && isMatch(request, filter));
      const page = after === undefined ? matches.slice(-limit) : matches.slice(0, limit);
      return page.map(({ number, request }) => request.format(number));
    },
    async wait(filter, signal) {
      const over = AbortSignal.any([signal, AbortSignal.timeout(filter.waitMs ?? 0)]);
      for (;;) {
        const matches = history.find(filter);
        if (matches.length > 0 || over.aborted) return matches;
        await once(added, "added", { signal: over }).catch(ignoreAbort);
      }
    },
    clear(environment) {
      entries = environment === undefined ? [] : entries.filter(({ request }) => request.environment !== environment);
      bytes = entries.reduce((sum, { request }) => sum + request.bytes, 0);
    },
  };
  return history;
}

function isMatch(
  request: CompletedRequest,
  { environment, operation, method, status, rejected }: Omit<RequestFilter, "after" | "limit">,
): boolean {
  const isRejected = request.status !== undefined && request.status >= 400 && request.status < 500;
  return (
    (environment === undefined || request.environment === environment) &&
    (operation === undefined || request.operation === operation) &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (status === undefined || request.status === status) &&
    (rejected === undefined || isRejected === rejected)
  );
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
