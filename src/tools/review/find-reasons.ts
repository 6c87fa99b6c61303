// The reasons to reject a contract, as a tree: causes, each with its effects beneath it. For example, a member that
// responses must have now is a cause; the examples without it and the places that must agree are effects.

import { isEqual } from "../../contract/json.js";
import { groupBy, mapDefined } from "../../contract/lists.js";
import { isWithin, type Pointer } from "../../contract/pointer.js";
import { formatDifference } from "../difference.js";
import { type Change, placeOf, type Side } from "./changes/change.js";
import type { DecisionReview } from "./decision-review.js";
import type { LintResult } from "./lint.js";
import type { VersionReview } from "./version-bump.js";

export interface RejectionReason {
  /** Stable from run to run; `--allow <id>=<justification>` accepts it, and what follows from it. */
  id: string;
  message: string;
  /** The part of the message that neither the change nor the version says. */
  why?: string;
  /** In the reviewed file, counted from 1; undefined where the file has no such line. */
  line: number | undefined;
  /** What it contradicts: the clauses and decisions that it rests on, if they did not change. */
  unchanged?: string[];
  /** Other places with the same reason. */
  more?: string[];
  /** True for new words of a decided place. */
  isRewording?: boolean;
  /** Reasons that need no decision of their own: wrong examples, places that must agree, versions. */
  follows?: RejectionReason[];
  /** True if the change is none itself, but what follows from it. */
  isByEffects?: boolean;
  /** True if it cannot be accepted: a contract that cannot be read. */
  isFinal?: boolean;
}

/** Everything that the verdict rests on. */
export interface ReviewResults {
  base: { name: string; version: string } | undefined;
  /** undefined without a base. */
  version: VersionReview | undefined;
  changes: Change[];
  decisions: DecisionReview;
  lint: LintResult[];
}

export function findReasons(results: ReviewResults): RejectionReason[] {
  const { changes } = results;
  const all = findCauses(changes, results);
  const unattached: Effect[] = [];
  for (const effect of findEffects(results)) {
    const cause = all.find(({ members }) => members.some(effect.isOf));
    (cause?.effects ?? unattached).push(effect);
  }
  const causes = all.filter(({ weight, effects }) => weight < ACCEPTABLE || effects.length > 0);
  const version = findVersionReason(results);
  // The version is beneath the cause that alone asks for another one.
  const asking = results.version?.error ? [] : all.filter(({ members }) => members.some(asksForMinor));
  const asker = causes.find((cause) => asking.length === 1 && cause === asking[0]);
  if (version) asker?.effects.push({ reason: version, group: "version", title: "", isOf: asksForMinor });
  return [
    ...causes.map(createCauseReason),
    ...findDecisionReasons(results),
    ...foldEffects(unattached),
    ...(version && !asker ? [version] : []),
  ];
}

/** A reason that may follow from a change. */
interface Effect {
  reason: RejectionReason;
  /** Effects of one group are folded into one reason. */
  group: string;
  title: string;
  isOf(change: Change): boolean;
}

function findEffects({ lint }: ReviewResults): Effect[] {
  return lint
    .filter(({ isError }) => isError)
    .map((error) => {
      const { rule, place, message, line, code } = error;
      const reason = { id: `lint:${rule}:${place}`, message, line };
      return { reason, group: `${rule} ${code}`, title: place, isOf: (change) => isAbout(change, error) };
    });
}

function foldEffects(effects: readonly Effect[]): RejectionReason[] {
  return groupBy(effects, ({ group }) => group).map(([{ reason }, ...others]) => ({
    ...reason,
    more: others.map((other) => `line ${other.reason.line}: ${other.title}`),
  }));
}

/** A reason with the changes at its place. */
interface Cause {
  reason: RejectionReason;
  /** The heaviest has 0. */
  weight: number;
  members: Change[];
  /** Reasons of other changes at its place. */
  others: RejectionReason[];
  effects: Effect[];
}

type WeighedReason = Pick<Cause, "reason" | "weight">;

/** A change that is no reason to reject, but whose effects may be. */
const ACCEPTABLE = 4;
const TEXT = 3;

/** The heaviest first, each followed by others of the same lines. Changes at one place are one cause, such as a new member and that it is required. */
function findCauses(changes: readonly Change[], results: ReviewResults): Cause[] {
  const judged = changes.map((change) => ({ change, reason: decideReason(change, results) }));
  const groups = groupBy(judged, ({ change, reason }) => (reason?.weight === TEXT ? change.id : placeOf(change)));
  const causes = mapDefined(groups, (group): Cause | undefined => {
    const [{ change }] = group;
    const acceptable = { reason: reasonAt(change, formatClaim(change)), weight: ACCEPTABLE };
    const reasons = mapDefined(group, ({ reason }) => reason).toSorted((a, b) => a.weight - b.weight);
    const [first = acceptable, ...others] = reasons;
    if (first === acceptable && change.side === "text" && change.keyword !== "operationId") return undefined;
    const members = group.map((one) => one.change);
    return { ...first, members, others: others.map(({ reason }) => reason), effects: [] };
  });
  const sorted = causes.toSorted((a, b) => a.weight - b.weight);
  return groupBy(sorted, ({ members: [first] }) => first?.diff ?? first?.id ?? "").flat(); // one edit has one diff
}

function createCauseReason({ reason, weight, others, effects }: Cause): RejectionReason {
  const follows = [...others, ...foldEffects(effects)];
  const all = follows.length > 0 ? { ...reason, follows } : reason;
  return weight === ACCEPTABLE ? { ...explain(all, "Correct what follows from it."), isByEffects: true } : all;
}

/** `listNotifications: query.limit was at most 50 and is at most 49 now.` */
function formatClaim({ operation, places, sentence }: Change, subject = operation ?? "The contract"): string {
  return `${subject}: ${places[0]} ${sentence.replace(/\.$/, "")}`.replace(/(?<!\.”)$/, ".");
}

function explain(reason: RejectionReason, why: string): RejectionReason {
  return { ...reason, message: `${reason.message} ${why}`, why };
}

function reasonAt({ id, places, after, nearest }: Change, message: string): RejectionReason {
  return { id, message, line: after ?? nearest, more: places.slice(1) };
}

function decideReason(change: Change, results: ReviewResults): WeighedReason | undefined {
  const { version } = results;
  if (change.class === "breaking" && version && !version.isEnough) {
    const message = `${formatClaim(change)} This breaks clients, and info.version is lower than ${version.lowest}.`;
    const unchanged = findContradiction(change, results)?.reason.unchanged;
    return { weight: 0, reason: { ...reasonAt(change, message), ...(unchanged ? { unchanged } : {}) } };
  }
  const sides = Object.entries(change.undecided) as [Side, string][];
  if (sides.length > 0) {
    const whom = sides.map(([side, reason]) => `${side} (${reason})`).join(" and ");
    const message = `${formatClaim(change)} It is not decided whether this breaks ${whom}: check it yourself.`;
    return { weight: 1, reason: reasonAt(change, message) };
  }
  return findContradiction(change, results);
}

/**
 * Reports a change that drops or loosens what a clause or decision requires, or rewrites the text of a decided place.
 * If the decision itself changed, that is the reason instead.
 */
function findContradiction(change: Change, { decisions }: ReviewResults): WeighedReason | undefined {
  const { restsOn, breaks, before, after } = change;
  const isOfPresence = change.side === "response" && change.keyword === "required";
  // What is narrower than before is still as the decision says.
  const isWider =
    change.side === "request" ? breaks.includes("implementations") : isOfPresence && breaks.includes("clients");
  const isDropped = before !== undefined && after === undefined && !isOfPresence;
  const isDecidedText = isReworded(change, decisions);
  if (isAnswered(change, decisions) || restsOn.length === 0) return undefined;
  if (!(isDropped || (isWider && before !== undefined) || isDecidedText)) return undefined;
  const claim = formatClaim(change, isDecidedText ? "New words for what was decided" : undefined);
  const basis = `It rests on ${restsOn.join(", ")}, which did not change.`;
  const why = isDecidedText ? `${basis} ${IF_REWORDED}` : basis;
  const reason = { ...explain(reasonAt(change, claim), why), unchanged: restsOn };
  return isDecidedText ? { weight: TEXT, reason: { ...reason, isRewording: true } } : { weight: 2, reason };
}

/** What to do about new words. */
export const IF_REWORDED =
  "If the new words say the same, accept them. If not, change the decision's answer as well, or undo them.";

/** True if a decision that it rests on changed as well. */
function isAnswered({ restsOn }: Change, { decisions }: DecisionReview): boolean {
  return decisions.some(({ id, before }) => before && restsOn.includes(id));
}

/** True for the new words of a place whose decisions did not change. */
export function isReworded(change: Change, decisions: DecisionReview): boolean {
  return change.side === "text" && change.restsOn.length > 0 && !isAnswered(change, decisions);
}

const asksForMinor = ({ class: kind }: Change) => kind === "compatible" || kind === "undecided";

/** The version itself is no reason where a major one is needed: each breaking change asks for it. */
function findVersionReason({ version, base, changes }: ReviewResults): RejectionReason | undefined {
  if (!version || !base) return undefined;
  if (version.error) return { id: "version", message: `info.version ${version.error}.`, line: undefined };
  if (version.isEnough || version.needed !== "minor") return undefined;
  const [first, ...others] = changes.filter(asksForMinor).map(({ places, sentence }) => `${places[0]} ${sentence}`);
  const message = `Bump the version to ${version.lowest}: ${first}.`;
  return { id: "version", message, line: undefined, more: others };
}

function findDecisionReasons({ decisions: { decisions, removed }, changes }: ReviewResults): RejectionReason[] {
  const simplify = (text: unknown) => String(text).replaceAll(/\s+/g, " ").trim();
  const reasons = mapDefined(decisions, ({ id, answer, before, line }): RejectionReason | undefined => {
    if (!before || simplify(before.answer) === simplify(answer)) return undefined;
    const message = `The answer of ${id} changed: ${formatDifference(before.answer, answer)}`;
    const resting = changes.filter(({ restsOn }) => restsOn.includes(id));
    return { id: `decision:${id}`, message, line, more: resting.map(({ places }) => `rests on it: ${places[0]}`) };
  });
  const [first, ...others] = removed;
  if (first === undefined) return reasons;
  const message = `${first} is no longer a decision`;
  return [...reasons, { id: `decision:${first}`, message, line: undefined, more: others }];
}

/** True if a lint error is at the change, or about another place that is. */
function isAbout(change: Change, { rule, code, pointer, about = [] }: LintResult): boolean {
  const { pointers, side, keyword, class: kind, at } = change;
  const isOperation = keyword === "operationId" || (keyword === "existence" && at[0]?.steps.length === 0);
  if (rule === "linked-operations") return isOperation && code === change.operation;
  if (side === "text" && kind !== "undecided") return false;
  if (keyword === "security") return rule.includes("restricted"); // the operation is open to everybody
  const isNear = (at: Pointer) => isWithin(pointer, at) || isEqual(pointer, at.slice(0, -1));
  return pointers.some((at) => isNear(at) || about.some((other) => isWithin(at, other)));
}
