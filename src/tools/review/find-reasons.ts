// The reasons to reject a contract, as a tree: first each by itself, then what follows from another one beneath it. For example,
// a member that responses must have now is one reason; the examples without it and the places that must agree are beneath.

import { groupBy } from "../../pages/report/blocks.js";
import { toDifference } from "../../pages/report/difference.js";
import { isAbout, isSeenIn } from "./attribution.js";
import type { Change, Side } from "./changes/change.js";
import type { DecisionReview } from "./decision-review.js";
import type { ExampleReview } from "./example-review.js";
import type { LintResult } from "./lint/run-lint.js";
import { type ClauseTrace, findGap } from "./trace.js";
import type { VersionReview } from "./version-bump.js";

export interface RejectionReason {
  /** Stable from run to run; `--allow <id>=<justification>` accepts it, and what follows from it. */
  id: string;
  message: string;
  /** In the reviewed file, counted from 1; undefined where the file has no such line. */
  line: number | undefined;
  /** Further places of the same cause. */
  more?: string[];
  /** Other reasons that need no decision of their own: wrong examples, places that must agree, versions. */
  follows?: RejectionReason[];
  /** Without this, there is nothing to accept: a contract that cannot be read. */
  isFinal?: boolean;
}

/** The results that the verdict rests on. */
export interface ReviewResults {
  base: { name: string; version: string } | undefined;
  /** undefined without a base. */
  version: VersionReview | undefined;
  changes: Change[];
  decisions: DecisionReview;
  trace: ClauseTrace[];
  examples: ExampleReview[];
  lint: LintResult[];
}

/** @param obstacle why the examples could not be replayed: it follows from the changes, if there are any. */
export function findReasons(results: ReviewResults, obstacle?: string): RejectionReason[] {
  const { changes, lint, examples, trace } = results;
  const errors = lint.filter(({ isError }) => isError);
  const failed = examples.filter(({ outcome }) => outcome === "failed");
  const gaps = trace.flatMap((clause) => ({ ...clause, gap: findGap(clause) ?? "" })).filter(({ gap }) => gap !== "");
  const all = foldChanges(changes, results);
  const effects: Effect[] = [
    ...(obstacle ? [toObstacle(obstacle)] : []),
    ...errors.map((error) => ({
      reason: toLintReason(error),
      group: `lint ${error.rule} ${error.code ?? error.message}`,
      title: error.place,
      isOf: (change: Change) => isAbout(change, error),
    })),
    ...failed.map((example) => ({
      reason: toExampleReason(example),
      group: `example ${example.errors.map(({ text }) => text).join()}`,
      title: example.title,
      isOf: (change: Change) => isSeenIn(change, example),
    })),
  ];
  const causeOf = ({ isOf }: Effect, causes: readonly Cause[]) => causes.find(({ members }) => members.some(isOf));
  const attach = (effect: Effect, causes: readonly Cause[]) => causeOf(effect, causes)?.effects.push(effect);
  for (const effect of effects) attach(effect, all);
  const causes = all.filter(({ isAcceptable, effects }) => !isAcceptable || effects.length > 0);
  const asksForMinor = ({ class: kind }: Change) => kind === "compatible" || kind === "undecided";
  // The version hangs beneath a change that alone asks for another one.
  const asking = results.version?.error ? [] : all.filter(({ members }) => members.some(asksForMinor));
  const versions = toVersion(results).map(
    (reason): Effect => ({
      ...{ reason, group: "version", title: "" },
      isOf: (change) => asking.length === 1 && asksForMinor(change),
    }),
  );
  for (const version of versions) attach(version, causes);
  const isOwn = (effect: Effect) => causeOf(effect, causes) === undefined;
  return [
    ...causes.map(toCauseReason),
    ...toDecisions(results),
    ...foldEffects(effects.filter(isOwn)),
    ...groupBy(gaps, ({ gap }) => gap).map(([{ id, gap, places }, ...others]) => ({
      ...{ id: `trace:${id}`, message: `Clause ${id} ${gap}`, line: places[0]?.line },
      more: others.map((other) => other.id),
    })),
    ...versions.filter(isOwn).map(({ reason }) => reason),
  ];
}

function toObstacle(message: string): Effect {
  return { reason: { id: "server:start", message, line: undefined }, group: "start", title: "", isOf: () => true };
}

/** A reason that may follow from a change. */
interface Effect {
  reason: RejectionReason;
  /** Effects of one group are one reason: the first, and the titles of the others. */
  group: string;
  title: string;
  isOf(change: Change): boolean;
}

/** Those of one group are one reason. */
function foldEffects(effects: readonly Effect[]): RejectionReason[] {
  return groupBy(effects, ({ group }) => group).map(([{ reason }, ...others]) => ({
    ...reason,
    more: others.map((other) => `line ${other.reason.line}: ${other.title}`),
  }));
}

interface Cause {
  reason: RejectionReason;
  members: Change[];
  /** The change may be made, but not with what follows from it. */
  isAcceptable: boolean;
  /** Of other changes at its place. */
  others: RejectionReason[];
  effects: Effect[];
}

/** The heaviest first; changes at one place are one cause, such as a new member and that it is required. */
function foldChanges(changes: readonly Change[], results: ReviewResults): Cause[] {
  const groups = groupBy(changes, ({ operation, side, places, id }) =>
    side === "text" ? id : JSON.stringify([operation, side, places[0]]),
  );
  const causes = groups.flatMap((members): (Cause & WeighedReason)[] => {
    const reasons = members.flatMap((change) => toReason(change, results) ?? []);
    const [first, ...others] = reasons.toSorted((a, b) => a.weight - b.weight);
    if (first)
      return [{ ...first, members, isAcceptable: false, others: others.map(({ reason }) => reason), effects: [] }];
    const [change] = members;
    if (change.side === "text") return [];
    const reason = reasonAt(change, toClaim(change));
    return [{ reason, weight: 4, members, isAcceptable: true, others: [], effects: [] }];
  });
  return causes.toSorted((a, b) => a.weight - b.weight);
}

function toCauseReason({ reason, isAcceptable, others, effects }: Cause): RejectionReason {
  const follows = [...others, ...foldEffects(effects)];
  const message = isAcceptable ? `${reason.message} What follows from it is to be corrected.` : reason.message;
  return { ...reason, message, ...(follows.length > 0 ? { follows } : {}) };
}

/** `listNotifications: query.limit was at most 50 and is at most 49 now.` */
function toClaim({ operation, places, sentence }: Change, subject = operation ?? "The contract"): string {
  return `${subject}: ${places[0]} ${sentence.replace(/\.$/, "")}`.replace(/(?<!\.”)$/, ".");
}

function reasonAt({ id, places, after, nearest }: Change, message: string): RejectionReason {
  return { id, message, line: after ?? nearest, more: places.slice(1) };
}

interface WeighedReason {
  reason: RejectionReason;
  /** The heaviest has 0. */
  weight: number;
}

function toReason(change: Change, results: ReviewResults): WeighedReason | undefined {
  const { version } = results;
  if (change.class === "breaking" && version && !version.isEnough) {
    const message = `${toClaim(change)} This breaks clients, and info.version is lower than ${version.lowest}.`;
    return { weight: 0, reason: reasonAt(change, message) };
  }
  const sides = Object.entries(change.undecided) as [Side, string][];
  if (sides.length > 0) {
    const whom = sides.map(([side, reason]) => `${side} (${reason})`).join(" and ");
    const message = `${toClaim(change)} It is not decided whether this breaks ${whom}: check it yourself.`;
    return { weight: 1, reason: reasonAt(change, message) };
  }
  return toContradiction(change, results);
}

/**
 * Finds clauses and decisions whose rule is dropped or loosened along the way: an implementation that follows them would no longer
 * conform. Nor is a text rewritten at a decided place. Where the decision itself changed, that is the reason.
 */
function toContradiction(change: Change, { decisions }: ReviewResults): WeighedReason | undefined {
  const { restsOn, breaks, before, after } = change;
  // That a response always has something says more, not less, of what is decided; that it may be missing, less.
  const isOfPresence = change.side === "response" && change.keyword === "required";
  const isDropped =
    before !== undefined && (after === undefined || (breaks.includes("implementations") && !isOfPresence));
  const isLoosened = isOfPresence && breaks.includes("clients");
  const isDecidedText = change.side === "text" && restsOn.length > 0;
  const isChanged = decisions.decisions.some(({ id: decision, before: was }) => was && restsOn.includes(decision));
  if (isChanged || restsOn.length === 0 || !(isDropped || isLoosened || isDecidedText)) return undefined;
  const claim = toClaim(change, isDecidedText ? "The text of a decided place" : undefined);
  const message = `${claim} It rests on ${restsOn.join(", ")}, which did not change.`;
  return { weight: isDecidedText ? 3 : 2, reason: reasonAt(change, message) };
}

/** Breaking changes ask for a major version themselves. */
function toVersion({ version, base, changes }: ReviewResults): RejectionReason[] {
  if (!version || !base) return [];
  if (version.error) return [{ id: "version", message: `info.version ${version.error}.`, line: undefined }];
  if (version.isEnough || version.needed !== "minor") return [];
  const [first, ...others] = changes
    .filter((change) => change.class === "compatible" || change.class === "undecided")
    .map(({ places, sentence }) => `${places[0]} ${sentence}`);
  const message = `${first}. This asks for a minor version after ${base.version}, and info.version is lower than ${version.lowest}.`;
  return [{ id: "version", message, line: undefined, more: others }];
}

function toDecisions({ decisions: { decisions, removed }, changes }: ReviewResults): RejectionReason[] {
  const [first, ...others] = removed;
  const simplify = (text: unknown) => String(text).replaceAll(/\s+/g, " ").trim();
  return [
    ...decisions.flatMap(({ id, answer, before, line }) => {
      if (!before || simplify(before.answer) === simplify(answer)) return [];
      const message = `${id} is answered in another way: ${toDifference(before.answer, answer)}`;
      const resting = changes.filter(({ restsOn }) => restsOn.includes(id));
      return [{ id: `decision:${id}`, message, line, more: resting.map(({ places }) => `rests on it: ${places[0]}`) }];
    }),
    ...(first === undefined
      ? []
      : [{ id: `decision:${first}`, message: `${first} is no longer a decision`, line: undefined, more: others }]),
  ];
}

function toLintReason({ rule, place, message, line }: LintResult): RejectionReason {
  return { id: `lint:${rule}:${place}`, message: `${message} (rule ${rule})`, line };
}

function toExampleReason({ title, errors, line }: ExampleReview): RejectionReason {
  const id = `example:${title.replaceAll(" › ", "/")}`;
  const [first, ...others] = errors;
  const more = others.length > 0 ? `; and ${others.length} more` : "";
  return { id, message: `Example ${title} is wrong: ${first?.text}${more}`, line };
}
