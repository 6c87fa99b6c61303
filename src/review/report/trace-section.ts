// The trace as a table: one row for each clause of the document, gaps in red.
import { breakable, type Html, html, table, toAnchor } from "../../docs/html.js";
import type { Review } from "../review.js";
import { type ClauseTrace, findGap } from "../trace.js";

/** How many items of a long list are shown at once. */
const SHOWN = 3;

export function renderTrace({ trace }: Review): Html {
  const columns = ["Clause", "Places in the contract", "Decisions", "Examples", "Tests", "Laws of verify"];
  return html`<p>Each clause of the document, where the contract states it, and what verifies it.</p>
    ${table({ label: "Clauses", columns, isEven: true }, trace.map(renderClause))}`;
}

function renderClause(clause: ClauseTrace): Html {
  const { id, summary, places, decisions, examples, tests, laws } = clause;
  const none = html`<span class="bad">none</span>`;
  return html`<tr id="${toAnchor("clause", id)}"><th scope="row">${id}<br><span class="soft">${breakable(summary)}</span>${findGap(clause) && html`<br><span class="tag bad">gap</span>`}</th>
    <td>${shorten(
      places.map(({ name, line }) => html`<code>${name}</code> <span class="soft">line ${line}</span>`),
      none,
    )}</td>
    <td>${decisions.map((name) => html`<a href="#${toAnchor("decision", name)}">${name}</a> `)}</td>
    <td>${shorten(examples.map((name) => html`${name}`))}</td>
    <td>${shorten((tests ?? []).map(toCode), tests ? none : html`<span class="soft">not in this package</span>`)}</td>
    <td>${shorten(laws.map(toCode))}</td></tr>`;
}

function toCode(text: string): Html {
  return html`<code>${text}</code>`;
}

function shorten(list: Html[], fallback: Html = html``): Html {
  if (list.length === 0) return fallback;
  const lines = list.map((item) => html`<p>${item}</p>`);
  const rest = lines.slice(SHOWN);
  return html`${lines.slice(0, SHOWN)}${rest.length > 0 && html`<details><summary>${rest.length} more</summary>${rest}</details>`}`;
}
