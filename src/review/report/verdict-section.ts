// The verdict, the reasons for it, and how to read the rest.
import { type Html, html, inline, toAnchor } from "../../docs/html.js";
import type { AllowedReason, Reason } from "../reason.js";
import type { Review } from "../review.js";
import { countOf, summarise } from "./summary.js";

export function renderVerdict(review: Review): Html {
  const { verdict, reasons, allowed, base, changes } = review;
  const isYes = verdict === "yes";
  const against = base
    ? html`Compared with <code>${base.name}</code> (version ${base.version}).`
    : "Reviewed as it stands, without a version to compare with.";
  const shown = new Set(changes.map(({ id }) => id));
  return html`<section aria-label="Verdict">
    <div class="verdict ${isYes ? "good" : "bad"}">
      <strong>${isYes ? "Yes: nothing stands against it" : `No: ${countOf(reasons, "reason")} to say no`}</strong>
      <p>${against}</p>
    </div>
    ${reasons.length > 0 && html`<ol>${reasons.map((reason) => renderReason(reason, shown))}</ol>`}
    ${allowed.length > 0 && html`<h2 id="allowed">Accepted, with a reason</h2><ul>${allowed.map(renderAllowed)}</ul>`}
    <h2 id="summary">In numbers</h2>
    <ul>${summarise(review).map((line) => html`<li>${line}</li>`)}</ul>
    ${HOW_TO_READ}</section>`;
}

function renderReason({ id, sentence, line }: Reason, shown: ReadonlySet<string>): Html {
  return html`<li><p>${inline(sentence)} ${shown.has(id) && html`<a href="#${toAnchor(id)}">Show the break</a>`}</p>
    <p class="soft">${line !== undefined && `openapi.yaml, line ${line}. `}To accept it: <code>--allow '${id}=why'</code></p></li>`;
}

function renderAllowed({ id, sentence, because }: AllowedReason): Html {
  return html`<li><p>${inline(sentence)}</p>
    <p><span class="tag warn">accepted</span> ${because} <span class="soft"><code>${id}</code></span></p></li>`;
}

const HOW_TO_READ = html`<details><summary>How to read this page</summary>
  <p>The <b>contract</b> says which requests a program may send to the service and what the service may answer. Everybody
    who builds against it, or implements it, relies on what it says.</p>
  <p>A change is <b class="bad">breaking</b> when a program that followed the old contract can fail under the new one: a
    request that was accepted is refused, or an answer comes that could not come before. Each is shown by a <b>witness</b>:
    such a request or answer, found by a program and judged by both contracts. A change is
    <b class="good">compatible</b> when no such program can fail, and <b>editorial</b> when no request and no answer shows
    it.</p>
  <p>Places are written as in <code>query.limit</code> (the parameter <code>limit</code> in the address), or
    <code>200 body.data[].status</code> (in the answer with the status 200, the member <code>status</code> of each item of
    <code>data</code>).</p>
  <p>The contract is made from a <b>document</b>, whose clauses are numbered (§4.2). What it leaves open is closed by a
    <b>decision</b> (D-07), with a reason and an event at which to look at it again.</p>
</details>`;
