// The trace as a table: one row for each clause of the document, gaps in red.
import { type Html, html, toAnchor } from "../../docs/html.js";
import type { Review } from "../review.js";
import { type ClauseTrace, gapOf } from "../trace.js";

/** How many of a long list are shown at once. */
const SHOWN = 3;

export function renderTrace({ trace }: Review): Html {
  return html`<section aria-labelledby="clauses"><h2 id="clauses">The document, clause by clause</h2>
    <p>Each clause of the document, where the contract says it, and what proves it.</p>
    <div class="scroll" role="group" tabindex="0" aria-label="Clauses"><table class="even">
    <thead><tr>${["Clause", "Places in openapi.yaml", "Decisions", "Examples", "Tests", "Laws of verify"].map(
      (title) => html`<th scope="col">${title}</th>`,
    )}</tr></thead><tbody>${trace.map(renderClause)}</tbody></table></div></section>`;
}

function renderClause(clause: ClauseTrace): Html {
  const { id, words, places, decisions, examples, tests, laws } = clause;
  const gap = gapOf(clause);
  const missing = tests ? html`<span class="bad">none</span>` : html`<span class="soft">not in this package</span>`;
  return html`<tr id="${toAnchor("clause", id)}"><th scope="row">${id}<br><span class="soft">${words}</span>${gap && html`<br><span class="tag bad">gap</span>`}</th>
    <td>${shorten(
      places.map(({ name, line }) => html`<code>${name}</code> <span class="soft">line ${line}</span>`),
      html`<span class="bad">none</span>`,
    )}</td>
    <td>${decisions.map((name) => html`<a href="#${toAnchor("decision", name)}">${name}</a> `)}</td>
    <td>${shorten(examples.map((name) => html`${name}`))}</td>
    <td>${shorten(
      (tests ?? []).map((place) => html`<code>${place}</code>`),
      missing,
    )}</td>
    <td>${shorten(laws.map((place) => html`<code>${place}</code>`))}</td></tr>`;
}

function shorten(list: Html[], none: Html | string = ""): Html {
  if (list.length === 0) return html`${none}`;
  const lines = list.slice(0, SHOWN).map((one) => html`<p>${one}</p>`);
  const rest = list.slice(SHOWN);
  return html`${lines}${rest.length > 0 && html`<details><summary>${rest.length} more</summary>${rest.map((one) => html`<p>${one}</p>`)}</details>`}`;
}
