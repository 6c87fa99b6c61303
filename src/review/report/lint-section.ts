// The violations that the lint rules found, and the rules that are off or narrowed, with the reason.
import { type Html, html, inline } from "../../docs/html.js";
import { OWN_RULES } from "../lint/ruleset.js";
import type { LintResult } from "../lint/run-lint.js";
import type { Review } from "../review.js";

export function renderLint({ lint, rules, contract }: Review): Html {
  const own = Object.entries(OWN_RULES).map(([name, { description }]) => [name, description]);
  return html`<p>Spectral's rules for OpenAPI, its OWASP rules for security, and ${own.length} of our own.</p>
    ${lint.length === 0 && html`<p class="good">No violations.</p>`}
    <ul>${lint.map((result) => renderResult(result, contract.path))}</ul>
    <h3>Our own rules</h3>${renderList(Object.fromEntries(own))}
    <h3>Rules that are off</h3>${renderList(rules.off)}
    <h3>Narrowed rules</h3>${renderList(rules.narrowed)}`;
}

function renderResult({ isError, message, rule, line }: LintResult, path: string): Html {
  return html`<li><span class="tag ${isError ? "bad" : "warn"}">${isError ? "error" : "warning"}</span>
    ${message} <span class="soft">${rule}; ${path}, line ${line}</span></li>`;
}

function renderList(list: Readonly<Record<string, string>>): Html {
  return html`<ul>${Object.entries(list).map(([name, text]) => html`<li><code>${name}</code>: ${inline(text)}</li>`)}</ul>`;
}
