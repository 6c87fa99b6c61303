// /docs: the contract rendered, with "try it out" against the server that serves the page. The page loads nothing, and its
// Content-Security-Policy allows nothing else to run or connect.
import { createHash } from "node:crypto";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { renderContract } from "./contract-view.js";
import { html, prose } from "./html.js";
import { renderPage } from "./page.js";
import { STYLE } from "./style.js";
import { renderTryIt } from "./try-it-form.js";
import { TRY_IT_SCRIPT } from "./try-it-script.js";

export interface DocsPage {
  text: string;
  /** The value of Content-Security-Policy. */
  policy: string;
}

export interface DocsOptions {
  /** Whether the server has a console to link to. */
  hasConsole?: boolean;
}

export function createDocsPage(contract: Contract, { hasConsole = false }: DocsOptions = {}): DocsPage {
  const { title, version, description } = contract.document.info as {
    title: string;
    version: string;
    description?: string;
  };
  const header = html`<h1>${title} <span class="soft">${version}</span></h1>${prose(description)}
<nav aria-label="Contents"><ul>${contract.operations.map(
    ({ id }) => html`<li><a href="#operation-${id}">${id}</a></li>`,
  )}<li><a href="#schemas">Schemas</a></li><li><a href="#decisions">Decisions</a></li>
<li><a href="/openapi.yaml">openapi.yaml</a></li>${hasConsole && html`<li><a href="/console">Console</a></li>`}</ul></nav>
<p class="try"><label for="api-key">API key</label><input id="api-key" value="demo-key" autocomplete="off" spellcheck="false"></p>`;
  const inOperation = (operation: Operation) => renderTryIt(contract.document, operation);
  const main = renderContract(contract, { level: 2, inOperation });
  const sources =
    "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return {
    text: renderPage({
      title: `${title} ${version}`,
      skipText: "To the operations",
      header,
      main,
      script: TRY_IT_SCRIPT,
    }),
    policy: `${sources}; style-src '${digestOf(STYLE)}'; script-src '${digestOf(TRY_IT_SCRIPT)}'`,
  };
}

function digestOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
