// The report as one self-contained page: the verdict, the failures, and the coverage matrix.
import { Html, html } from "../../docs/html.js";
import { STYLE } from "../../docs/style.js";
import type { CoverageRow } from "../coverage.js";
import { type FailureGroup, groupFailures, HEADINGS, type Report, toRepeat, verdictOf } from "../report.js";
import { toPrintable, toShown } from "./failure-text.js";
import { toSummary } from "./terminal.js";

export function toHtml(report: Report): string {
  const { url, seed, capabilities, except, changed, coverage } = report;
  const groups = groupFailures(report);
  const verdict = HEADINGS[verdictOf(report)];
  const operations = [...new Set(coverage.requests.map(({ operation }) => operation))];
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${verdict} · ${url}</title><style>${new Html(STYLE + OWN_STYLE)}</style></head><body><main>
<h1 class="${verdictOf(report) === "conforms" ? "good" : "bad"}">${verdict}</h1>
<p>${toSummary(report)}</p>
${groups.length > 0 && html`<h2>Failures by clause</h2>${renderClauses(report)}<h2>Failures by cause</h2>${groups.map((group) => renderFailure(group, seed))}`}
<h2>Coverage of requests</h2>
<p>Each place of a request, with the keywords of its schema and the status that the contract requires for a violation.
<i>accepts</i> stands for valid values.</p>
${operations.map((id) => renderMatrix(id, coverage.requests))}
<h2>Coverage of responses</h2>
<table class="matrix">${operations.map((id) => renderResponses(id, coverage))}</table>
<h2>All cases</h2>${renderCases(report)}
<h2>The target</h2>
<p>${url}, declared capabilities: ${capabilities.join(", ") || "none"}${except.length > 0 && `; excepted: ${except.join(", ")}`}.</p>
${changed.map((sentence) => html`<p>${sentence}</p>`)}
</main></body></html>
`;
  return toPrintable(page.text);
}

/** Each clause and decision that failures cite, with their number. */
function renderClauses({ results }: Report): Html {
  const counts = new Map<string, number>();
  for (const cite of results.flatMap(({ failure }) => failure?.cites ?? []))
    counts.set(cite, (counts.get(cite) ?? 0) + 1);
  const rows = [...counts].toSorted(([, a], [, b]) => b - a);
  return html`<p>${rows.map(([cite, count]) => html`<span class="tag"><b>${cite}</b> ${count}</span> `)}</p>`;
}

function renderFailure({ first: { id, failure }, alike }: FailureGroup, seed: number): Html {
  const { what, expected, actual, cites, curl } = failure;
  return html`<section class="change breaking"><h3>${id} <span class="soft">${cites.join(", ")}</span></h3>
<dl class="pair"><div><dt>${what}: expected</dt><dd><code>${toShown(expected, 2000)}</code></dd></div>
<div><dt>actual</dt><dd><code>${toShown(actual, 2000)}</code></dd></div></dl>
${curl && html`<pre tabindex="0">${curl}</pre>`}<p>Repeat: <code>${toRepeat(id, seed)}</code></p>
${alike.length > 0 && html`<details><summary>${alike.length} alike</summary><ul>${alike.map((other) => html`<li>${other}</li>`)}</ul></details>`}</section>`;
}

function renderMatrix(operation: string, all: readonly CoverageRow[]): Html {
  const rows = all.filter((row) => row.operation === operation);
  const covered = rows.filter(({ why }) => why === undefined).length;
  const places = [...new Set(rows.map(({ place }) => place))];
  return html`<h3>${operation} <span class="soft">${covered} of ${rows.length} covered</span></h3>
<table class="matrix">${places.map(
    (place) =>
      html`<tr><th scope="row">${place}</th><td>${rows.filter((row) => row.place === place).map(renderCell)}</td></tr>`,
  )}</table>`;
}

function renderCell({ keyword, status, pass, fail, why }: CoverageRow): Html {
  const tone = why !== undefined ? "warn" : fail > 0 ? "bad" : "good";
  const count = why ?? `${pass + fail}${fail > 0 ? `, ${fail} failed` : ""}`;
  return html`<span class="cell ${tone}">${keyword} → ${status} <small>${count}</small></span> `;
}

function renderResponses(id: string, { statuses, members }: Report["coverage"]): Html {
  const cells = statuses
    .filter(({ operation }) => operation === id)
    .map(({ status, responses }) => {
      const [tone, words] = responses > 0 ? ["good", responses] : ["warn", "no request led to it"];
      return html`<span class="cell ${tone}">${status} <small>${words}</small></span> `;
    });
  const unseen = members.filter(({ operation, isSeen }) => operation === id && !isSeen);
  const list = unseen.map(({ member }) => html`<li><code>${member}</code></li>`);
  const note = html`<details><summary>${list.length} members of a success were in no response of this target, so they
are not tested</summary><ul>${list}</ul></details>`;
  return html`<tr><th scope="row">${id}</th><td>${cells}${list.length > 0 ? note : html`<p>every member of a success was in a response</p>`}</td></tr>`;
}

const TONES = { pass: "good", fail: "bad", "not applicable": "warn", error: "bad" };

function renderCases({ results }: Report): Html {
  const rows = results.map(
    ({ id, cites, outcome, ms, reason }) =>
      html`<tr><td class="${TONES[outcome]}">${outcome}</td><td>${id}${reason && html` <span class="soft">${reason}</span>`}</td>
<td>${cites.join(", ")}</td><td>${ms} ms</td></tr>`,
  );
  return html`<details><summary>${results.length} cases</summary><div class="scroll" role="group" tabindex="0" aria-label="All cases"><table>${rows}</table></div></details>`;
}

const OWN_STYLE = `
td, h3 { overflow-wrap: break-word; }
td code { overflow-wrap: anywhere; }
.matrix th { width: 14rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: .4rem 1.5rem; margin: .6rem 0; }
.pair dt { font-weight: 600; } .pair dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) { .matrix th { width: auto; } }
.cell { display: inline-block; border: 1px solid currentColor; border-radius: .3rem; padding: 0 .4rem; margin: .1rem 0; }
`;
