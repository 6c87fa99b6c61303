// The reasons that a team has accepted: by --allow, or in review.acceptances.json, a committed list of { match, reason,
// until } in the format of `verify`'s exceptions.
import { existsSync } from "node:fs";
import { mapDefined } from "../../contract/lists.js";
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
    `${file}: the match ${short.match} is shorter than ${MIN_LENGTH} characters: it could accept anything. Copy a reason's id from the report.`,
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
 * Accepting a reason also accepts what follows from it, which may be accepted by itself as well. One that has expired
 * accepts nothing, and is named at its reason.
 * @returns also the acceptances that match no reason, in words
 */
export function settle(reasons: readonly RejectionReason[], acceptances: readonly Acceptance[], today: Date) {
  const used = new Set<Acceptance>();
  const allowed: AllowedReason[] = [];
  const rejected = mapDefined(reasons, settleReason);
  const unused = acceptances
    .filter((acceptance) => !used.has(acceptance))
    .map(({ match, isWhole }) => (isWhole ? `--allow ${match}` : `The acceptance ${match}`));
  return { rejected, allowed, unused };

  /** @returns the reason as it is left; undefined if it is accepted */
  function settleReason(reason: RejectionReason): RejectionReason | undefined {
    const acceptance = findMatching(reason).find((one) => isInForce(one, today));
    return acceptance ? accept(reason, acceptance) : reject(reason);
  }

  function accept(reason: RejectionReason, { reason: why }: Acceptance): undefined {
    const all = [reason, ...(reason.follows ?? [])].flatMap(findMatching);
    const expired = all.find((one) => !isInForce(one, today));
    const justification = expired ? `${why} (${expired.match} ${describeExpiry(expired)})` : why;
    allowed.push({ ...reason, justification });
  }

  function reject(reason: RejectionReason): RejectionReason | undefined {
    const [expired] = findMatching(reason); // none is in force
    const { follows: effects = [], ...cause } = reason;
    const follows = mapDefined(effects, settleReason);
    // A change that is no reason itself is settled with the last of what follows from it.
    if (reason.kind === "correction" && effects.length > 0 && follows.length === 0) return undefined;
    const lapse = expired && { expired: describeExpiry(expired) };
    return { ...cause, ...lapse, ...(follows.length > 0 ? { follows } : {}) };
  }

  function findMatching({ id, kind }: RejectionReason): Acceptance[] {
    if (kind === "failure") return [];
    const matching = acceptances.filter(({ match, isWhole }) => (isWhole ? id === match : id.includes(match)));
    for (const acceptance of matching) used.add(acceptance);
    return matching;
  }
}

const describeExpiry = ({ until, reason }: Acceptance) => `was accepted until ${until}: ${reason}`;
