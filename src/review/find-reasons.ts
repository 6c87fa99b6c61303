// The reasons to reject a contract: one for each cause, with all places that it shows at.
import type { Change } from "./changes/change.js";
import { toDifference } from "./changes/text-difference.js";
import type { DecisionReview } from "./decision-review.js";
import type { ExampleReview } from "./example-review.js";
import { groupBy } from "./group-by.js";
import type { LintResult } from "./lint/run-lint.js";
import type { RejectionReason } from "./rejection-reason.js";
import { type ClauseTrace, findGap } from "./trace.js";
import type { VersionReview } from "./version-bump.js";

/** What the verdict rests on. */
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

export function findReasons(results: ReviewResults): RejectionReason[] {
  const { changes, lint, examples, trace } = results;
  const errors = lint.filter(({ isError }) => isError);
  const failed = examples.filter(({ outcome }) => outcome === "failed");
  const gaps = trace.flatMap((clause) => ({ ...clause, gap: findGap(clause) ?? "" })).filter(({ gap }) => gap !== "");
  return [
    ...changes.flatMap((change) => toBreak(change, results)),
    ...toVersion(results),
    ...toDecisions(results),
    ...changes.flatMap((change) => toContradiction(change, results)),
    ...groupBy(errors, ({ rule, message }) => `${rule} ${message.replace(/^.*?(: | has neither )/, "")}`).map(
      ([{ rule, place, message, line }, ...others]) => ({
        ...{ id: `lint:${rule}:${place}`, message: `${message} (rule ${rule})`, line },
        more: others.map((other) => `line ${other.line}: ${other.place}`),
      }),
    ),
    ...groupBy(failed, (example) => example.errors.join()).map(([{ title, errors, line }, ...others]) => ({
      ...{ id: `example:${title.replaceAll(" › ", "/")}`, line },
      message: `Example ${title} is wrong: ${errors.join("; ")}`,
      more: others.map((other) => `line ${other.line}: ${other.title}`),
    })),
    ...groupBy(gaps, ({ id, gap }) => gap.slice(id.length)).map(([{ id, gap, places }, ...others]) => ({
      ...{ id: `trace:${id}`, message: `Clause ${gap}`, line: places[0]?.line },
      more: others.map((other) => other.id),
    })),
  ];
}

/** `listNotifications: query.limit was at most 50 and is at most 49 now.` */
function toClaim({ operation, places, sentence }: Change, subject = operation ?? "The contract"): string {
  return `${subject}: ${places[0]} ${sentence.replace(/\.$/, "")}.`;
}

function toBreak(change: Change, { version }: ReviewResults): RejectionReason[] {
  const { id, places, after, witnesses } = change;
  if (change.class !== "breaking" || !version || version.isEnough) return [];
  const effect = `This ${witnesses.clients ? "breaks" : "may break"} clients, and info.version is lower than ${version.lowest}.`;
  return [{ id, message: `${toClaim(change)} ${effect}`, line: after, more: places.slice(1) }];
}

/** Breaking changes ask for a major version themselves. */
function toVersion({ version, base, changes }: ReviewResults): RejectionReason[] {
  if (!version || !base || version.isEnough || version.needed !== "minor") return [];
  const [first, ...others] = changes
    .filter((change) => change.class === "compatible")
    .map(({ places, sentence }) => `${places[0]} ${sentence}`);
  const message = `${first}. This is compatible, which asks for a minor version after ${base.version}, and info.version is lower than ${version.lowest}.`;
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

/**
 * What a clause or decision states is not dropped or loosened by the way: an implementation that follows it would no longer
 * conform. Nor is a text rewritten at a decided place. Where the decision itself changed, that is the reason.
 */
function toContradiction(change: Change, { decisions, version }: ReviewResults): RejectionReason[] {
  const { id, places, restsOn, breaks, before, after } = change;
  const isReason = change.class === "breaking" && !version?.isEnough;
  const isDropped = before !== undefined && (after === undefined || breaks.includes("implementations"));
  const isDecidedText = change.side === "text" && restsOn.length > 0;
  const isChanged = decisions.decisions.some(({ id: decision, before: was }) => was && restsOn.includes(decision));
  if (isReason || isChanged || restsOn.length === 0 || !(isDropped || isDecidedText)) return [];
  const claim = toClaim(change, isDecidedText ? "The text of a decided place" : undefined);
  const message = `${claim} It rests on ${restsOn.join(", ")}, which did not change.`;
  return [{ id, message, line: after ?? before, more: places.slice(1) }];
}
