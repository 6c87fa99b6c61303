// What the rules found, and which rules do not count here, with the reason.
import { type Html, html, inline } from "../../docs/html.js";
import { OURS } from "../lint/ruleset.js";
import type { Review } from "../review.js";

export function renderLint({ lint, rules }: Review): Html {
  return html`<section aria-labelledby="lint"><h2 id="lint">Rules</h2>
    <p>Spectral's rules for OpenAPI and its OWASP rules for security, and ${Object.keys(OURS).length} of our own.</p>
    ${lint.length === 0 && html`<p class="good">Every rule is kept.</p>`}
    <ul>${lint.map(
      ({
        isError,
        message,
        rule,
        line,
      }) => html`<li><span class="tag ${isError ? "bad" : "warn"}">${isError ? "error" : "warning"}</span>
        ${message} <span class="soft">${rule}; openapi.yaml, line ${line}</span></li>`,
    )}</ul>
    <h3>Our own rules</h3>${renderList(Object.fromEntries(Object.entries(OURS).map(([name, { says }]) => [name, says])))}
    <h3>Switched off, and why</h3>${renderList(rules.off)}
    <h3>Narrowed, and why</h3>${renderList(rules.narrowed)}</section>`;
}

function renderList(list: Readonly<Record<string, string>>): Html {
  return html`<ul>${Object.entries(list).map(([name, words]) => html`<li><code>${name}</code>: ${inline(words)}</li>`)}</ul>`;
}
