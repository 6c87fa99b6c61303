// The reasons that a team has accepted: by --allow, or in review.acceptances.json, a committed list of { match, reason,
// until } in the format of `verify`'s exceptions.
import { existsSync } from "node:fs";
import { ConfigError } from "../../core/options.js";
import { type Exception, isInForce, loadExceptions } from "../exceptions.js";
import type { RejectionReason } from "./reasons.js";

const MIN_LENGTH = 8;
const DEFAULT_FILE = "review.acceptances.json";

/** Stands for a justification in the commands of a report; it is none itself. */
export const PLACEHOLDER = "<why>";

/**
 * @param path without it, the default file is read if it exists
 * @throws ConfigError
 */
export function loadAcceptances(path?: string): Exception[] {
  if (path === undefined && !existsSync(DEFAULT_FILE)) return [];
  const file = path ?? DEFAULT_FILE;
  const acceptances = loadExceptions(file);
  const short = acceptances.find(({ match }) => match.length < MIN_LENGTH);
  if (!short) return acceptances;
  throw new ConfigError(
    `${file}: the match ${short.match} is shorter than ${MIN_LENGTH} characters: it could accept anything.`,
  );
}

export interface Acceptance extends Exception {
  /** True for `--allow`: the match is the whole id, not a part of it. */
  isWhole?: boolean;
}

export interface AllowedReason extends RejectionReason {
  justification: string;
}

/**
 * Accepting a reason also accepts what follows from it, which may be accepted by itself as well.
 * @returns also the acceptances that match no reason, in words
 */
export function settle(reasons: readonly RejectionReason[], acceptances: readonly Acceptance[], today: Date) {
  const used = new Set<Acceptance>();
  const allowed: AllowedReason[] = [];
  const rejected = reasons.flatMap(settleReason);
  const unused = acceptances
    .filter((acceptance) => !used.has(acceptance))
    .map(({ match, isWhole }) => (isWhole ? `--allow ${match}` : `The acceptance ${match}`));
  return { rejected, allowed, unused };

  /** @returns the reason, unless it is accepted */
  function settleReason(reason: RejectionReason): RejectionReason[] {
    const own = matching(reason);
    const acceptance = own.find((one) => isInForce(one, today));
    const all = acceptance ? [reason, ...(reason.follows ?? [])].flatMap(matching) : own;
    for (const one of all) used.add(one);
    const expired = all.find((one) => !isInForce(one, today));
    const note = expired && `was accepted until ${expired.until}: ${expired.reason}`;
    if (acceptance) {
      const justification = expired ? `${acceptance.reason} (${expired.match} ${note})` : acceptance.reason;
      allowed.push({ ...reason, justification });
      return [];
    }
    const { follows: effects = [], ...rest } = reason;
    const follows = effects.flatMap(settleReason);
    if (reason.kind === "correction" && effects.length > 0 && follows.length === 0) return []; // each of them is accepted by itself
    const message = note ? `${reason.message} It ${note}` : reason.message;
    return [{ ...rest, message, ...(follows.length > 0 ? { follows } : {}) }];
  }

  function matching({ id, kind }: RejectionReason): Acceptance[] {
    return kind === "failure"
      ? []
      : acceptances.filter(({ match, isWhole }) => (isWhole ? id === match : id.includes(match)));
  }
}
