// The differences that a team has accepted: by --allow, or in review.acceptances.json, a committed list of { match, reason, until }
// in the format of `verify`'s exceptions.
import { existsSync } from "node:fs";
import { ConfigError } from "../../server/config.js";
import { type Exception, isInForce, loadExceptions } from "../exceptions.js";
import type { RejectionReason } from "./find-reasons.js";

const MIN_LENGTH = 8;

/** Read where no other file is named, if it is there. */
export const ACCEPTANCES_FILE = "review.acceptances.json";

/** @throws ConfigError where a named file cannot be read, or is not such a list. */
export function loadAcceptances(path?: string): Exception[] {
  if (path === undefined && !existsSync(ACCEPTANCES_FILE)) return [];
  const acceptances = loadExceptions(path ?? ACCEPTANCES_FILE);
  const short = acceptances.find(({ match }) => match.length < MIN_LENGTH);
  if (short)
    throw new ConfigError(
      `${path ?? ACCEPTANCES_FILE}: the match ${short.match} is shorter than ${MIN_LENGTH} characters, and could accept anything.`,
    );
  return acceptances;
}

export interface Acceptance extends Exception {
  /** True for `--allow`: the match is the whole id, not a part of it. */
  isWhole?: boolean;
}

export interface AllowedReason extends RejectionReason {
  justification: string;
}

export interface Settled {
  rejected: RejectionReason[];
  allowed: AllowedReason[];
  /** Those that match no reason, in words. */
  unused: string[];
}

/** A reason that is accepted takes with it what follows from it; what follows may also be accepted by itself. */
export function settle(reasons: readonly RejectionReason[], acceptances: readonly Acceptance[], today: Date): Settled {
  const used = new Set<Acceptance>();
  const allowed: AllowedReason[] = [];
  const matching = ({ id, isFinal }: RejectionReason) =>
    isFinal ? [] : acceptances.filter(({ match, isWhole }) => (isWhole ? id === match : id.includes(match)));
  const keep = (reason: RejectionReason): RejectionReason[] => {
    const own = matching(reason);
    const acceptance = own.find((one) => isInForce(one, today));
    // An acceptance of the cause takes along those of what follows.
    const all = acceptance ? [reason, ...(reason.follows ?? [])].flatMap(matching) : own;
    for (const one of all) used.add(one);
    const expired = all.find((one) => !isInForce(one, today));
    const note = expired ? ` It was accepted until ${expired.until}: ${expired.reason}` : "";
    if (acceptance) {
      const justification = expired
        ? `${acceptance.reason} (${expired.match} was accepted until ${expired.until}: ${expired.reason})`
        : acceptance.reason;
      allowed.push({ ...reason, justification });
      return [];
    }
    const follows = reason.follows?.flatMap(keep) ?? [];
    const { follows: _all, ...rest } = reason;
    return [{ ...rest, message: `${reason.message}${note}`, ...(follows.length > 0 ? { follows } : {}) }];
  };
  const rejected = reasons.flatMap(keep);
  const unused = acceptances
    .filter((one) => !used.has(one))
    .map(({ match, isWhole }) => (isWhole ? `--allow ${match}` : `The acceptance ${match}`));
  return { rejected, allowed, unused };
}
