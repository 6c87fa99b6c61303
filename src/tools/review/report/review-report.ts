// The review for people: a page, a comment on a pull request, and the terminal. Each says the verdict, then what changed
// by operation, each change once, then what gets the contract accepted.
import { basename, isAbsolute } from "node:path";
import { groupBy, mapDefined } from "../../../contract/lists.js";
import { plural } from "../../../contract/violation.js";
import { findClauseTitle } from "../../../pages/docs/source-document.js";
import {
  type Content,
  callout,
  code,
  codeBlock,
  details,
  entry,
  heading,
  link,
  list,
  marked,
  paragraph,
  type Span,
  soft,
  strong,
  tag,
  toned,
} from "../../../pages/report/blocks.js";
import { renderHtmlReport } from "../../../pages/report/render-html.js";
import { renderMarkdown } from "../../../pages/report/render-markdown.js";
import { alignColumns, renderTerminal } from "../../../pages/report/render-terminal.js";
import { byClass, type Change, type ChangeClass, nameChange, placeOf, whoBreaks } from "../changes/change.js";
import { RULES } from "../changes/keyword-rules.js";
import { ANNOTATIONS } from "../changes/meanings.js";
import { SERIALIZATION } from "../changes/operation-differences.js";
import { withoutReason } from "../changes/wording.js";
import type { ReviewedDecision } from "../decisions.js";
import type { RejectionReason } from "../reasons.js";
import type { Review } from "../review.js";
import { isOnlyUnknown, toneOf, withoutEnd } from "../verdict.js";
import { buildCounterexamples } from "./counterexamples.js";
import { buildName, buildSteps } from "./next-steps.js";

/** A terminal shows no folds. */
type Format = "page" | "comment" | "terminal";

/** One page that loads nothing, readable on paper and with a screen reader. */
export function formatHtml({ contract, ...rest }: Review): string {
  const { title, version, path } = contract;
  const review = { ...rest, contract: { ...contract, path: isAbsolute(path) ? basename(path) : path } };
  return renderHtmlReport({
    title: `${review.headline} · ${title} ${version}`,
    heading: `${title} ${version}`,
    about: `Review, ${review.date}`,
    content: buildReport(review, "page"),
    run: buildWarnings(review),
  });
}

/** A comment on a pull request. */
export function formatMarkdown(review: Review): string {
  return renderMarkdown([buildReport(review, "comment"), buildWarnings(review)]);
}

export function formatTerminal(review: Review, isColoured: boolean): string {
  return renderTerminal([buildReport(review, "terminal"), buildWarnings(review)], { isColoured });
}

function buildReport(review: Review, format: Format): Content {
  const { headline, base, contract, reasons, allowed } = review;
  const compared = base
    ? `, compared with ${base.name} (${base.version})`
    : ` (${contract.path}), compared with no other version: --base names one`;
  return [
    callout(
      toneOf(review),
      headline,
      paragraph(
        `${contract.title} ${contract.version}${compared}.`,
        allowed.length > 0 && ` ${plural(allowed.length, "reason")} accepted.`,
        format === "page" && reasons.length > 0 && [" ", link(NEXT, "#next-steps"), "."],
      ),
    ),
    base && contract.isReadable && [heading(2, "What changed", "what-changed"), buildChanges(review, format)],
    reasons.length > 0 && [heading(2, NEXT, "next-steps"), buildSteps(review)],
    allowed.length > 0 && [
      heading(2, "Accepted", "accepted"),
      list(allowed.map((reason) => [buildName(reason, review), `: ${reason.justification}`])),
    ],
  ];
}

const NEXT = "To get it accepted";

/** The verdict speaks of it. */
const VERSION_CHANGE = "text:info/version";

/** By operation, the heaviest first; texts come last. */
function buildChanges(review: Review, format: Format): Content {
  const changes = byClass(review.changes).filter(({ id }) => id !== VERSION_CHANGE);
  const shownDiffs = new Set<string>();
  const decided = buildDecisions(review);
  if (changes.length === 0 && decided.length === 0) return paragraph("Nothing changed.");
  const byOperation = groupBy(changes, ({ operation }) => operation ?? "The contract").map((ofOperation) => {
    const groups = groupBy(ofOperation, placeOf);
    const isText = ([change]: Change[]) => change?.class === "editorial" && !findReason([change], review);
    const build = (group: readonly [Change, ...Change[]]) => buildChange(group, review, { format, shownDiffs });
    const texts = groups.filter(isText).map(build);
    return [
      heading(3, ofOperation[0].operation ?? "The contract"),
      groups.filter((group) => !isText(group)).map(build),
      texts.length > 3 && format !== "terminal" ? details(plural(texts.length, "text"), texts) : texts,
    ];
  });
  return [byOperation, decided.length > 0 && [heading(3, "Decisions"), decided]];
}

type Group = readonly [Change, ...Change[]];

/** A change once: the sentence, whom it breaks, the lines of both files, and what shows it. */
function buildChange(
  group: Group,
  review: Review,
  { format, shownDiffs }: { format: Format; shownDiffs: Set<string> },
): Content {
  // Of a renamed part, the change of its old name says what changed.
  const described = group.filter(({ renamedFrom }) => renamedFrom === undefined);
  const [first = group[0]] = described;
  const isText = group[0].class === "editorial";
  const sentences = unique(described.map(({ sentence }) => withoutEnd(sentence)));
  const tags = buildTags(group, review);
  const furtherPlaces = unique(group.flatMap(({ places }) => places.slice(1)));
  const more = group.map(({ sentence }) => sentence.slice(withoutReason(sentence).length).replace(/^\. /, ""));
  const isReworded = findReason(group, review)?.kind === "rewording";
  return entry(
    {
      tone: tags.some(({ tone }) => tone === "bad") ? "bad" : (tags[0]?.tone ?? "soft"),
      title: [
        code(first.side === "text" ? (first.places[0] ?? "") : nameChange(first)),
        (!isText || group[0].diff === undefined || format === "terminal") && [" ", marked(sentences.join(", "))],
        tags.map((one) => [" · ", one]),
      ],
      id: group[0].id,
    },
    furtherPlaces.length > 0 &&
      fold(format, `and in ${plural(furtherPlaces.length, "more place")}`, paragraph(code(furtherPlaces.join(", ")))),
    unique(more.filter(Boolean)).map((text) => paragraph(marked(`${text}.`))),
    unique(group.flatMap(({ undecided }) => Object.values(undecided))).map((why) =>
      paragraph(toned(`Not decided: ${why}.`, "warn")),
    ),
    isText && format === "terminal" ? undefined : buildLines(group, review, { format, shownDiffs }),
    buildCounterexamples(group, format === "terminal" ? 1 : Number.POSITIVE_INFINITY),
    buildBasis(group, review, { format, isOpen: isReworded }),
  );
}

/** Content on demand. */
function fold(format: Format, summary: string, content: Content): Content {
  return format === "terminal" ? paragraph(summary) : details(summary, content);
}

/** The reason to reject a change at its place, also one that follows from another. */
function findReason(group: readonly (Change | undefined)[], { reasons }: Review): RejectionReason | undefined {
  return reasons
    .flatMap((reason) => [reason, ...(reason.follows ?? [])])
    .find(({ id }) => group.some((change) => change?.id === id));
}

const LABELS: Readonly<Partial<Record<ChangeClass, string>>> = {
  note: "a note, which changes no message",
  editorial: "text only",
  equivalent: "means the same",
};

/** Whom changes break: red where that is a reason to reject, amber where the version says so. */
function buildTags(group: Group, review: Review): Span[] {
  const [{ class: kind, keyword }] = group;
  const broken = unique(group.flatMap(({ breaks }) => breaks));
  const open = unique(group.flatMap(({ undecided }) => Object.keys(undecided)));
  const reason = findReason(group, review);
  const isAccepted = review.allowed.some(({ id }) => group.some((change) => change.id === id));
  const tone = reason?.kind === "breaking" ? "bad" : "warn";
  const tags = [
    group.every(isOnlyUnknown)
      ? tag("breaks only clients that reject unknown members", tone)
      : broken.length > 0 && tag(`breaks ${broken.join(" and ")}`, broken.includes("clients") ? tone : "warn"),
    open.length > 0 && tag(`not decided for ${open.join(" and ")}`, "warn"),
    keyword === "operationId" && tag("renames a method of generated clients", "warn"),
    reason?.kind === "rewording" && tag("reworded, though decided", "warn"),
    reason?.kind === "contradiction" && tag("contradicts what was decided", "bad"),
  ].filter((one) => one !== false);
  if (tags.length === 0) tags.push(kind === "compatible" ? tag("breaks nobody", "good") : tag(LABELS[kind] ?? kind));
  return isAccepted ? [...tags, tag("accepted", "good")] : tags;
}

/** The most lines of a diff that are shown at once, and the fewest worth folding. */
const SHOWN_LINES = 30;
const FOLDED_LINES = 8;

/** The lines of both files, or where they are; the same lines once. */
function buildLines(
  group: Group,
  { contract, base }: Review,
  { format, shownDiffs }: { format: Format; shownDiffs: Set<string> },
): Content {
  const diffs = unique(group.map(({ diff }) => diff));
  if (diffs.length === 0) {
    const [{ before, after }] = group;
    const places = [base && formatPlace(base.name, before), formatPlace(contract.path, after)];
    return paragraph(soft(places.filter(Boolean).join(" → ")));
  }
  return diffs.map((diff) => {
    if (shownDiffs.has(diff)) return paragraph("The same lines as above.");
    shownDiffs.add(diff);
    return buildDiff(diff, format);
  });
}

const formatPlace = (path: string, line: number | undefined) => (line === undefined ? undefined : `${path}:${line}`);

/** A long diff goes on where the reader asks for it. */
export function buildDiff(diff: string, format: Format): Content {
  const lines = diff.split("\n");
  const isLong = lines.length >= SHOWN_LINES + FOLDED_LINES;
  const show = (some: readonly string[]) =>
    codeBlock(some.join("\n"), { language: "diff", label: "Lines of both files" });
  if (!isLong) return show(lines);
  const rest = lines.slice(SHOWN_LINES);
  return [show(lines.slice(0, SHOWN_LINES)), fold(format, `${rest.length} more lines`, show(rest))];
}

/** The clauses and decisions that changes rest on, quoted. */
function buildBasis(
  group: Group,
  { decisions: { decisions } }: Review,
  { format, isOpen }: { format: Format; isOpen: boolean },
): Content {
  const cites = unique(group.flatMap(({ restsOn }) => restsOn));
  const quoted = cites.map((id) => {
    const { question, answer } = decisions.find((decision) => decision.id === id) ?? { question: findClauseTitle(id) };
    return [strong(id), ": ", marked(question), answer !== undefined && [" ", marked(answer)]];
  });
  const title = `Rests on ${cites.join(", ")}`;
  if (isOpen) return details(title, list(quoted), undefined, { isOpen }); // to judge words, one has to read them
  return cites.length > 0 && fold(format, title, list(quoted));
}

/** The decisions that are new, have another answer, or were removed. */
function buildDecisions({ decisions: { decisions, removed }, base }: Review): Content[] {
  const changed = decisions.filter(({ status, before, answer }) =>
    before ? before.answer !== answer : status === "new" && base,
  );
  return [
    ...changed.map((decision) =>
      entry(
        {
          tone: decision.before ? "warn" : "soft",
          title: [buildDecisionTitle(decision), " · ", tag(decision.before ? "another answer" : "new decision")],
          id: `decision:${decision.id}`,
        },
        decision.diff === undefined ? paragraph(marked(decision.answer)) : buildDiff(decision.diff, "page"),
      ),
    ),
    ...removed.map((id) => entry({ tone: "warn", title: [strong(id), " · ", tag("removed")], id: `decision:${id}` })),
  ];
}

const buildDecisionTitle = ({ id, question }: ReviewedDecision) => [strong(id), " ", marked(question.trim())];

/** Without repetitions and what is absent. */
function unique<T>(items: readonly (T | undefined)[]): T[] {
  return [...new Map(mapDefined(items, (item) => item).map((item) => [JSON.stringify(item), item])).values()];
}

/** What is no reason to reject a contract. */
function buildWarnings({ lint, contract }: Review): Content {
  const warnings = lint.filter(({ isError }) => !isError);
  return (
    warnings.length > 0 &&
    list(
      warnings.map(({ message, line }) => [
        tag("warning", "warn"),
        " ",
        marked(message),
        " ",
        soft(`${contract.path}:${line}`),
      ]),
    )
  );
}

const COLUMNS = ["narrower in requests", "wider in requests", "narrower in responses", "wider in responses"];

/** The text of `review --rules`: by keyword, who breaks. */
export function formatRules(): string {
  const judged = (["request", "response"] as const).flatMap((side) => [whoBreaks(side).lost, whoBreaks(side).gained]);
  const rowsOf = (names: Iterable<string>, who: readonly string[]) =>
    [...names].map((name) => [name.replace("review:", ""), ...who]);
  const lines = alignColumns([
    ["keyword", ...COLUMNS],
    ...rowsOf(["existence", "content", "security", ...Object.keys(RULES)].toSorted(), judged),
    ...rowsOf(SERIALIZATION, new Array(COLUMNS.length).fill("both")),
    ...rowsOf(ANNOTATIONS, new Array(COLUMNS.length).fill("nobody")),
  ]);
  return `${lines.join("\n")}\n
A member that one side must not have (readOnly in requests, writeOnly in responses) is removed from its messages.
New optional headers, and new 4xx and 5xx beside another one, break nobody. Everything else must be the same, or is not decided.
`;
}
