// The page at /console: pages/console/console.html with the contract's values. Its script is pages/console/main.ts.
import type { Contract } from "../../contract/contract.js";
import { responseExamplesOf } from "../../contract/examples.js";
import { Html, html } from "./html.js";
import { type ProtectedPage, readSource, renderPage, renderVersion } from "./page.js";
import { toClauseTitles } from "./source-document.js";

export function createConsolePage({ model: { document, operations } }: Pick<Contract, "model">): ProtectedPage {
  const picker = html`<button type="button" class="quiet environment" id="environment-name" aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K"><span class="unseen">Environment </span><span></span></button>`;
  const statuses = operations.flatMap(({ responses }) => responses.map(({ key }) => key)).toSorted();
  const examples = operations.flatMap((operation) => responseExamplesOf(operation).map(({ name }) => name));
  const choices: Record<string, string[]> = {
    operations: operations.map(({ id }) => id),
    errors: statuses.filter((status) => Number(status) >= 400).toReversed(),
    examples: examples.toSorted(),
  };
  // `<!-- operations -->` in a select becomes its options.
  const body = readSource("pages/console/console.html").replaceAll(/<!-- (\w+) -->/g, (_comment, name: string) =>
    String(toOptions(choices[name] ?? [])),
  );
  const decisions = Object.entries(document["x-decisions"]).map(([id, { question }]) => [id, question]);
  const titles = { ...toClauseTitles(), ...Object.fromEntries(decisions) };
  return renderPage({
    title: "Console",
    kind: "console",
    hasConsole: true,
    aside: html`${renderVersion(document.info)}${picker}`,
    body: html`${new Html(body)}<script type="application/json" id="citations">${toData(titles)}</script>`,
  });
}

function toData(value: object): Html {
  return new Html(JSON.stringify(value).replaceAll("<", "\\u003c"));
}

function toOptions(values: readonly string[]): Html {
  return html`${[...new Set(values)].map((value) => html`<option>${value}</option>`)}`;
}
