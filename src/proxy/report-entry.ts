// What the proxy reports: one entry for each place of a request or response with a violation.
import type { Citation } from "../contract/citation.js";

/** A departure from the contract, with its clause or decision. */
export interface CitedViolation extends Citation {
  /** Dotted: `query.limit`, `header.authorization`, `body.data.0._id`; or `status`, `path`, `method`, `connection`. */
  location: string;
  message: string;
}

export interface ReportEntry extends CitedViolation {
  /** `notChecked`: a response that was not checked in full: its body was too large, or the client left first. */
  kind: "violation" | "notChecked";
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
  /** Of the response. */
  status?: number;
}

/** One violation for each location, with all messages. */
export function mergeByLocation(violations: readonly CitedViolation[]): CitedViolation[] {
  const merged = new Map<string, CitedViolation>();
  for (const violation of violations) {
    const before = merged.get(violation.location);
    merged.set(
      violation.location,
      before ? { ...before, message: `${before.message}; ${violation.message}` } : violation,
    );
  }
  return [...merged.values()];
}
