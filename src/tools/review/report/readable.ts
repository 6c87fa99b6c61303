// The review for people, from one set of builders: a page, a comment on a pull request, and the terminal. Each says what
// changed, then the verdict, then the reasons.
import { renderSourceDocument } from "../../../pages/docs/source-document.js";
import {
  type Content,
  callout,
  code,
  details,
  embedded,
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
import type { Review } from "../review.js";
import { toChanges } from "./changes.js";
import { toConsumers } from "./consumer-blocks.js";
import { toReasons } from "./reasons.js";
import { toDecision, toDecisions, toExamples, toFindings, toLint, toTrace } from "./sections.js";
import { summarize, toneOf, toSubject, toVerdictText, toVersionText } from "./summary.js";

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

/** The change and the verdict. */
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

function toSections(review: Review): Content {
  return [
    review.base && [heading(2, "Changes", "changes"), toChanges(review)],
    review.consumers && [heading(2, "Consumers", "consumers"), toConsumers(review)],
    // To look up.
    details("Decisions", toDecisions(review), { level: 2, id: "decisions" }),
    details("Clauses", toTrace(review), { level: 2, id: "clauses" }),
    details("Examples", toExamples(review), { level: 2, id: "examples" }),
    details("Lint", toLint(review), { level: 2, id: "lint" }),
    details("What the clauses say", embedded(renderSourceDocument(3)), { level: 2, id: "source" }),
  ];
}

/** A comment on a pull request. The reasons name gaps of the trace, wrong examples and errors of lint already. */
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

/** Explains the page to a reader who sees one for the first time. */
const HOW_TO_READ = details("How to read this page", [
  paragraph(
    "A change is breaking when a client that followed the old contract can fail under the new one: a request that was accepted ",
    "is rejected, or a response is returned that was impossible before. It breaks implementations when a server that followed ",
    "the old contract can violate the new one. A counterexample is such a request or response, checked by both contracts. §4.2 is ",
    "a clause of the document that the contract is based on; D-07 is a decision on what the document leaves open.",
  ),
]);
