// The decisions: what is new, changed or overdue is open, the rest is folded.
import { type Html, html, inline, prose, toAnchor } from "../../docs/html.js";
import type { ReviewedDecision } from "../decision-review.js";
import type { Review } from "../review.js";
import { countOf } from "./summary.js";

export function renderDecisions({ decisions: { decisions, dropped } }: Review): Html {
  const news = decisions.filter((decision) => decision.news);
  const others = decisions.filter((decision) => !decision.news);
  return html`<section aria-labelledby="decisions"><h2 id="decisions">Decisions</h2>
    <p>What the document leaves open, and how it is closed. Basis: the document itself, the public facts of the live
      service, a standard, or judgement, in this order.</p>
    ${dropped.length > 0 && html`<p><span class="tag warn">dropped</span> ${dropped.join(", ")}</p>`}
    ${news.map(renderDecision)}
    ${others.length > 0 && html`<details><summary>${countOf(others, "decision")} as before</summary>${others.map(renderDecision)}</details>`}</section>`;
}

function renderDecision({ id, line, news, before, ...decision }: ReviewedDecision): Html {
  return html`<h3 id="${toAnchor("decision", id)}">${id} ${inline(decision.question)}${news && html` <span class="tag warn">${news}</span>`}</h3>
    ${prose(decision.answer)}
    ${before && html`<details><summary>Before</summary><p>${inline(before.question)}</p>${prose(before.answer)}<p class="soft">${before.basis}; ${before.date}; revisit: ${before.revisit}</p></details>`}
    <p class="soft">${[decision.clause].flat().join(", ")}; basis: ${decision.basis}; decided ${decision.date};
      look at it again when: ${decision.revisit}; openapi.yaml, line ${line}</p>`;
}
