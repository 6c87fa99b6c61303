// The outcome of one case.
import type { Promised } from "./case.js";
import type { Difference } from "./expectation.js";

/** `error`: the suite itself failed, not the target. */
export const OUTCOMES = ["pass", "fail", "not applicable", "error"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Failure extends Difference {
  cites: string[];
  /** The smallest request that shows it. */
  curl?: string;
}

export interface Result {
  id: string;
  cites: string[];
  outcome: Outcome;
  ms: number;
  /** Why the case is not applicable, or the stack of the error. */
  reason?: string;
  failure?: Failure;
  /** The `match` of the exception that excuses a failure. */
  exception?: string;
  covers?: Promised;
}
