// Exceptions: differences of the target that its user, or the kind of target, has declared. Their cases are run all the same, so
// that an exception that is no longer needed is reported.
import { readFileSync } from "node:fs";
import { ConfigError } from "../config.js";

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

/**
 * Reads a file with a list of `{ "match": …, "reason": …, "until": … }`.
 * @throws ConfigError
 */
export function loadExceptions(path: string): Exception[] {
  const fail = (message: string): never => {
    throw new ConfigError(`${path}: ${message}`);
  };
  let list: unknown;
  try {
    list = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return fail(`cannot be read as JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(list)) return fail("must be a list of exceptions");
  return list.map((entry: Partial<Record<keyof Exception, unknown>> | null, index) => {
    const { match, reason, until } = entry ?? {};
    if (typeof match !== "string" || match === "") return fail(`entry ${index + 1} has no "match"`);
    if (typeof reason !== "string" || reason === "") return fail(`entry ${index + 1} has no "reason"`);
    if (until !== undefined && !(typeof until === "string" && /^\d{4}-\d\d-\d\d$/.test(until)))
      return fail(`entry ${index + 1}: "until" must be a date such as 2026-12-31`);
    return { match, reason, until };
  });
}
