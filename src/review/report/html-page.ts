// The review as one page: verdict first, nothing loaded from anywhere, sound on paper and with a screen reader.
import type { Contract } from "../../contract/contract.js";
import { renderContract } from "../../docs/contract-view.js";
import { Html, html } from "../../docs/html.js";
import { STYLE } from "../../docs/style.js";
import type { Review } from "../review.js";
import { renderChanges } from "./changes-section.js";
import { renderDecisions } from "./decisions-section.js";
import { renderExamples } from "./examples-section.js";
import { renderLint } from "./lint-section.js";
import { renderTrace } from "./trace-section.js";
import { renderVerdict } from "./verdict-section.js";

/** On paper nothing can be opened; a link into something folded opens it. */
const SCRIPT = `
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => (one.open = true)));
const reveal = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let place = target; place; place = place.parentElement) if (place.tagName === "DETAILS") place.open = true;
  if (target) target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();
`;

export function toHtmlPage(review: Review, contract: Contract): string {
  const { title, version } = review.contract;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${review.verdict === "yes" ? "Yes" : "No"}: review of ${title} ${version}</title>
<link rel="icon" href="data:,"><style>${new Html(STYLE)}</style></head>
<body><a class="skip" href="#main">To the verdict</a>
<header><p class="soft">Review of the contract, ${review.date}</p><h1>${title} <span class="soft">${version}</span></h1></header>
<main id="main">
${renderVerdict(review)}
<nav aria-label="Sections"><ul>
${review.base && html`<li><a href="#changes">What changes</a></li>`}
<li><a href="#decisions">Decisions</a></li><li><a href="#clauses">Clause by clause</a></li>
<li><a href="#examples">Examples</a></li><li><a href="#lint">Rules</a></li><li><a href="#contract">The contract</a></li>
</ul></nav>
${review.base && renderChanges(review)}
${renderDecisions(review)}
${renderTrace(review)}
${renderExamples(review)}
${renderLint(review)}
<section aria-labelledby="contract"><h2 id="contract">The contract</h2>
<p>As the servers show it at <code>/docs</code>, where each operation can be tried out.
<span class="soft">SHA-256 of openapi.yaml: <code>${review.contract.sha256}</code></span></p>
${renderContract(contract, { level: 3, hasDecisions: true })}</section>
</main><script>${new Html(SCRIPT)}</script></body></html>
`.text;
}
