// The latest requests that the API was asked, as they were. Bounded; it lives as long as the server.
import { EventEmitter, once } from "node:events";
import { createByteRing, type RingPlace } from "./byte-ring.js";
import type { ControlOperations, ControlSchemas } from "./control-schemas.js";

type LoggedRequest = ControlSchemas["LoggedRequest"];

/** A request that has been answered; what is shown of it is made when somebody asks. */
export interface AnsweredRequest {
  environment: string | undefined;
  operation: string | undefined;
  method: string;
  status: number | undefined;
  /** How much memory it holds, the bodies aside. */
  bytes: number;
  /** The bodies that came and went, as far as they are shown. */
  body: Buffer | undefined;
  answer: Buffer | undefined;
  show(number: number, bodies: { body: Buffer | undefined; answer: Buffer | undefined }): LoggedRequest;
}

export type RequestFilter = NonNullable<ControlOperations["listRequests"]["parameters"]["query"]>;

export interface RequestHistory {
  /** The number of the latest request; 0 before the first. */
  readonly latest: number;
  add(request: AnsweredRequest): void;
  /** Those that fit, oldest first: the first ones after `after`, or else the latest. */
  find(filter: RequestFilter): LoggedRequest[];
  /** The same, once there is one that fits, or the time is over or the signal aborts. */
  wait(filter: RequestFilter, signal: AbortSignal): Promise<LoggedRequest[]>;
  clear(environment: string | undefined): void;
}

const MOST_REQUESTS = 1000;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_BODY_BYTES = 8 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

interface Kept {
  number: number;
  request: Omit<AnsweredRequest, "body" | "answer">;
  /** Where the ring was before its bodies: while that is there, they are. */
  since: RingPlace;
  body: RingPlace | undefined;
  answer: RingPlace | undefined;
}

export function createRequestHistory(): RequestHistory {
  const added = new EventEmitter().setMaxListeners(0);
  const ring = createByteRing(MOST_BODY_BYTES);
  let kept: Kept[] = [];
  let bytes = 0;
  let latest = 0;

  const history: RequestHistory = {
    get latest() {
      return latest;
    },
    add({ body, answer, ...request }) {
      latest += 1;
      const since = ring.put(NOTHING);
      kept.push({ number: latest, request, since, body: body && ring.put(body), answer: answer && ring.put(answer) });
      bytes += request.bytes;
      while (kept[0] && isTooMuch(kept[0])) bytes -= kept.shift()?.request.bytes ?? 0;
      added.emit("added");
    },
    find({ after, limit = 100, ...filter }) {
      const found = kept.filter(({ number, request }) => number > (after ?? 0) && doesFit(request, filter));
      const shown = after === undefined ? found.slice(-limit) : found.slice(0, limit);
      return shown.map((one) => one.request.show(one.number, bodiesOf(one)));
    },
    async wait(filter, signal) {
      const over = AbortSignal.any([signal, AbortSignal.timeout(filter.waitMs ?? 0)]);
      for (;;) {
        const found = history.find(filter);
        if (found.length > 0 || over.aborted) return found;
        await once(added, "added", { signal: over }).catch(ignoreAbort);
      }
    },
    clear(environment) {
      kept = environment === undefined ? [] : kept.filter(({ request }) => request.environment !== environment);
      bytes = kept.reduce((sum, { request }) => sum + request.bytes, 0);
    },
  };
  return history;

  function bodiesOf({ body, answer }: Kept) {
    return { body: body && ring.read(body), answer: answer && ring.read(answer) };
  }

  function isTooMuch(oldest: Kept): boolean {
    return kept.length > MOST_REQUESTS || bytes > MOST_BYTES || !ring.has(oldest.since);
  }
}

function doesFit(
  request: Kept["request"],
  { environment, operation, method, status, refused }: RequestFilter,
): boolean {
  const isRefused = request.status !== undefined && request.status >= 400 && request.status < 500;
  return (
    (environment === undefined || request.environment === environment) &&
    (operation === undefined || request.operation === operation) &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (status === undefined || request.status === status) &&
    (refused === undefined || isRefused === refused)
  );
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
