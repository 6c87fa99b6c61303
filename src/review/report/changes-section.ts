// The changes, operation by operation: breaking first, each with its witness.
import { type Html, html, inline, toAnchor } from "../../docs/html.js";
import type { Change } from "../changes/change.js";
import type { Review } from "../review.js";
import { countOf } from "./summary.js";
import { toWitnessText } from "./witness-text.js";

export function renderChanges({ changes, typesDiff }: Review): Html {
  const operations = [...new Set(changes.map(({ operation }) => operation))].toSorted((a, b) =>
    (a ?? "~").localeCompare(b ?? "~"),
  );
  const ofOperation = (id: string | undefined) => changes.filter(({ operation }) => operation === id);
  return html`<section aria-labelledby="changes"><h2 id="changes">Changes</h2>
    ${changes.length === 0 && html`<p>None.</p>`}
    ${operations.map((operation) => renderOperation(operation, ofOperation(operation)))}
    <h3 id="types">Generated TypeScript types</h3>
    ${typesDiff === "" ? html`<p>No change.</p>` : renderDiff(typesDiff)}</section>`;
}

function renderOperation(operation: string | undefined, changes: Change[]): Html {
  const ofClass = (kind: Change["class"]) => changes.filter((change) => change.class === kind);
  const [breaking, compatible, editorial] = [ofClass("breaking"), ofClass("compatible"), ofClass("editorial")];
  return html`<h3 id="${toAnchor("changes", operation ?? "shared")}">${operation ?? "Shared components and texts"}</h3>
    <p class="soft">${countOf(breaking, "breaking change")}, ${compatible.length} compatible, ${editorial.length} editorial</p>
    ${breaking.map(renderChange)}${compatible.map(renderChange)}
    ${editorial.length > 0 && html`<details><summary>${countOf(editorial, "editorial change")}</summary>${editorial.map(renderChange)}</details>`}`;
}

const SIDES = { request: "in requests", response: "in responses", text: "in the text" };
const TONES = { breaking: "bad", compatible: "good", editorial: "soft" };

function renderChange({ id, class: kind, places, sentence, side, before, after, witness }: Change): Html {
  const [first, ...others] = places;
  const lines = [before && `line ${before} before`, after && `line ${after} now`].filter((text) => text);
  return html`<div class="change ${kind}" id="${toAnchor(id)}">
    <p><span class="tag ${TONES[kind]}">${kind}</span> <b><code>${first}</code></b> ${inline(sentence)} <span class="soft">${SIDES[side]}</span></p>
    ${others.length > 0 && html`<details><summary>and in ${countOf(others, "more place")}</summary><p class="mono">${others.join(", ")}</p></details>`}
    <p class="soft">openapi.yaml, ${lines.join(", ")}</p>
    ${witness ? renderWitness(witness) : kind === "breaking" && html`<p class="warn">No witness was found: check it yourself.</p>`}</div>`;
}

function renderWitness(witness: NonNullable<Change["witness"]>): Html {
  const { curl, claim, response } = toWitnessText(witness);
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
