// The report as one page that needs nothing else: the verdict, the failures, and the coverage matrix.
import type { CoverageRow } from "../coverage.js";
import {
  countOutcomes,
  type FailureGroup,
  foldFailures,
  hintOf,
  type Report,
  type Verdict,
  verdictOf,
} from "../report.js";
import { escapeMarkup as e, toShown } from "./markup.js";
import { toSummary } from "./terminal.js";

const VERDICTS: Record<Verdict, string> = {
  kept: "The contract is kept",
  "not kept": "The contract is broken",
  unknown: "No case was run, so nothing is known",
  broken: "The suite itself broke",
};

export function toHtml(report: Report): string {
  const { pass, fail, broken, "not applicable": notApplicable } = countOutcomes(report);
  const groups = foldFailures(report);
  const verdict = VERDICTS[verdictOf(report)];
  const hint = hintOf(report);
  const tiles = [
    ["passed", pass],
    ["failed", fail],
    ["not applicable", notApplicable],
    ["broken", broken],
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${e(verdict)} · ${e(report.url)}</title><style>${STYLE}</style></head><body><main>
<h1 class="${verdictOf(report) === "kept" ? "pass" : "fail"}">${e(verdict)}</h1>
<p>${e(toSummary(report))}</p>
${hint ? `<p class="hint">${e(hint)}</p>` : ""}
<p class="tiles">${tiles.map(([name, count]) => `<span><b>${count}</b> ${name}</span>`).join("")}</p>
${groups.length > 0 ? `<h2>Failures</h2>${groups.map((group) => toFailure(group, report.seed)).join("")}` : ""}
<h2>What requests are held to</h2>
<p>Each place of a request and each keyword of the contract there, with the status that the contract answers. A place
<i>accepts</i> the values that its schema allows.</p>
${operationsOf(report)
  .map((id) =>
    toMatrix(
      id,
      report.coverage.requests.filter(({ operation }) => operation === id),
    ),
  )
  .join("")}
<h2>What answers have held</h2>
${toAnswers(report)}
<h2>All cases</h2>${toCases(report)}
<h2>The target</h2>
<p>${e(report.url)}, declared: ${e(report.capabilities.join(", ") || "nothing")}${report.except.length > 0 ? `; excepted: ${e(report.except.join(", "))}` : ""}.</p>
${report.changed.map((sentence) => `<p>${e(sentence)}</p>`).join("")}
</main></body></html>
`;
}

function toFailure({ first: { id, failure }, alike }: FailureGroup, seed: number): string {
  const { what, expected, got, cites, curl } = failure;
  return `<section class="failure"><h3>${e(id)} <small>${e(cites.join(", "))}</small></h3>
<table><tr><th>${e(what)}: expected</th><th>got</th></tr><tr><td><pre>${e(toShown(expected, 2000))}</pre></td><td><pre>${e(toShown(got, 2000))}</pre></td></tr></table>
${curl ? `<pre>${e(curl)}</pre>` : ""}<p>Again: <code>--seed ${seed} --only '${e(id)}'</code></p>
${alike.length > 0 ? `<details><summary>${alike.length} alike</summary><ul>${alike.map((other) => `<li>${e(other)}</li>`).join("")}</ul></details>` : ""}</section>`;
}

function toMatrix(operation: string, rows: CoverageRow[]): string {
  const places = [...new Set(rows.map(({ place }) => place))];
  const covered = rows.filter(({ why }) => why === undefined).length;
  const body = places.map((place) => {
    const own = rows.filter((row) => row.place === place);
    return `<tr><th scope="row">${e(place)}</th><td>${own.map(toCell).join(" ")}</td></tr>`;
  });
  return `<h3>${e(operation)} <small>${covered} of ${rows.length} covered</small></h3><table class="matrix">${body.join("")}</table>`;
}

function toCell({ keyword, status, pass, fail, why }: CoverageRow): string {
  const kind = why !== undefined ? "gap" : fail > 0 ? "fail" : "pass";
  const count = why === undefined ? `${pass + fail}${fail > 0 ? `, ${fail} failed` : ""}` : e(why);
  return `<span class="cell ${kind}">${e(keyword)} → ${status} <small>${count}</small></span>`;
}

function toAnswers({ coverage: { statuses, members } }: Report): string {
  const ids = [...new Set(statuses.map(({ operation }) => operation))];
  const rows = ids.map((id) => {
    const cells = statuses
      .filter(({ operation }) => operation === id)
      .map(
        ({ status, answers }) =>
          `<span class="cell ${answers > 0 ? "pass" : "gap"}">${status} <small>${answers > 0 ? answers : "no request brought it about"}</small></span>`,
      );
    const unseen = members
      .filter(({ operation, isSeen }) => operation === id && !isSeen)
      .map(({ member }) => `<li><code>${e(member)}</code></li>`);
    const list =
      unseen.length > 0
        ? `<details><summary>${unseen.length} members of a success were in no answer of this target, so nothing is known of them</summary><ul>${unseen.join("")}</ul></details>`
        : "every member of a success was seen";
    return `<tr><th scope="row">${e(id)}</th><td>${cells.join(" ")}<p>${list}</p></td></tr>`;
  });
  return `<table class="matrix">${rows.join("")}</table>`;
}

function toCases({ results }: Report): string {
  const rows = results.map(
    ({ id, cites, outcome, ms, reason }) =>
      `<tr class="${outcome.replace(" ", "-")}"><td>${outcome}</td><td>${e(id)}${reason ? ` <small>${e(reason)}</small>` : ""}</td><td>${e(cites.join(", "))}</td><td>${ms} ms</td></tr>`,
  );
  return `<details><summary>${results.length} cases</summary><table>${rows.join("")}</table></details>`;
}

function operationsOf({ coverage }: Report): string[] {
  return [...new Set(coverage.requests.map(({ operation }) => operation))];
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#f3f5f7;--line:#d5dae0;--good:#116329;--good-bg:#dff5e3;--bad:#a40e26;--bad-bg:#ffe3e6;--gap:#7a4e00;--gap-bg:#fff1cc}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--paper:#14171b;--soft:#1d2126;--line:#363c44;--good:#7ee294;--good-bg:#12301b;--bad:#ff9aa5;--bad-bg:#40151b;--gap:#f2cc7a;--gap-bg:#3a2d0c}}
body{background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;margin:0}main{max-width:76rem;margin:auto;padding:1.5rem}
h1{margin:0}h1.pass{color:var(--good)}h1.fail{color:var(--bad)}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}small{font-weight:normal}
table{border-collapse:collapse;width:100%}td,th{border:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}td,.matrix th{overflow-wrap:anywhere}
.matrix th{width:min(14rem,35%);font-weight:600}code{overflow-wrap:anywhere}pre,code{font:13px/1.45 ui-monospace,monospace}pre{background:var(--soft);padding:.5rem;margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
.cell{display:inline-block;border-radius:.3rem;padding:0 .4rem;margin:.1rem 0}.cell.pass{background:var(--good-bg);color:var(--good)}.cell.fail{background:var(--bad-bg);color:var(--bad)}.cell.gap{background:var(--gap-bg);color:var(--gap)}
.hint{color:var(--gap)}.tiles span{display:inline-block;background:var(--soft);border:1px solid var(--line);border-radius:.4rem;padding:.3rem .8rem;margin-right:.5rem}.failure{border-left:4px solid var(--bad);padding-left:1rem;margin:1rem 0}
tr.fail td:first-child{color:var(--bad)}tr.pass td:first-child{color:var(--good)}tr.not-applicable td:first-child{color:var(--gap)}`;
