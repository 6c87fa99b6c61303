// The review as one page that loads nothing: verdict first, readable on paper and with a screen reader.
import type { Contract } from "../../contract/contract.js";
import { renderContract } from "../../docs/contract-view.js";
import { type Html, heading, html } from "../../docs/html.js";
import { renderPage } from "../../docs/page.js";
import { readScript } from "../../docs/script.js";
import type { Review } from "../review.js";
import { renderChanges } from "./changes-section.js";
import { renderDecisions } from "./decisions-section.js";
import { renderExamples } from "./examples-section.js";
import { renderLint } from "./lint-section.js";
import { renderTrace } from "./trace-section.js";
import { renderVerdict } from "./verdict-section.js";

/** @param contract undefined where it cannot be read: then there is nothing but the verdict. */
export function toHtmlPage(review: Review, contract: Contract | undefined): string {
  const { title, version } = review.contract;
  const sections = contract ? toSections(review, contract) : [];
  const verdict = review.verdict === "accept" ? "Accept" : "Reject";
  return renderPage({
    title: `${verdict}: review of ${title} ${version}`,
    skipText: "To the verdict",
    header: html`<p class="soft">Contract review, ${review.date}</p><h1>${title} <span class="soft">${version}</span></h1>`,
    main: html`${renderVerdict(review)}
${sections.length > 0 && html`<nav aria-label="Sections"><ul>${sections.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>`}
${sections.map(({ id, name, content }) => html`<section aria-labelledby="${id}">${heading(2, id, name)}${content}</section>`)}`,
    script: readScript("docs-page/report"),
  });
}

function toSections(review: Review, contract: Contract): { id: string; name: string; content: Html }[] {
  return [
    ...(review.base ? [{ id: "changes", name: "Changes", content: renderChanges(review) }] : []),
    { id: "decisions", name: "Decisions", content: renderDecisions(review) },
    { id: "clauses", name: "Clauses", content: renderTrace(review) },
    { id: "examples", name: "Examples", content: renderExamples(review) },
    { id: "lint", name: "Lint", content: renderLint(review) },
    { id: "contract", name: "The contract", content: renderWhole(review, contract) },
  ];
}

/** The page of the docs reads what our own contract has; another API's may have less. */
function renderWhole({ contract: { path, sha256 } }: Review, contract: Contract): Html {
  const intro = html`<p>As the servers show it at <code>/docs</code>, where each operation can be tried out.
<span class="soft">SHA-256 of ${path}: <code>${sha256}</code></span></p>`;
  try {
    return html`${intro}${renderContract(contract, { level: 3, hasDecisions: true })}`;
  } catch (error) {
    return html`${intro}<p class="warn">It cannot be shown: ${(error as Error).message}</p>`;
  }
}
