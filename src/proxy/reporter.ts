// Turns verdicts into report entries: numbered, timed, free of keys, counted and handed to whoever listens.
import { EventEmitter } from "node:events";
import type { Contract } from "../contract/contract.js";
import { type Operation, toQueryNames } from "../contract/operations.js";
import { createRedactor } from "../http/redactor.js";
import type { Breach, ReportEntry } from "./report-entry.js";

export interface ProxyEvents {
  violation: [ReportEntry];
  notChecked: [ReportEntry];
  /** The check itself broke. What passed through was forwarded all the same. */
  fault: [Error];
}

export interface Summary {
  requests: number;
  violations: { request: number; response: number };
  /** Answers that nobody looked at in full. */
  notChecked: number;
  /** Exchanges that could not be judged, since the check itself broke. */
  faults: number;
}

/** A request and its answer, as the report names them. */
export interface Subject {
  exchange: number;
  method: string;
  target: string;
  operation?: Operation | undefined;
  status?: number;
}

export interface Reporter {
  events: EventEmitter<ProxyEvents>;
  summary(): Summary;
  /** Counts a request and takes note of its keys, before anything of it is reported. */
  begin(rawHeaders: readonly string[], method: string, target: string): Subject;
  report(direction: ReportEntry["direction"], subject: Subject, breaches: readonly Breach[]): void;
  reportUnchecked(subject: Subject, location: "body" | "connection", reason: string): void;
  reportFault(error: unknown): void;
}

const REDACTED = "[redacted]";

export function createReporter({ operations }: Contract): Reporter {
  const events = new EventEmitter<ProxyEvents>();
  const redactor = createRedactor({ placeholder: REDACTED, parameters: toQueryNames(operations) });
  const summary: Summary = { requests: 0, violations: { request: 0, response: 0 }, notChecked: 0, faults: 0 };

  function toEntry(
    kind: ReportEntry["kind"],
    direction: ReportEntry["direction"],
    subject: Subject,
    { location, message, ...reason }: Breach,
  ): ReportEntry {
    const { exchange, method, target, operation, status } = subject;
    return {
      kind,
      time: new Date().toISOString(),
      exchange,
      direction,
      operation: operation?.id ?? null,
      method,
      target: redactor.redactTarget(target),
      ...(status === undefined ? {} : { status }),
      location: redactor.redact(location, target),
      message: redactor.redact(message, target),
      ...reason,
    };
  }

  /** Whoever listens may fail, as on a full disk. That ends neither the exchange nor the proxy. */
  function emit(kind: ReportEntry["kind"], entry: ReportEntry): void {
    try {
      events.emit(kind, entry);
    } catch (error) {
      reportFault(error);
    }
  }

  function reportFault(error: unknown): void {
    summary.faults += 1;
    const { name, stack, message } = error instanceof Error ? error : new Error(String(error));
    const fault = new Error(redactor.redact(message));
    fault.name = name;
    fault.stack = redactor.redact(stack ?? message);
    try {
      events.emit("fault", fault);
    } catch {
      summary.faults += 1; // nobody is left to be told; the summary and the exit code say it
    }
  }

  return {
    events,
    summary: () => structuredClone(summary),
    begin(rawHeaders, method, target) {
      redactor.learn(rawHeaders, target);
      summary.requests += 1;
      return { exchange: summary.requests, method, target };
    },
    report(direction, subject, breaches) {
      summary.violations[direction] += breaches.length;
      for (const breach of breaches) emit("violation", toEntry("violation", direction, subject, breach));
    },
    reportUnchecked(subject, location, reason) {
      summary.notChecked += 1;
      const breach = { location, message: `not checked: ${reason}` };
      emit("notChecked", toEntry("notChecked", "response", subject, breach));
    },
    reportFault,
  };
}
