// The review for people: a page, a comment on a pull request, and the terminal. Each says what changed, then the verdict, then
// the reasons.
import {
  type Content,
  callout,
  code,
  details,
  embedded,
  entry,
  heading,
  link,
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
import type { RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";
import { toChanges } from "./changes.js";
import { toConsumers, toReach } from "./consumer-blocks.js";
import { toDecision, toDecisions, toExamples, toFindings, toLint, toTrace } from "./sections.js";
import { countOf, summarize, toneOf, toPlace, toSubject, toVerdictText, toVersionText } from "./summary.js";

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
      heading(2, "Summary", "summary"),
      list(summarize(review)),
      HOW_TO_READ,
      review.contract.isReadable && toSections(review),
    ],
  });
}

function toHead(review: Review): Content {
  const { base, version } = review;
  return [
    base && paragraph(strong("What changed:"), " ", marked(toSubject(review))),
    callout(
      toneOf(review),
      toVerdictText(review),
      paragraph(
        base ? ["Compared with ", code(base.name), ` (version ${base.version}). `] : "Compared with no other version. ",
        version && `${toVersionText(review)}.`,
      ),
    ),
  ];
}

/** Each reason with its effects, and the option that accepts it, to be pasted. */
function toReasons(review: Review): Content {
  const { reasons, allowed, contract, changes } = review;
  const toOption = (id: string) => {
    const isChange = changes.some((change) => change.id === id);
    return paragraph("--allow '", isChange ? link(id, `#${id}`) : code(id), "=justification'");
  };
  return [
    reasons.map(({ id, message, line, more = [], follows = [], isFinal }) =>
      entry(
        { tone: "bad", title: [line !== undefined && [toPlace(contract.path, line), ": "], marked(message)] },
        more.length > 0 && paragraph(`And ${countOf(more, "more place")}: ${toShortList(more)}`),
        toReach(review, id),
        follows.length > 0 && paragraph(`What follows from it (${follows.length}):`),
        list(follows.map(toLine)),
        isFinal ? paragraph("It cannot be accepted: the review could not judge the contract.") : toOption(id),
      ),
    ),
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

function toSections(review: Review): Content {
  return [
    review.base && [heading(2, "Changes", "changes"), toChanges(review)],
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
    review.base && contract.isReadable && toChanges(review),
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
    base && paragraph(marked(toSubject(review))),
    paragraph(toned(toVerdictText(review), toneOf(review)), "."),
    paragraph(`${contract.title} ${contract.version}`, base && `, compared with ${base.name} (${base.version}).`),
    version && paragraph(`${toVersionText(review)}.`),
    list(summarize(review)),
    paragraph(""),
    toReasons(review),
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
