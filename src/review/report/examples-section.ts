// The examples and the outcome of their replay on the reference server.
import { type Html, html, table } from "../../docs/html.js";
import type { ExampleReview } from "../example-review.js";
import type { Review } from "../review.js";

const OUTCOMES = {
  matched: { tone: "good", text: "replayed: the server returns exactly this" },
  accepted: { tone: "good", text: "replayed: the server accepts it" },
  unreplayed: { tone: "warn", text: "valid, but not replayed: the server cannot serve this contract" },
  failed: { tone: "bad", text: "wrong" },
};

export function renderExamples({ examples }: Review): Html {
  const sorted = examples.toSorted((a, b) => Number(b.outcome === "failed") - Number(a.outcome === "failed"));
  return html`<p>Each example is checked by its schema and replayed on the reference server with its demo data: in a separate
      environment and, where the example needs it, with a slow or full disk, an error or an exhausted rate limit.</p>
    ${table({ label: "Examples", columns: ["Example", "Summary", "Outcome"] }, sorted.map(renderExample))}`;
}

function renderExample({ title, summary, line, outcome, errors }: ExampleReview): Html {
  const { tone, text } = OUTCOMES[outcome];
  return html`<tr><th scope="row">${title}<br><span class="soft">line ${line}</span></th><td>${summary}</td>
    <td><span class="${tone}">${text}</span>${errors.map((error) => html`<p>${error}</p>`)}</td></tr>`;
}
