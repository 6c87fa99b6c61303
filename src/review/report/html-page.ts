// The review as one page that loads nothing: verdict first, readable on paper and with a screen reader.
import type { Contract } from "../../contract/contract.js";
import { renderContract } from "../../docs/contract-view.js";
import { type Html, html } from "../../docs/html.js";
import { renderPage } from "../../docs/page.js";
import { readScript } from "../../docs/script.js";
import type { Review } from "../review.js";
import { renderChanges } from "./changes-section.js";
import { renderDecisions } from "./decisions-section.js";
import { renderExamples } from "./examples-section.js";
import { renderLint } from "./lint-section.js";
import { renderTrace } from "./trace-section.js";
import { renderVerdict } from "./verdict-section.js";

export function toHtmlPage(review: Review, contract: Contract | undefined): string {
  const { title, version, sha256, path } = review.contract;
  const header = html`<p class="soft">Contract review, ${review.date}</p><h1>${title} <span class="soft">${version}</span></h1>`;
  const main = html`${renderVerdict(review)}
<nav aria-label="Sections"><ul>
${review.base && html`<li><a href="#changes">Changes</a></li>`}
<li><a href="#decisions">Decisions</a></li><li><a href="#clauses">Clauses</a></li>
<li><a href="#examples">Examples</a></li><li><a href="#lint">Lint</a></li><li><a href="#contract">The contract</a></li>
</ul></nav>
${review.base && renderChanges(review)}
${renderDecisions(review)}
${renderTrace(review)}
${renderExamples(review)}
${renderLint(review)}
<section aria-labelledby="contract"><h2 id="contract">The contract</h2>
<p>As the servers show it at <code>/docs</code>, where each operation can be tried out.
<span class="soft">SHA-256 of ${path}: <code>${sha256}</code></span></p>
${renderWhole(contract)}</section>`;
  const verdict = review.verdict === "accept" ? "Accept" : "Reject";
  return renderPage({
    title: `${verdict}: review of ${title} ${version}`,
    skipText: "To the verdict",
    header,
    main,
    script: readScript("report"),
  });
}

/** The page of the docs reads what our own contract has; another API's may have less. */
function renderWhole(contract: Contract | undefined): Html {
  if (!contract) return html`<p class="warn">It is not valid.</p>`;
  try {
    return renderContract(contract, { level: 3, hasDecisions: true });
  } catch (error) {
    return html`<p class="warn">It cannot be shown: ${(error as Error).message}</p>`;
  }
}
