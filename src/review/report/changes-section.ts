// The changes, operation by operation: breaking first, each with its witness.
import { type Html, html, inline, toAnchor } from "../../docs/html.js";
import type { Change } from "../changes/change.js";
import type { Review } from "../review.js";
import { countOf } from "./summary.js";
import { toWitnessTexts, type WitnessText } from "./witness-text.js";

export function renderChanges(review: Review): Html {
  const { changes, typesDiff } = review;
  const operations = [...new Set(changes.map(({ operation }) => operation))].toSorted((a, b) =>
    (a ?? "~").localeCompare(b ?? "~"),
  );
  return html`${changes.length === 0 && html`<p>None.</p>`}
    ${operations.map((operation) => renderOperation(operation, review))}
    <h3 id="types">Generated TypeScript types</h3>
    ${typesDiff === "" ? html`<p>No change.</p>` : renderDiff(typesDiff)}`;
}

function renderOperation(operation: string | undefined, { changes, contract, decisions }: Review): Html {
  const own = changes.filter((change) => change.operation === operation);
  const ofClass = (kind: Change["class"]) => own.filter((change) => change.class === kind);
  const [breaking, compatible, editorial] = [ofClass("breaking"), ofClass("compatible"), ofClass("editorial")];
  const render = (change: Change) => renderChange(change, contract.path, decisions);
  return html`<h3 id="${toAnchor("changes", operation ?? "shared")}">${operation ?? "Shared components and texts"}</h3>
    <p class="soft">${countOf(breaking, "breaking change")}, ${compatible.length} compatible, ${editorial.length} editorial</p>
    ${breaking.map(render)}${compatible.map(render)}
    ${editorial.length > 0 && html`<details><summary>${countOf(editorial, "editorial change")}</summary>${editorial.map(render)}</details>`}`;
}

const SIDES = { request: "in requests", response: "in responses", text: "in the text" };
const TONES = { breaking: "bad", compatible: "good", editorial: "soft" };

function renderChange(change: Change, path: string, { decisions }: Review["decisions"]): Html {
  const { id, class: kind, places, sentence, side, before, after, breaks, restsOn } = change;
  const [first, ...others] = places;
  const lines = [before && `line ${before} before`, after && `line ${after} now`].filter((text) => text);
  const basis = decisions.filter((decision) => restsOn.includes(decision.id));
  const clauses = restsOn.filter((name) => name.startsWith("§"));
  const tags =
    kind === "editorial"
      ? ["editorial"]
      : breaks.length === 0
        ? ["compatible"]
        : breaks.map((name) => `breaks ${name}`);
  return html`<div class="change ${kind}" id="${toAnchor(id)}">
    <p>${tags.map((tag) => html`<span class="tag ${tag === "breaks implementations" ? "warn" : TONES[kind]}">${tag}</span> `)}<b><code>${first}</code></b> ${inline(sentence)} <span class="soft">${SIDES[side]}</span></p>
    ${others.length > 0 && html`<details><summary>and in ${countOf(others, "more place")}</summary><p class="mono">${others.join(", ")}</p></details>`}
    <p class="soft">${path}, ${lines.join(", ")}${clauses.length > 0 && `; rests on ${clauses.join(", ")}`}</p>
    ${basis.map((decision) => html`<p class="soft"><a href="#${toAnchor("decision", decision.id)}">${decision.id}</a>: ${inline(decision.question)} ${inline(decision.answer)}</p>`)}
    ${toWitnessTexts(change).map(renderWitness)}</div>`;
}

function renderWitness({ claim, curl, response }: WitnessText): Html {
  if (curl === undefined) return html`<p class="warn">${claim}</p>`;
  return html`<p>${claim}</p><pre tabindex="0" aria-label="Request"><code>${curl}</code></pre>
    ${response !== undefined && html`<pre tabindex="0" aria-label="Response"><code>${response}</code></pre>`}`;
}

function renderDiff(diff: string): Html {
  const lines = diff.split("\n").map((line) => {
    if (line.startsWith("+")) return html`<ins>${line}</ins>\n`;
    return line.startsWith("-") ? html`<del>${line}</del>\n` : html`${line}\n`;
  });
  return html`<pre tabindex="0" aria-label="Changes of the types"><code>${lines}</code></pre>`;
}
