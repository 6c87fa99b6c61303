// The review for people: a page, a comment on a pull request, and the terminal. Each says what changed, then the verdict, then
// the reasons.
import { mapDefined } from "../../../contract/lists.js";
import {
  type Content,
  callout,
  code,
  codeBlock,
  details,
  embedded,
  entry,
  heading,
  list,
  marked,
  paragraph,
  strong,
  toned,
} from "../../../pages/report/blocks.js";
import { renderHtmlReport } from "../../../pages/report/render-html.js";
import { renderMarkdown } from "../../../pages/report/render-markdown.js";
import { renderTerminal } from "../../../pages/report/render-terminal.js";
import { renderSourceDocument } from "../../../pages/shell/source-document.js";
import type { Change } from "../changes/change.js";
import type { RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";
import { buildChangeDetails, buildChanges } from "./changes.js";
import { buildConsumers, buildReach } from "./consumer-blocks.js";
import { buildDecision, buildDecisions, buildExamples, buildFindings, buildLint, buildTrace } from "./sections.js";
import {
  buildPlace,
  countOf,
  findDuties,
  findSubjects,
  formatVerdict,
  formatVersion,
  summarize,
  toneOf,
} from "./summary.js";

/** One page that loads nothing, readable on paper and with a screen reader. */
export function formatHtml(review: Review): string {
  const { title, version } = review.contract;
  return renderHtmlReport({
    title: `${review.verdict === "accept" ? "Accept" : "Reject"}: review of ${title} ${version}`,
    heading: `${title} ${version}`,
    about: `Contract review, ${review.date}`,
    content: [
      buildHead(review),
      buildReasons(review),
      review.contract.isReadable && buildChangeSection(review),
      heading(2, "Summary", "summary"),
      list(summarize(review)),
      HOW_TO_READ,
      review.contract.isReadable && buildSections(review),
    ],
  });
}

/** The first screen: verdict, version, all that changed, and what implementers have to do. */
function buildHead(review: Review): Content {
  const { base, version, changes } = review;
  const duties = findDuties(changes);
  return [
    callout(
      toneOf(review),
      formatVerdict(review),
      paragraph(
        base ? ["Compared with ", code(base.name), ` (version ${base.version}). `] : "Compared with no other version. ",
        version && `${formatVersion(review)}.`,
      ),
    ),
    base && [paragraph(strong("What changed:")), list(findSubjects(review).map(marked))],
    duties.length > 0 &&
      [
        paragraph(strong("What implementers have to do:")),
        list(duties.slice(0, SHOWN_DUTIES).map(marked)),
        details(`${duties.length - SHOWN_DUTIES} more`, list(duties.slice(SHOWN_DUTIES).map(marked))),
      ].slice(0, duties.length > SHOWN_DUTIES ? 3 : 2),
  ];
}

const SHOWN_DUTIES = 6;

/** Each reason with its effects. A breaking change has its details here; the options that accept all of them come last. */
function buildReasons(
  review: Review,
  toDetails = (change: Change): Content => buildChangeDetails(change, review),
): Content {
  const { reasons, allowed, contract, changes } = review;
  const options = mapDefined(reasons, ({ id, isFinal }) => (isFinal ? undefined : `--allow '${id}=justification'`));
  return [
    reasons.map(({ id, message, line, more = [], follows = [], isFinal }) => {
      const change = changes.find((one) => one.id === id);
      return entry(
        {
          tone: "bad",
          title: [line !== undefined && [buildPlace(contract.path, line), ": "], marked(message)],
          id: change ? id : `reason ${id}`, // a decision has the id of its own section
        },
        more.length > 0 && paragraph(`And ${countOf(more, "more place")}: ${formatShortList(more)}`),
        buildReach(review, id),
        change && toDetails(change),
        follows.length > 0 && paragraph(`What follows from it (${follows.length}):`),
        list(follows.map(buildLine)),
        isFinal && paragraph("It cannot be accepted: the review could not judge the contract."),
      );
    }),
    options.length > 0 && [
      paragraph("To accept, with the reason why:"),
      codeBlock(options.join(" \\\n"), { language: "sh", label: "Options that accept the reasons" }),
    ],
    allowed.map(({ id, message, justification }) =>
      entry({ tone: "warn", title: `${id} is allowed: ${justification}` }, paragraph(marked(message))),
    ),
  ];
}

function buildLine({ message, line, more = [] }: RejectionReason): Content {
  const rest = more.length > 0 && ` And ${countOf(more, "more place")}.`;
  return [line !== undefined && `line ${line}: `, marked(message), rest];
}

const SHOWN = 3;

function formatShortList(texts: readonly string[]): string {
  return [...texts.slice(0, SHOWN), ...(texts.length > SHOWN ? ["…"] : [])].join("; ");
}

/** The changes that are no reason to reject: a reason shows its own. */
function buildChangeSection(review: Review): Content {
  const others = findOtherChanges(review);
  return review.base && others.length > 0
    ? [
        heading(2, review.reasons.length > 0 ? "Other changes" : "Changes", "changes"),
        buildChanges({ ...review, changes: others }),
      ]
    : undefined;
}

function findOtherChanges({ changes, reasons }: Review): Change[] {
  return changes.filter(({ id }) => !reasons.some((reason) => reason.id === id));
}

function buildSections(review: Review): Content {
  return [
    review.consumers && [heading(2, "Consumers", "consumers"), buildConsumers(review)],
    details("Decisions", buildDecisions(review), { level: 2, id: "decisions" }),
    details("Clauses", buildTrace(review), { level: 2, id: "clauses" }),
    details("Examples", buildExamples(review), { level: 2, id: "examples" }),
    details("Lint", buildLint(review), { level: 2, id: "lint" }),
    details("What the clauses say", embedded(renderSourceDocument(3)), { level: 2, id: "source" }),
  ];
}

/** A comment on a pull request. Gaps of the trace, wrong examples and lint errors are among the reasons. */
export function formatMarkdown(review: Review): string {
  const { contract, decisions, lint, consumers } = review;
  const changed = decisions.decisions.filter(({ status }) => status !== "unchanged");
  const warnings = lint.filter(({ isError }) => !isError);
  return renderMarkdown([
    buildHead(review),
    paragraph(strong(`${contract.title} ${contract.version}`)),
    buildReasons(review),
    list(summarize(review)),
    consumers && details(`Consumers (${consumers.recorded.length})`, buildConsumers(review)),
    review.base && contract.isReadable && buildChanges({ ...review, changes: findOtherChanges(review) }),
    changed.length > 0 &&
      details(
        `Decisions: new, changed, overdue (${changed.length})`,
        changed.map((decision) => buildDecision(decision, contract)),
      ),
    warnings.length > 0 && details(`Lint: warnings (${warnings.length})`, buildFindings(warnings, contract)),
  ]);
}

export function formatTerminal(review: Review, isColoured: boolean): string {
  const { contract, base, version, lint } = review;
  const warnings = lint.filter(({ isError }) => !isError);
  const content = [
    paragraph(toned(formatVerdict(review), toneOf(review)), "."),
    base && list(findSubjects(review).map(marked)),
    paragraph(`${contract.title} ${contract.version}`, base && `, compared with ${base.name} (${base.version}).`),
    version && paragraph(`${formatVersion(review)}.`),
    list(summarize(review)),
    paragraph(""),
    buildReasons(review, () => undefined),
    buildFindings(warnings, contract),
  ];
  return renderTerminal(content, { isColoured });
}

const HOW_TO_READ = details("How to read this page", [
  paragraph(
    "A change is breaking when a client that followed the old contract can fail under the new one: a request that was accepted ",
    "is rejected, or a response is returned that was impossible before. It breaks implementations when a server that followed ",
    "the old contract can violate the new one. A counterexample is such a request or response, checked by both contracts. §4.2 is ",
    "a clause of the document that the contract is based on; D-07 is a decision on what the document leaves open.",
  ),
]);
