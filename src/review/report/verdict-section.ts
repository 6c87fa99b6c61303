// The verdict, the reasons for it, and how to read the rest.
import { type Html, html, inline, toAnchor } from "../../docs/html.js";
import type { AllowedReason, RejectionReason } from "../rejection-reason.js";
import type { Review } from "../review.js";
import { countOf, summarise, toVerdictText, toVersionText } from "./summary.js";

export function renderVerdict(review: Review): Html {
  const { verdict, reasons, allowed, base, changes } = review;
  const against = base
    ? html`Compared with <code>${base.name}</code> (version ${base.version}).`
    : "Reviewed without a version to compare with.";
  const changeIds = new Set(changes.map(({ id }) => id));
  return html`<section aria-label="Verdict">
    <div class="verdict ${verdict === "accept" ? "good" : "bad"}">
      <strong>${toVerdictText(review)}</strong>
      <p>${against} ${review.version && `${toVersionText(review)}.`}</p>
    </div>
    ${reasons.length > 0 && html`<ol>${reasons.map((reason) => renderReason(reason, review, changeIds))}</ol>${renderOptions(reasons)}`}
    ${allowed.length > 0 && html`<h2 id="allowed">Allowed, with a justification</h2><ul>${allowed.map(renderAllowed)}</ul>`}
    <h2 id="summary">Summary</h2>
    <ul>${summarise(review).map((line) => html`<li>${line}</li>`)}</ul>
    ${HOW_TO_READ}</section>`;
}

function renderReason(
  { id, message, line, more = [] }: RejectionReason,
  { contract }: Review,
  changeIds: ReadonlySet<string>,
): Html {
  return html`<li><p>${inline(message)} ${changeIds.has(id) && html`<a href="#${toAnchor(id)}">Show the change</a>`}</p>
    ${more.length > 0 && html`<details><summary>and ${countOf(more, "more place")}</summary><ul>${more.map((place) => html`<li>${inline(place)}</li>`)}</ul></details>`}
    ${line !== undefined && html`<p class="soft">${contract.path}, line ${line}</p>`}</li>`;
}

/** Ready to paste. */
function renderOptions(reasons: readonly RejectionReason[]): Html {
  const options = reasons.map(({ id }) => `--allow '${id.replaceAll("'", "'\\''")}=justification'`);
  return html`<details><summary>To accept ${reasons.length === 1 ? "it" : "some of them"} nevertheless</summary>
    <pre tabindex="0" aria-label="Options"><code>${options.join(" \\\n  ")}</code></pre></details>`;
}

function renderAllowed({ id, message, justification }: AllowedReason): Html {
  return html`<li><p>${inline(message)}</p>
    <p><span class="tag warn">allowed</span> ${justification} <span class="soft"><code>${id}</code></span></p></li>`;
}

const HOW_TO_READ = html`<details><summary>How to read this page</summary>
  <p>The <b>contract</b> defines which requests clients may send to the service and which responses the service may return.
    Clients and implementations rely on it.</p>
  <p>A change is <b class="bad">breaking</b> when a client that followed the old contract can fail under the new one: a
    request that was accepted is rejected, or a response is returned that was impossible before. It breaks
    <b class="warn">implementations</b> when a server that followed the old contract can violate the new one: it has to accept
    more requests, or may no longer return a response. Each has a <b>witness</b>: such a request or response, found
    automatically and checked by both contracts. A change is <b class="good">compatible</b> when no client can fail, and
    <b>editorial</b> when it affects no request and no response.</p>
  <p>Places have the form <code>query.limit</code> (the query parameter <code>limit</code>) or
    <code>200 body.data[].status</code> (in the response with the status 200, the member <code>status</code> of each item of
    <code>data</code>).</p>
  <p>The contract is based on a <b>document</b> with numbered clauses (§4.2). A <b>decision</b> (D-07) settles what the
    document leaves open; it has a reason and an event at which to revisit it.</p>
</details>`;
