// The reasons to reject a contract, as a tree: causes, each with its effects beneath it. For example, a member that
// responses must have now is a cause; the examples without it and the places that must agree are effects.

import { isEqual } from "../../contract/json.js";
import { groupBy, mapDefined } from "../../contract/lists.js";
import { isWithin, type Pointer } from "../../contract/pointer.js";
import { formatDifference } from "../difference.js";
import { type Change, placeOf, type Side } from "./changes/change.js";
import type { DecisionReview } from "./decisions.js";
import type { LintResult } from "./lint.js";
import type { VersionReview } from "./version.js";

/** What has to be done about a reason depends on its kind; the most severe comes first. */
export const KINDS = [
  "failure", // the contract cannot be read, or a step of the review failed: it cannot be accepted
  "breaking", // a change that breaks clients, without a new major version
  "undecided",
  "contradiction", // what a clause or decision requires is loosened or removed
  "rewording", // new words for what was decided
  "correction", // an error in the contract, or a change that leads to some
  "decision", // another answer
  "version",
] as const;

export interface RejectionReason {
  /** Stable from run to run; `--allow <id>=<justification>` accepts it, and what follows from it. */
  id: string;
  kind: (typeof KINDS)[number];
  message: string;
  /** The part of the message that neither the change nor the version says. */
  why?: string;
  /** In the reviewed file, counted from 1; undefined where the file has no such line. */
  line: number | undefined;
  /** What it contradicts: the clauses and decisions that it rests on, if they did not change. */
  unchanged?: string[];
  /** Other places with the same reason. */
  more?: string[];
  /** Until when it was accepted, and why. */
  expired?: string;
  /** Reasons that need no decision of their own: wrong examples, places that must agree, versions. */
  follows?: RejectionReason[];
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
  const all = findChangedPlaces(results);
  const unattached: Effect[] = [];
  for (const effect of findEffects(results)) {
    const cause = all.find(({ changes }) => changes.some(effect.isOf));
    (cause?.effects ?? unattached).push(effect);
  }
  const causes = all.filter(({ reasons, effects }) => reasons.length > 0 || effects.length > 0);
  const version = findVersionReason(results);
  // The version is beneath the cause that alone asks for another one.
  const asking = results.version?.error ? [] : all.filter(({ changes }) => changes.some(asksForMinor));
  const asker = causes.find((cause) => asking.length === 1 && cause === asking[0]);
  if (version) asker?.effects.push({ reason: version, group: "version", title: "", isOf: asksForMinor });
  return [
    ...causes.map(createPlaceReason),
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
      const reason = { id: `lint:${rule}:${place}`, kind: "correction", message, line } as const;
      return { reason, group: `${rule} ${code}`, title: place, isOf: (change) => isAbout(change, error) };
    });
}

function foldEffects(effects: readonly Effect[]): RejectionReason[] {
  return groupBy(effects, ({ group }) => group).map(([{ reason }, ...further]) => ({
    ...reason,
    more: further.map((other) => `line ${other.reason.line}: ${other.title}`),
  }));
}

/** The changes at one place, such as a new member and that it is required. */
interface ChangedPlace {
  changes: [Change, ...Change[]];
  /** Of its changes, the most severe first. */
  reasons: RejectionReason[];
  effects: Effect[];
}

/** The most severe first, each followed by others of the same lines. */
function findChangedPlaces(results: ReviewResults): ChangedPlace[] {
  const rankOf = ([reason]: RejectionReason[]) => (reason ? KINDS.indexOf(reason.kind) : KINDS.length);
  const causes = groupBy(results.changes, placeOf).map((changes): ChangedPlace => {
    const reasons = mapDefined(changes, (change) => decideReason(change, results));
    return { changes, reasons: reasons.toSorted((a, b) => rankOf([a]) - rankOf([b])), effects: [] };
  });
  const isText = ({ side, keyword }: Change) => side === "text" && keyword !== "operationId";
  const sorted = causes
    .filter(({ changes: [first], reasons }) => reasons.length > 0 || !isText(first))
    .toSorted((a, b) => rankOf(a.reasons) - rankOf(b.reasons));
  return groupBy(sorted, ({ changes: [first] }) => first.diff ?? first.id).flat(); // one edit has one diff
}

/** A change that is no reason itself has what follows from it. */
function createPlaceReason({
  changes: [first],
  reasons: [reason, ...further],
  effects,
}: ChangedPlace): RejectionReason {
  const follows = [...further, ...foldEffects(effects)];
  const correction = explain(reasonAt(first, "correction", formatClaim(first)), "Correct what follows from it.");
  return { ...(reason ?? correction), ...(follows.length > 0 ? { follows } : {}) };
}

/** `listNotifications: query.limit was at most 50 and is at most 49 now.` */
function formatClaim({ operation, places, sentence }: Change, subject = operation ?? "The contract"): string {
  return `${subject}: ${places[0]} ${sentence.replace(/\.$/, "")}`.replace(/(?<!\.”)$/, ".");
}

function explain(reason: RejectionReason, why: string): RejectionReason {
  return { ...reason, message: `${reason.message} ${why}`, why };
}

function reasonAt(
  { id, places, after, nearest }: Change,
  kind: RejectionReason["kind"],
  message: string,
): RejectionReason {
  return { id, kind, message, line: after ?? nearest, more: places.slice(1) };
}

function decideReason(change: Change, results: ReviewResults): RejectionReason | undefined {
  const { version } = results;
  const contradiction = findContradiction(change, results);
  if (change.class === "breaking" && version && !version.isEnough) {
    const message = `${formatClaim(change)} This breaks clients, and info.version is lower than ${version.lowest}.`;
    const unchanged = contradiction?.unchanged;
    return { ...reasonAt(change, "breaking", message), ...(unchanged ? { unchanged } : {}) };
  }
  const sides = Object.entries(change.undecided) as [Side, string][];
  if (sides.length === 0) return contradiction;
  const whom = sides.map(([side, reason]) => `${side} (${reason})`).join(" and ");
  const message = `${formatClaim(change)} It is not decided whether this breaks ${whom}: check it yourself.`;
  return reasonAt(change, "undecided", message);
}

/**
 * Reports a change that drops or loosens what a clause or decision requires, or rewrites the text of a decided place.
 * If the decision itself changed, that is the reason instead.
 */
function findContradiction(change: Change, { decisions }: ReviewResults): RejectionReason | undefined {
  const { restsOn, breaks, before, after } = change;
  if (isAnswered(change, decisions) || restsOn.length === 0) return undefined;
  const basis = `It rests on ${restsOn.join(", ")}, which did not change.`;
  if (isReworded(change, decisions)) {
    const claim = formatClaim(change, "New words for what was decided");
    return { ...explain(reasonAt(change, "rewording", claim), `${basis} ${IF_REWORDED}`), unchanged: restsOn };
  }
  const isOfPresence = change.side === "response" && change.keyword === "required";
  // What is narrower than before is still as the decision says.
  const isWider =
    change.side === "request" ? breaks.includes("implementations") : isOfPresence && breaks.includes("clients");
  const isDropped = before !== undefined && after === undefined && !isOfPresence;
  if (!isDropped && !(isWider && before !== undefined)) return undefined;
  return { ...explain(reasonAt(change, "contradiction", formatClaim(change)), basis), unchanged: restsOn };
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
  if (version.error)
    return { id: "version", kind: "version", message: `info.version ${version.error}.`, line: undefined };
  if (version.isEnough || version.needed !== "minor") return undefined;
  const [first, ...further] = changes.filter(asksForMinor).map(({ places, sentence }) => `${places[0]} ${sentence}`);
  const message = `Bump the version to ${version.lowest}: ${first}.`;
  return { id: "version", kind: "version", message, line: undefined, more: further };
}

function findDecisionReasons({ decisions: { decisions, removed }, changes }: ReviewResults): RejectionReason[] {
  const simplify = (text: unknown) => String(text).replaceAll(/\s+/g, " ").trim();
  const reasons = mapDefined(decisions, ({ id, answer, before, line }): RejectionReason | undefined => {
    if (!before || simplify(before.answer) === simplify(answer)) return undefined;
    const message = `The answer of ${id} changed: ${formatDifference(before.answer, answer)}`;
    const resting = changes.filter(({ restsOn }) => restsOn.includes(id));
    const more = resting.map(({ places }) => `rests on it: ${places[0]}`);
    return { id: `decision:${id}`, kind: "decision", message, line, more };
  });
  const [first, ...further] = removed;
  if (first === undefined) return reasons;
  const message = `${first} is no longer a decision`;
  return [...reasons, { id: `decision:${first}`, kind: "decision", message, line: undefined, more: further }];
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
