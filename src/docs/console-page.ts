// /console. What its script does is in console/.
import type { Contract } from "../contract/contract.js";
import { examplesOf } from "../contract/examples.js";
import { Html, html } from "./html.js";
import { type ProtectedPage, readSource, renderPage, renderVersion } from "./page.js";

export function createConsolePage({ document, operations }: Pick<Contract, "document" | "operations">): ProtectedPage {
  const picker = html`<span class="environment"><label for="environment-name">Environment</label> <select id="environment-name"></select></span>`;
  const statuses = operations.flatMap(({ object }) => Object.keys(object.responses)).toSorted();
  const errors = statuses.filter((status) => Number(status) >= 400).toReversed();
  const examples = operations
    .flatMap((operation) => examplesOf(document, operation).map(({ name }) => name))
    .toSorted();
  // What forms offer of the contract, in the place of `<!-- operations -->`.
  const choices = { operations: operations.map(({ id }) => id), errors, examples };
  const body = Object.entries(choices).reduce(
    (text, [name, values]) => text.replaceAll(`<!-- ${name} -->`, () => String(toOptions(values))),
    readSource("console/console.html"),
  );
  return renderPage({
    title: "Console",
    skipText: "To the content",
    site: { current: "console", hasConsole: true },
    aside: html`${renderVersion(document.info)}${picker}`,
    body: new Html(body),
    kind: "console",
    style: readSource("console/console.css"),
  });
}

function toOptions(values: readonly string[]): Html {
  return html`${[...new Set(values)].map((value) => html`<option>${value}</option>`)}`;
}
