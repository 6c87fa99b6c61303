// The reasons to reject a contract: one for each cause, with all places that it shows at.
import type { Change } from "./changes/change.js";
import { toDifference } from "./changes/text-difference.js";
import type { DecisionReview } from "./decision-review.js";
import type { ExampleReview } from "./example-review.js";
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
  const { changes, version, lint, examples, trace } = results;
  const failed = examples.filter(({ outcome }) => outcome === "failed");
  return [
    ...(version?.needed === "major" && !version.isEnough
      ? changes.flatMap((change) => toBreak(change, version.lowest))
      : []),
    ...toVersion(results),
    ...toDecisions(results),
    ...changes.flatMap((change) => toContradiction(change, results)),
    ...toFolded(
      lint.filter(({ isError }) => isError),
      ({ rule, message }) => `${rule} ${message.replace(/^.*?(: | has neither )/, "")}`,
    ).map(([{ rule, place, message, line }, ...others]) => ({
      ...{ id: `lint:${rule}:${place}`, message: `${message} (rule ${rule})`, line },
      more: others.map((other) => `line ${other.line}: ${other.place}`),
    })),
    ...toFolded(failed, ({ errors }) => errors.join()).map(([{ title, errors, line }, ...others]) => ({
      ...{
        id: `example:${title.replaceAll(" › ", "/")}`,
        message: `Example ${title} is wrong: ${errors.join("; ")}`,
        line,
      },
      more: others.map((other) => `line ${other.line}: ${other.title}`),
    })),
    ...toFolded(
      trace.filter((clause) => findGap(clause)),
      (clause) => String(findGap(clause)?.slice(clause.id.length)),
    ).map(([first, ...others]) => ({
      ...{ id: `trace:${first.id}`, message: `Clause ${findGap(first)}`, line: first.places[0]?.line },
      more: others.map(({ id }) => id),
    })),
  ];

  function toDecisions({ decisions }: ReviewResults): RejectionReason[] {
    const [removed, ...others] = results.base ? decisions.removed : [];
    const changed = decisions.decisions.filter(({ before, answer }) => before && isOther(before.answer, answer));
    return [
      ...changed.map(({ id, answer, before, line }) => ({
        ...{ id: `decision:${id}`, line },
        message: `${id} is answered in another way: ${toDifference(before?.answer, answer)}`,
        more: changes.filter(({ restsOn }) => restsOn.includes(id)).map(({ places }) => `rests on it: ${places[0]}`),
      })),
      ...(removed === undefined
        ? []
        : [
            { id: `decision:${removed}`, message: `${removed} is no longer a decision`, line: undefined, more: others },
          ]),
    ];
  }
}

function isOther(before: string, after: string): boolean {
  const [one, other] = [before, after].map((text) => String(text).replaceAll(/\s+/g, " ").trim());
  return one !== other;
}

function toBreak(change: Change, lowest: string): RejectionReason[] {
  if (change.class !== "breaking") return [];
  const { id, operation, places, sentence, after, witnesses } = change;
  const claim = `This ${witnesses.clients ? "breaks" : "may break"} clients, and info.version is lower than ${lowest}.`;
  const message = `${operation ?? "The contract"}: ${places[0]} ${sentence.replace(/\.$/, "")}. ${claim}`;
  return [{ id, message, line: after, more: places.slice(1) }];
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

/**
 * What a clause or decision states is not dropped or loosened by the way: an implementation that follows it would no longer
 * conform. Nor is a text rewritten at a decided place. Where the decision itself changed, that is the reason.
 */
function toContradiction(change: Change, { decisions, version }: ReviewResults): RejectionReason[] {
  const { id, operation, places, sentence, restsOn, breaks, before, after } = change;
  const isReason = change.class === "breaking" && !version?.isEnough;
  const isDropped = before !== undefined && (after === undefined || breaks.includes("implementations"));
  const isDecidedText = change.side === "text" && restsOn.length > 0;
  const isChanged = decisions.decisions.some(({ id: decision, before: was }) => was && restsOn.includes(decision));
  if (isReason || isChanged || restsOn.length === 0 || !(isDropped || isDecidedText)) return [];
  const subject = isDecidedText ? "The text of a decided place" : (operation ?? "The contract");
  const message = `${subject}: ${places[0]} ${sentence.replace(/\.$/, "")}. It rests on ${restsOn.join(", ")}, which did not change.`;
  return [{ id, message, line: after ?? before, more: places.slice(1) }];
}

/** Lists of items with the same key, in the order of their first ones. */
function toFolded<T>(items: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
