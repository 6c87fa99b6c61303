// /docs: the contract rendered, with requests to the server that serves the page.
import type { Contract } from "../../contract/contract.js";
import { renderContract } from "./contract-view.js";
import { type Html, html, prose, toAnchor } from "./html.js";
import { type ProtectedPage, renderPage, renderVersion } from "./page.js";
import type { Access } from "./request-snippets.js";

export interface DocsOptions extends Access {
  /** True if the server has a console to link to. */
  hasConsole?: boolean;
  mocked?: readonly string[] | undefined;
}

export function createDocsPage(
  contract: Contract,
  { hasConsole = false, mocked = [], ...access }: DocsOptions,
): ProtectedPage {
  const { title, version, description } = contract.document.info;
  return renderPage({
    title: `${title} ${version}`,
    kind: "docs",
    hasConsole,
    aside: renderVersion({ title, version }),
    body: html`<nav class="side small" aria-label="Contents">${renderNavigation(contract)}</nav>
<main id="main"><h1>${title}</h1>${prose(description)}
${renderContract(contract, { mocked, ...access })}</main>`,
  });
}

/** The control plane's contract, which has neither decisions nor a source document. */
export function createControlDocsPage(contract: Contract, address: string): ProtectedPage {
  return createDocsPage(contract, { hasConsole: true, address, apiKey: "" });
}

/** The contents, and a field that script/search.ts searches the page by. */
function renderNavigation({ operations }: Contract): Html {
  return html`<label for="search" class="unseen">Search</label>
<div class="find"><input id="search" type="search" placeholder="Search: limit, 422 …" autocomplete="off" aria-keyshortcuts="/">
<button type="button" class="quiet" aria-expanded="false" data-contents>Contents</button></div>
<p role="status" class="soft" id="matches"></p><section hidden><ul></ul></section>
${operations.map(({ id }) => renderLinks(id, { [`#${toAnchor(id, "parameters")}`]: "Request", [`#${toAnchor(id, "responses")}`]: "Responses" }))}
${renderLinks("Reference", { "#schemas": "Schemas", "#decisions": "Decisions", "#source-document": "Source document" })}
${renderLinks("Files", { "/openapi.yaml": "openapi.yaml", "/openapi.json": "openapi.json" })}`;
}

function renderLinks(title: string, links: Record<string, string>): Html {
  const items = Object.entries(links).map(([href, text]) => html`<li><a href="${href}">${text}</a></li>`);
  return html`<section><h2>${title}</h2><ul>${items}</ul></section>`;
}
