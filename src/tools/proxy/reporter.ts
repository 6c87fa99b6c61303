// Turns violations into report entries (numbered, timed, redacted, counted), emits them as events, and groups them by
// cause.
import { EventEmitter } from "node:events";
import type { Contract } from "../../contract/contract.js";
import { groupBy, mapDefined } from "../../contract/lists.js";
import { formatCurl } from "../../contract/request.js";
import { placeOf } from "../../contract/violation.js";
import { createRedactor, type Redactor } from "../../core/request/redactor.js";
import { type CitedRules, findCitedRules } from "../citation-titles.js";
import { shortenBody } from "../difference.js";
import type { Symptom } from "../symptoms.js";
import type { ProxyViolation, RoundTrip } from "./round-trip.js";

export interface ReportEntry extends ProxyViolation {
  /**
   * `notChecked`: a response was not checked in full, because its body was too large or the client left first.
   * `ownResponse`: the proxy mocked an operation that the upstream lacks.
   */
  kind: "violation" | "notChecked" | "ownResponse";
  /** RFC 3339. */
  time: string;
  /** Counts the requests from 1; a request and its response share it. */
  exchange: number;
  direction: "request" | "response";
  /** null for a path outside the contract. */
  operation: string | null;
  method: string;
  /** Path and query, without values that may be secret. */
  target: string;
  /** The response's status. */
  status?: number;
  /** How many items of a list show it, if there are several; `location` is that of the first. */
  records?: number;
  /** True for the first entry of its cause. */
  isFirst: boolean;
}

/** Entries that differ only in their exchange, in the item of a list, or in the values of their message. */
export interface CountedCause {
  first: ReportEntry;
  exchanges: number;
  records: number;
  /** How many of the exchanges have a wrong status: what else is wrong there follows from it. */
  following: number;
  /** The symptom of the status of the first of these. */
  status?: string | undefined;
  /** The exchange of `first`, once it is over. */
  evidence?: Evidence;
}

export interface ProxyEvents {
  entry: [ReportEntry];
  /** A bug of the proxy, or a listener that throws. Forwarding goes on. */
  internalError: [Error];
}

export interface Summary extends CitedRules {
  /** The upstream's base URL. */
  upstream: string;
  /** The contract's version. */
  contract: string;
  /** RFC 3339. */
  started: string;
  seconds: number;
  requests: number;
  violations: { request: number; response: number };
  /** Responses that were not checked in full. */
  notChecked: number;
  /** Responses that the proxy mocked. */
  ownResponses: number;
  /** Exchanges that could not be checked or reported. */
  internalErrors: number;
  /** The most frequent ones first. */
  causes: CountedCause[];
}

export type Reporter = ReturnType<typeof createReporter>;

/**
 * Creates the report of one proxy.
 * @param upstream the upstream's base URL.
 */
export function createReporter(contract: Contract, upstream: string) {
  const started = new Date();
  const events = new EventEmitter<ProxyEvents>();
  const redactor = createRedactor({ placeholder: "[redacted]", contract });
  const summary = createCounts();
  const causes = createCauses();

  /** A listener may throw, as on a full disk. That ends the report, but neither the exchange nor the proxy. */
  function emit(
    { kind, direction }: Pick<ReportEntry, "kind" | "direction">,
    exchange: RoundTrip,
    violations: readonly CountedViolation[],
  ): void {
    const { number, method, target, operation, status } = exchange;
    const entry = { method, target: redactor.redactForLog(target), ...(status === undefined ? {} : { status }) };
    const ofStatus = violations.find(({ location }) => location === "status");
    const wrongStatus = ofStatus && symptomOf({ ...ofStatus, kind, direction }).kind;
    try {
      for (const { location, message, ...citation } of violations) {
        const common = { kind, time: new Date().toISOString(), exchange: number, direction };
        const texts = { location: redactor.redact(location), message: redactor.redact(message) };
        const reported = { ...common, operation: operation?.id ?? null, ...entry, ...texts, ...citation };
        events.emit("entry", causes.count({ ...reported, isFirst: false }, wrongStatus));
      }
    } catch (error) {
      reportError(error);
    }
  }

  function reportError(error: unknown): void {
    summary.internalErrors += 1;
    const { name, stack, message } = error instanceof Error ? error : new Error(String(error));
    const redacted = Object.assign(new Error(redactor.redact(message)), { name });
    redacted.stack = redactor.redact(stack ?? message);
    try {
      events.emit("internalError", redacted);
    } catch {
      summary.internalErrors += 1; // the summary and the exit code report it
    }
  }

  return {
    events,
    summary: (): Summary => ({
      upstream,
      contract: contract.document.info.version,
      started: started.toISOString(),
      seconds: (Date.now() - started.getTime()) / 1000,
      ...findCitedRules(
        contract,
        mapDefined(causes.list(), ({ first }) => citationOf(first)),
      ),
      ...structuredClone(summary),
      causes: causes.list().toSorted((one, other) => other.exchanges - one.exchanges),
    }),
    redactTarget: redactor.redactTarget,

    /** Counts a request and learns its keys, before anything about it is reported. */
    begin(request: Pick<RoundTrip, "method" | "target" | "headers">): RoundTrip {
      redactor.learn(request);
      summary.requests += 1;
      return { ...request, ...createRoundTrip(), number: summary.requests };
    },

    /** One entry for each location, with all its messages; items of a list with the same violation share one. */
    report(direction: ReportEntry["direction"], exchange: RoundTrip, violations: readonly ProxyViolation[]): void {
      const merged = truncate(mergeRecords(mergeByLocation(violations)));
      summary.violations[direction] += merged.length;
      emit({ kind: "violation", direction }, exchange, merged);
    },

    /** A response that was not checked, or not in full. */
    reportUnchecked(exchange: RoundTrip, location: "body" | "connection", reason: string): void {
      summary.notChecked += 1;
      emit({ kind: "notChecked", direction: "response" }, exchange, [{ location, message: `not checked: ${reason}` }]);
    },

    reportOwnResponse(exchange: RoundTrip): void {
      summary.ownResponses += 1;
      const message = "is mocked by the proxy, since the upstream lacks this operation";
      emit({ kind: "ownResponse", direction: "response" }, exchange, [{ location: "status", message }]);
    },

    /** Keeps the exchange for the causes that it is the first of. */
    finish(exchange: RoundTrip): void {
      causes.complete(exchange.number, (wrong) => buildEvidence(exchange, redactor, { upstream, wrong }));
    },

    reportError,
  };
}

const createRoundTrip = () => ({ startedAt: Date.now(), violations: [], overlapping: [], responseHeaders: {} });

const createCounts = () => ({
  requests: 0,
  violations: { request: 0, response: 0 },
  notChecked: 0,
  ownResponses: 0,
  internalErrors: 0,
});

function createCauses() {
  const causes = new Map<string, CountedCause>();
  /** The causes whose first exchange is in progress, by its number. */
  const fresh = new Map<number, string[]>();
  return {
    list: () => [...causes.values()],

    /** Counts an entry for its cause. @param status the symptom of a wrong status in the same message. */
    count(entry: ReportEntry, status: string | undefined): ReportEntry {
      const { records = 1, exchange } = entry;
      const follows = entry.location !== "status" && status !== undefined;
      const key = JSON.stringify([symptomOf(entry), entry.operation]);
      const cause = causes.get(key) ?? {
        first: { ...entry, isFirst: true },
        exchanges: 0,
        records: 0,
        following: 0,
        status,
      };
      if (cause.exchanges === 0) fresh.set(exchange, [...(fresh.get(exchange) ?? []), key]);
      const [exchanges, following] = [cause.exchanges + 1, cause.following + Number(follows)];
      causes.set(key, { ...cause, exchanges, following, records: cause.records + records });
      return cause.exchanges === 0 ? cause.first : entry;
    },

    /** Adds the evidence to the causes that an exchange is the first of. */
    complete(exchange: number, build: (first: ReportEntry) => Evidence): void {
      for (const key of fresh.get(exchange) ?? []) {
        const cause = causes.get(key);
        if (cause) causes.set(key, { ...cause, evidence: build(cause.first) });
      }
      fresh.delete(exchange);
    },
  };
}

/** The clause or decision of an entry, without the row of a clause. */
export const citationOf = ({ clause, decision }: ReportEntry) => (clause ?? decision)?.split(" ")[0];

function mergeByLocation(violations: readonly ProxyViolation[]): ProxyViolation[] {
  const merged = new Map<string, ProxyViolation>();
  for (const violation of violations) {
    const before = merged.get(violation.location);
    const message = before ? `${before.message}; ${violation.message}` : violation.message;
    merged.set(violation.location, { ...(before ?? violation), message });
  }
  return [...merged.values()];
}

type CountedViolation = ProxyViolation & Pick<ReportEntry, "records">;

const MAX_VIOLATIONS = 100; // of one exchange

function truncate(violations: readonly CountedViolation[]): readonly CountedViolation[] {
  const more = violations.length - MAX_VIOLATIONS;
  if (more <= 0) return violations;
  const message = `has ${more} more violations, which are not listed`;
  return [...violations.slice(0, MAX_VIOLATIONS), { location: "body", message }];
}

/** A message without the values in it. */
const kindOf = (message: string) => message.replaceAll(/"[^"]*"|\d+/g, "");

function mergeRecords(violations: readonly ProxyViolation[]): CountedViolation[] {
  const groups = groupBy(violations, ({ location, message }) => `${placeOf(location)} ${kindOf(message)}`);
  return groups.map(([first, ...further]) => (further.length > 0 ? { ...first, records: 1 + further.length } : first));
}

/** What entries of one cause share, whichever operation they are of. */
export function symptomOf(entry: ProxyViolation & Pick<ReportEntry, "kind" | "direction">): Symptom {
  const { kind, direction, location, message, title, code, clause, decision } = entry;
  return {
    place: placeOf(location),
    kind: JSON.stringify([kind, direction, title ?? code ?? kindOf(message), clause, decision]),
  };
}

interface Evidence {
  /** Sends the request again, to the upstream. */
  curl: string;
  requestBody?: string | undefined;
  /** The client's name for itself: its `User-Agent`. */
  client?: string | undefined;
  /** The response's; undefined if there was none. */
  status?: number | undefined;
  responseBody?: string | undefined;
}

const MAX_CLIENT = 200; // characters
const KEY_VARIABLE = "$NC_API_KEY";

/** Headers that a request is sent again with. Any other may hold a secret. */
const SHOWN: ReadonlySet<string> = new Set(["content-type", "content-encoding", "idempotency-key", "prefer"]);

/**
 * @param upstream the upstream's base URL.
 * @param wrong the violated place, of the request or the response.
 */
function buildEvidence(
  { method, target, headers, status, sent, received }: RoundTrip,
  { redact, redactForLog }: Redactor,
  { upstream, wrong }: { upstream: string; wrong: { direction: "request" | "response"; path?: readonly string[] } },
): Evidence {
  function show(body: Buffer | undefined, direction: typeof wrong.direction): string | undefined {
    if (!body?.length) return undefined;
    const path = wrong.direction === direction ? wrong.path?.slice(1) : undefined;
    return redact(shortenBody(normalizeJson(redact(body.toString())), path)); // twice: an escape in JSON may hide a key
  }
  const requestBody = show(sent, "request");
  const shown = Object.entries(headers).filter(([name, value]) => value !== undefined && SHOWN.has(name));
  const request = {
    method,
    target: redactForLog(target),
    headers: {
      ...(headers.authorization === undefined ? {} : { authorization: `ApiKey ${KEY_VARIABLE}` }),
      ...Object.fromEntries(shown.map(([name, value]) => [name, redact(String(value))])),
    },
    ...(requestBody === undefined ? {} : { body: requestBody }),
  };
  const curl = formatCurl(request, upstream, { [KEY_VARIABLE]: KEY_VARIABLE });
  const client = headers["user-agent"] === undefined ? undefined : redact(headers["user-agent"].slice(0, MAX_CLIENT));
  return { curl, client, requestBody, status, responseBody: show(received, "response") };
}

function normalizeJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text; // not JSON
  }
}
