// Exceptions: differences of the target that its user, or the kind of target, has declared. Their cases are run all the same, so
// that an exception that is no longer needed is reported.
export interface Exception {
  /** A clause, a decision, or a part of a case's name. */
  match: string;
  reason: string;
  /** The last day on which it applies: `2026-12-31`. */
  until?: string | undefined;
  /** Whether the kind of target implies it; then it need not match anything. */
  isImplied?: boolean;
}

export const isInForce = ({ until }: Exception, today = new Date()): boolean =>
  until === undefined || today.toISOString().slice(0, 10) <= until;
