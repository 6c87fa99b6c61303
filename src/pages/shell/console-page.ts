// The page at /console: a frame with the contract's values. Its script, pages/console/main.ts, builds the views.
import type { Contract } from "../../contract/contract.js";
import { mainMedia } from "../../contract/operation.js";
import { type ConsoleData, VIEWS } from "../docs/console-data.js";
import { outlineOf } from "../docs/examples.js";
import { Html, html } from "../docs/html.js";
import { type ProtectedPage, renderPage, renderVersion } from "../docs/page-frame.js";
import { CLAUSE_TITLES } from "../docs/source-document.js";

/** The names of the console's views, as in `/console#requests`. */
export const consoleViews = (): readonly string[] => VIEWS;

export function createConsolePage({ document, operations, decisions }: Contract): ProtectedPage {
  const responses = operations.flatMap((operation) => operation.responses);
  const errors = responses.map(({ key }) => key).filter((status) => Number(status) >= 400);
  const examples = responses.flatMap(({ content }) => mainMedia({ content })?.examples ?? []);
  const questions = Object.entries(decisions).map(([id, { question }]) => [id, question]);
  const data: ConsoleData = {
    operations: operations.map(outlineOf),
    titles: { ...CLAUSE_TITLES, ...Object.fromEntries(questions) },
    statuses: [...new Set(errors)].toSorted().toReversed(),
    examples: [...new Set(examples.map(({ name }) => name))].toSorted(),
  };
  const json = new Html(JSON.stringify(data).replaceAll("<", "\\u003c"));
  const links = VIEWS.map((view) => {
    const name = view.charAt(0).toUpperCase() + view.slice(1);
    return html`<li><a href="#${view}">${name} <span class="tag" data-badge="${view}" hidden></span></a></li>`;
  });
  return renderPage({
    title: "Console",
    kind: "console",
    hasConsole: true,
    aside: html`${renderVersion(document.info)}<button type="button" class="quiet picker" id="environment-name" aria-haspopup="dialog"><span class="unseen">Environment </span><span></span></button>`,
    body: html`<nav class="rail" aria-label="Views"><ul>${links}</ul></nav>
<main id="main" tabindex="-1" spellcheck="false"><h1 class="unseen">Console</h1><noscript><p>This page needs JavaScript.</p></noscript></main>
<script type="application/json" id="data">${json}</script>`,
  });
}
