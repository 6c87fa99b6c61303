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
import { toChangeDetails, toChanges } from "./changes.js";
import { toConsumers, toReach } from "./consumer-blocks.js";
import { toDecision, toDecisions, toExamples, toFindings, toLint, toTrace } from "./sections.js";
import { countOf, summarize, toDuties, toneOf, toPlace, toSubjects, toVerdictText, toVersionText } from "./summary.js";

/** One page that loads nothing, readable on paper and with a screen reader. */
export function toHtmlPage(review: Review): string {
  const { title, version } = review.contract;
  return renderHtmlReport({
    title: `${review.verdict === "accept" ? "Accept" : "Reject"}: review of ${title} ${version}`,
    heading: `${title} ${version}`,
    about: `Contract review, ${review.date}`,
    content: [
      toHead(review),
      toReasons(review),
      review.contract.isReadable && toChangeSection(review),
      heading(2, "Summary", "summary"),
      list(summarize(review)),
      HOW_TO_READ,
      review.contract.isReadable && toSections(review),
    ],
  });
}

/** The first screen: verdict, version, all that changed, and what implementers have to do. */
function toHead(review: Review): Content {
  const { base, version, changes } = review;
  const duties = toDuties(changes);
  return [
    callout(
      toneOf(review),
      toVerdictText(review),
      paragraph(
        base ? ["Compared with ", code(base.name), ` (version ${base.version}). `] : "Compared with no other version. ",
        version && `${toVersionText(review)}.`,
      ),
    ),
    base && [paragraph(strong("What changed:")), list(toSubjects(review).map(marked))],
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
function toReasons(review: Review, toDetails = (change: Change): Content => toChangeDetails(change, review)): Content {
  const { reasons, allowed, contract, changes } = review;
  const options = mapDefined(reasons, ({ id, isFinal }) => (isFinal ? undefined : `--allow '${id}=justification'`));
  return [
    reasons.map(({ id, message, line, more = [], follows = [], isFinal }) => {
      const change = changes.find((one) => one.id === id);
      return entry(
        {
          tone: "bad",
          title: [line !== undefined && [toPlace(contract.path, line), ": "], marked(message)],
          id: change ? id : `reason ${id}`, // a decision has the id of its own section
        },
        more.length > 0 && paragraph(`And ${countOf(more, "more place")}: ${toShortList(more)}`),
        toReach(review, id),
        change && toDetails(change),
        follows.length > 0 && paragraph(`What follows from it (${follows.length}):`),
        list(follows.map(toLine)),
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

function toLine({ message, line, more = [] }: RejectionReason): Content {
  const rest = more.length > 0 && ` And ${countOf(more, "more place")}.`;
  return [line !== undefined && `line ${line}: `, marked(message), rest];
}

const SHOWN = 3;

function toShortList(texts: readonly string[]): string {
  return [...texts.slice(0, SHOWN), ...(texts.length > SHOWN ? ["…"] : [])].join("; ");
}

/** The changes that are no reason to reject: a reason shows its own. */
function toChangeSection(review: Review): Content {
  const others = toOtherChanges(review);
  return review.base && others.length > 0
    ? [
        heading(2, review.reasons.length > 0 ? "Other changes" : "Changes", "changes"),
        toChanges({ ...review, changes: others }),
      ]
    : undefined;
}

function toOtherChanges({ changes, reasons }: Review): Change[] {
  return changes.filter(({ id }) => !reasons.some((reason) => reason.id === id));
}

function toSections(review: Review): Content {
  return [
    review.consumers && [heading(2, "Consumers", "consumers"), toConsumers(review)],
    details("Decisions", toDecisions(review), { level: 2, id: "decisions" }),
    details("Clauses", toTrace(review), { level: 2, id: "clauses" }),
    details("Examples", toExamples(review), { level: 2, id: "examples" }),
    details("Lint", toLint(review), { level: 2, id: "lint" }),
    details("What the clauses say", embedded(renderSourceDocument(3)), { level: 2, id: "source" }),
  ];
}

/** A comment on a pull request. Gaps of the trace, wrong examples and lint errors are among the reasons. */
export function toMarkdown(review: Review): string {
  const { contract, decisions, lint, consumers } = review;
  const changed = decisions.decisions.filter(({ status }) => status !== "unchanged");
  const warnings = lint.filter(({ isError }) => !isError);
  return renderMarkdown([
    toHead(review),
    paragraph(strong(`${contract.title} ${contract.version}`)),
    toReasons(review),
    list(summarize(review)),
    consumers && details(`Consumers (${consumers.recorded.length})`, toConsumers(review)),
    review.base && contract.isReadable && toChanges({ ...review, changes: toOtherChanges(review) }),
    changed.length > 0 &&
      details(
        `Decisions: new, changed, overdue (${changed.length})`,
        changed.map((decision) => toDecision(decision, contract)),
      ),
    warnings.length > 0 && details(`Lint: warnings (${warnings.length})`, toFindings(warnings, contract)),
  ]);
}

export function toTerminal(review: Review, isColoured: boolean): string {
  const { contract, base, version, lint } = review;
  const warnings = lint.filter(({ isError }) => !isError);
  const content = [
    paragraph(toned(toVerdictText(review), toneOf(review)), "."),
    base && list(toSubjects(review).map(marked)),
    paragraph(`${contract.title} ${contract.version}`, base && `, compared with ${base.name} (${base.version}).`),
    version && paragraph(`${toVersionText(review)}.`),
    list(summarize(review)),
    paragraph(""),
    toReasons(review, () => undefined),
    toFindings(warnings, contract),
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
