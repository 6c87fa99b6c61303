// /console; its script is in pages/console/.
import type { Contract } from "../../contract/contract.js";
import { examplesOf } from "../../contract/examples.js";
import { Html, html } from "./html.js";
import { type ProtectedPage, readSource, renderPage, renderVersion } from "./page.js";
import { toClauseTitles } from "./source-document.js";

export function createConsolePage({ document, operations }: Pick<Contract, "document" | "operations">): ProtectedPage {
  const picker = html`<span class="environment"><span class="soft">Environment</span> <select id="environment-name" aria-label="Environment"></select></span>`;
  const statuses = operations.flatMap(({ object }) => Object.keys(object.responses)).toSorted();
  const errors = statuses.filter((status) => Number(status) >= 400).toReversed();
  const examples = operations
    .flatMap((operation) => examplesOf(document, operation).map(({ name }) => name))
    .toSorted();
  // Fills selects with values of the contract: `<!-- operations -->` becomes their options.
  const choices = { operations: operations.map(({ id }) => id), errors, examples };
  const body = Object.entries(choices).reduce(
    (text, [name, values]) => text.replaceAll(`<!-- ${name} -->`, () => String(toOptions(values))),
    readSource("pages/console/console.html"),
  );
  const decisions = Object.entries(document["x-decisions"]).map(([id, { question }]) => [id, question]);
  const titles = { ...toClauseTitles(), ...Object.fromEntries(decisions) };
  return renderPage({
    title: "Console",
    skipText: "To the content",
    site: { current: "console", hasConsole: true },
    aside: html`${renderVersion(document.info)}${picker}`,
    body: html`${new Html(body)}<script type="application/json" id="citations">${toData(titles)}</script>`,
    kind: "console",
    style: readSource("pages/console/console.css"),
  });
}

function toData(value: object): Html {
  return new Html(JSON.stringify(value).replaceAll("<", "\\u003c"));
}

function toOptions(values: readonly string[]): Html {
  return html`${[...new Set(values)].map((value) => html`<option>${value}</option>`)}`;
}
