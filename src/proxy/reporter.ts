// Turns violations into report entries: numbered, timed, redacted and counted. Listeners get them as events.
import { EventEmitter } from "node:events";
import type { Contract } from "../contract/contract.js";
import { type Operation, toQueryNames } from "../contract/operations.js";
import { createRedactor } from "../http/redactor.js";
import type { CitedViolation, ReportEntry } from "./report-entry.js";

export interface ProxyEvents {
  violation: [ReportEntry];
  notChecked: [ReportEntry];
  /** A bug of the proxy, or a listener that throws. Forwarding goes on. */
  internalError: [Error];
}

export interface Summary {
  requests: number;
  violations: { request: number; response: number };
  /** Responses that were not checked in full. */
  notChecked: number;
  /** Exchanges that could not be checked or reported. */
  internalErrors: number;
}

/** A request and its response, as the report names them. */
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
  /** Counts a request and learns its keys, before anything about it is reported. */
  begin(rawHeaders: readonly string[], method: string, target: string): Subject;
  report(direction: ReportEntry["direction"], subject: Subject, violations: readonly CitedViolation[]): void;
  reportUnchecked(subject: Subject, location: "body" | "connection", reason: string): void;
  reportError(error: unknown): void;
}

interface DirectedViolations {
  direction: ReportEntry["direction"];
  violations: readonly CitedViolation[];
}

const REDACTED = "[redacted]";

export function createReporter({ operations }: Contract): Reporter {
  const events = new EventEmitter<ProxyEvents>();
  const redactor = createRedactor({ placeholder: REDACTED, parameters: toQueryNames(operations) });
  const summary: Summary = { requests: 0, violations: { request: 0, response: 0 }, notChecked: 0, internalErrors: 0 };

  /** A listener may throw, as on a full disk. That ends the report, but neither the exchange nor the proxy. */
  function emit(kind: ReportEntry["kind"], subject: Subject, { direction, violations }: DirectedViolations): void {
    const { exchange, method, target, operation, status } = subject;
    const shownTarget = redactor.redactTarget(target);
    try {
      for (const { location, message, ...citation } of violations) {
        events.emit(kind, {
          kind,
          time: new Date().toISOString(),
          exchange,
          direction,
          operation: operation?.id ?? null,
          method,
          target: shownTarget,
          ...(status === undefined ? {} : { status }),
          location: redactor.redact(location, target),
          message: redactor.redact(message, target),
          ...citation,
        });
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
    summary: () => structuredClone(summary),
    begin(rawHeaders, method, target) {
      redactor.learn(rawHeaders, target);
      summary.requests += 1;
      return { exchange: summary.requests, method, target };
    },
    report(direction, subject, violations) {
      summary.violations[direction] += violations.length;
      emit("violation", subject, { direction, violations });
    },
    reportUnchecked(subject, location, reason) {
      summary.notChecked += 1;
      const violations = [{ location, message: `not checked: ${reason}` }];
      emit("notChecked", subject, { direction: "response", violations });
    },
    reportError,
  };
}
