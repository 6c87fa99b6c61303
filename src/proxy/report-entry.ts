// What the proxy reports: one entry for each thing that is wrong at one place of a request or an answer.
import type { Citation } from "../contract/citation.js";

/** Something that breaks the contract, and where the contract says so. */
export interface Breach extends Citation {
  /** Dotted: `query.limit`, `header.authorization`, `body.data.0._id`; or `status`, `path`, `method`, `connection`. */
  location: string;
  message: string;
}

export interface ReportEntry extends Breach {
  /** `notChecked`: an answer that nobody looked at in full: its body was too large, or the client left first. */
  kind: "violation" | "notChecked";
  /** RFC 3339. */
  time: string;
  /** Counts the requests from 1; a request and its answer share it. */
  exchange: number;
  direction: "request" | "response";
  /** null for a path that is not of the contract. */
  operation: string | null;
  method: string;
  /** Path and query, without values that may be secret. */
  target: string;
  /** Of the answer. */
  status?: number;
}

/** One breach for each location; what else is wrong there joins its message. */
export function mergeByLocation(breaches: readonly Breach[]): Breach[] {
  const merged = new Map<string, Breach>();
  for (const breach of breaches) {
    const before = merged.get(breach.location);
    merged.set(breach.location, before ? { ...before, message: `${before.message}; ${breach.message}` } : breach);
  }
  return [...merged.values()];
}
