// The decisions: new, changed and overdue ones are open, the others folded.
import { decisionFacts } from "../../docs/contract-view.js";
import { type Html, html, inline, prose, toAnchor } from "../../docs/html.js";
import type { ReviewedDecision } from "../decision-review.js";
import type { Review } from "../review.js";
import { countOf } from "./summary.js";

export function renderDecisions({ contract, decisions: { decisions, removed } }: Review): Html {
  const unchanged = decisions.filter(({ status }) => status === "unchanged");
  const others = decisions.filter(({ status }) => status !== "unchanged");
  const render = (decision: ReviewedDecision) => renderDecision(decision, contract.path);
  return html`<p>What the document leaves open, and how it is settled. The basis is the document itself, the public facts of the live
      service, a standard, or judgement, in this order.</p>
    ${removed.length > 0 && html`<p><span class="tag warn">removed</span> ${removed.join(", ")}</p>`}
    ${others.map(render)}
    ${unchanged.length > 0 && html`<details><summary>${countOf(unchanged, "unchanged decision")}</summary>${unchanged.map(render)}</details>`}`;
}

function renderDecision(decision: ReviewedDecision, path: string): Html {
  const { id, line, status, before, question, answer } = decision;
  const tag = status !== "unchanged" && html` <span class="tag warn">${status}</span>`;
  return html`<h3 id="${toAnchor("decision", id)}">${id} ${inline(question)}${tag}</h3>
    ${prose(answer)}
    ${before && html`<details><summary>Before</summary><p>${inline(before.question)}</p>${prose(before.answer)}<p class="soft">${decisionFacts(before)}</p></details>`}
    <p class="soft">${decisionFacts(decision)}; ${path}, line ${line}</p>`;
}
