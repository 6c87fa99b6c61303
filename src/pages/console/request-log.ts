// The latest requests of an environment, by long polling while the page is visible: those of the view, and of the
// badge. With what the log keeps of a body, and where the cause of a rejection is.
import type { Control, LoggedRequest, RequestFilter } from "../../browser/client/control.js";
import { isObject, lookUp, parseJson } from "../../contract/json.js";
import { queryOf } from "../../contract/target.js";
import { isNavigation } from "../script/dashboard.js";
import { isNetworkError, messageOf } from "./panel.js";

const WAIT_MS = 25_000;
const BATCH_MS = 200; // under load, requests are shown in batches
const LIMIT = 1000; // as many as the server keeps of an environment

export interface RequestLog {
  /** Latest first. */
  requests: readonly LoggedRequest[];
  /** How many older ones the server has dropped. */
  dropped: number;
  /** Why there are none; empty if there is no error. */
  error: string;
}

/** @param show called with all of them, at first and at each change. */
export function createRequestLog(show: (log: RequestLog) => void) {
  let following = new AbortController();
  let known = new Map<number, LoggedRequest>();
  /** The latest one when the log was cleared: those without a key are of no environment, and stay at the server. */
  let cleared = 0;

  /** @param environment undefined for those of all. A request without a valid key belongs to each. */
  function follow(control: Control, environment: string | undefined): void {
    following.abort();
    following = new AbortController();
    const { signal } = following;
    if (document.hidden) return; // browsers limit the connections to one server
    known = new Map();
    const shared = { console: false, responseBodies: false, limit: LIMIT } as const;
    const add = (requests: readonly LoggedRequest[], dropped: number) => {
      const kept = requests.filter((request) => request.number > cleared && !isNavigation(request));
      for (const request of kept) known.set(request.number, request);
      const latest = [...known.values()].toSorted(
        (one, other) => other.at.localeCompare(one.at) || other.number - one.number,
      );
      for (const { number } of latest.splice(LIMIT)) known.delete(number);
      show({ requests: latest, dropped, error: "" });
    };
    const report = (error: unknown) => {
      if (signal.aborted || isNetworkError(error)) return; // main.ts reports an outage
      show({ requests: [], dropped: 0, error: messageOf(error) });
    };
    if (environment === undefined) return void poll(control, shared, signal, add).catch(report);
    let droppedCount = 0;
    const addOfEnvironment = (requests: readonly LoggedRequest[], dropped: number) => {
      droppedCount = dropped;
      add(requests, dropped);
    };
    const addKeyless = (requests: readonly LoggedRequest[]) => {
      const keyless = requests.filter((request) => request.environment === undefined);
      if (keyless.length > 0) add(keyless, droppedCount);
    };
    poll(control, { ...shared, environment }, signal, addOfEnvironment).catch(report);
    poll(control, { ...shared, status: 401 }, signal, addKeyless).catch(report);
  }

  function clear(): void {
    cleared = Math.max(cleared, ...known.keys());
    known.clear();
    show({ requests: [], dropped: 0, error: "" });
  }
  return { follow, clear, stop: () => following.abort() };
}

/** Adds the latest requests now, and later ones whenever there are some, until aborted. */
async function poll(
  control: Control,
  filter: RequestFilter,
  signal: AbortSignal,
  add: (requests: readonly LoggedRequest[], dropped: number) => void,
): Promise<void> {
  const first = await control.listRequests(filter, { signal });
  let after = first.latest;
  add(first.requests, first.dropped);
  for (;;) {
    const { requests, latest, dropped } = await control.listRequests({ ...filter, after, waitMs: WAIT_MS }, { signal });
    after = requests.at(-1)?.number ?? Math.max(after, latest); // a response may not have all new requests
    if (requests.length === 0) continue;
    add(requests, dropped);
    await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
  }
}

/** 4xx: the client's error. */
export function isRejected({ status = 0 }: LoggedRequest): boolean {
  return status >= 400 && status < 500;
}

/** 5xx or no response: the server's error, or a fault. */
export function isFailed({ status = 599 }: LoggedRequest): boolean {
  return status >= 500;
}

const LOGGED_BYTES = 8_192;

/** `cut at 8 KB of 165 KB`, or an empty text for a whole body. */
export function describeCut({ bodyBytes = 0, responseBytes = 0 }: LoggedRequest, part: "request" | "response"): string {
  const bytes = part === "response" ? responseBytes : bodyBytes;
  return bytes > LOGGED_BYTES ? `cut at ${formatSize(LOGGED_BYTES)} of ${formatSize(bytes)}` : "";
}

/** Says that the log lacks the body; empty if it does not. */
export function describeUnread({ headers, body }: LoggedRequest): string {
  const isSent = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
  return isSent && body === undefined ? "The server did not read the body, so the log lacks it." : "";
}

const formatSize = (bytes: number) => `${Math.round(bytes / 1024).toLocaleString("en")} KB`;

/** Ends a JSON text that was cut after its last whole value: `{"data":[{"a":1,"b":"te` → `{"data":[{"a":1}]}`. */
export function closeJson(text: string): string {
  const open: string[] = [];
  let end = 0;
  let closers = "";
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.?)*(?:"|$)|[[\]{},]/g)) {
    if (token.startsWith('"')) continue;
    if (token === "{" || token === "[") open.unshift(token === "{" ? "}" : "]");
    if (token === "}" || token === "]") open.shift();
    end = token === "," ? index : index + 1;
    closers = open.join("");
  }
  return text.slice(0, end) + closers;
}

/** By the error's code. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  pathNotFound: ["path"],
  methodNotAllowed: ["method"],
  invalidJson: ["body"],
  invalidPreference: ["header.prefer"],
  subscriberNotFound: ["path.subscriberId"],
  workflowNotFound: ["body.workflowId"],
  workflowCritical: ["body.workflowId"],
  dateRangeInverted: ["query.after", "query.before"],
  outsidePlan: ["query.after", "query.before"],
};

/** The messages by location: `query.limit`, `path.subscriberId`, or all of `path`, `method` or `body`. */
export function findCauses(request: LoggedRequest): Record<string, string> {
  const { violations, message = "", target, fault, responseHeaders = {} } = request;
  if (violations.length > 0)
    return Object.fromEntries(violations.map(({ location, messages }) => [location, messages.join(", ")]));
  if (fault !== undefined || responseHeaders["preference-applied"] !== undefined) return {}; // the request is fine
  const { code, earliest } = readContext(request);
  const [, header] = /Send "([\w-]+): /.exec(message) ?? [];
  const causes = header === undefined ? lookUp(CAUSES, code ?? "") : [`header.${header.toLowerCase()}`];
  const dates = queryOf(target); // those that the plan keeps are right
  const isCause = (place: string) => earliest === undefined || (dates.get(place.slice(6)) ?? earliest) < earliest;
  return Object.fromEntries((causes ?? []).filter(isCause).map((place) => [place, message]));
}

/** The clauses and decisions that the rejection rests on: of each violation, or of the error as a whole. */
export function findCitations(request: LoggedRequest): string[] {
  const { clause, decision } = readContext(request);
  const of = request.violations.flatMap((violation) => violation.clause ?? violation.decision ?? []);
  return [...new Set(of.length > 0 ? of : [clause ?? decision ?? []].flat())];
}

/** What an error says of itself, if it has this project's form. */
function readContext({ responseBody = "" }: LoggedRequest): Partial<Record<string, string>> {
  const body = parseJson(responseBody);
  return isObject(body) && isObject(body.ctx) ? (body.ctx as Record<string, string>) : {};
}
