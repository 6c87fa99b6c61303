// The examples and what became of them on the reference server.
import { type Html, html } from "../../docs/html.js";
import type { Review } from "../review.js";

const OUTCOMES = {
  holds: { tone: "good", words: "replayed: the server answers exactly this" },
  accepted: { tone: "good", words: "sent: the server accepts it" },
  broken: { tone: "bad", words: "does not hold" },
};

export function renderExamples({ examples }: Review): Html {
  const sorted = examples.toSorted((a, b) => Number(b.outcome === "broken") - Number(a.outcome === "broken"));
  return html`<section aria-labelledby="examples"><h2 id="examples">Examples</h2>
    <p>Each is held to its schema, and sent to the reference server on its demo data: in an environment of its own, with a slow
      disk, a full one, a fault or a used up rate limit where it is about that.</p>
    <div class="scroll" role="group" tabindex="0" aria-label="Examples"><table>
    <thead><tr><th scope="col">Example</th><th scope="col">Shows</th><th scope="col">Outcome</th></tr></thead>
    <tbody>${sorted.map(({ title, summary, line, outcome, faults }) => {
      const { tone, words } = OUTCOMES[outcome];
      return html`<tr><th scope="row">${title}<br><span class="soft">line ${line}</span></th><td>${summary}</td>
        <td><span class="${tone}">${words}</span>${faults.map((fault) => html`<p>${fault}</p>`)}</td></tr>`;
    })}</tbody></table></div></section>`;
}
