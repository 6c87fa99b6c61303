// /console. What its script does is in console/.
import { Html, html } from "./html.js";
import { type ProtectedPage, readSource, renderPage, renderVersion } from "./page.js";

export function createConsolePage(contract: { title: string; version: string }): ProtectedPage {
  const picker = html`<span class="environment"><label for="environment-name">Environment</label> <select id="environment-name"></select></span>`;
  return renderPage({
    title: "Console",
    skipText: "To the content",
    site: { current: "console", hasConsole: true },
    aside: html`${renderVersion(contract)}${picker}`,
    body: new Html(readSource("console/console.html")),
    kind: "console",
    style: readSource("console/console.css"),
  });
}
