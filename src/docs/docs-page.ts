// /docs: the contract rendered, with "try it out" against the server that serves the page. The page loads nothing, and its
// Content-Security-Policy allows nothing else to run or connect.
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { renderContract } from "./contract-view.js";
import { renderNavigation } from "./docs-navigation.js";
import { html, prose } from "./html.js";
import { type ProtectedPage, readScript, renderPage, STYLE, toPolicy } from "./page.js";
import { renderTryIt } from "./try-it-form.js";

export interface DocsOptions {
  /** Whether the server has a console to link to. */
  hasConsole?: boolean;
}

export function createDocsPage(contract: Contract, { hasConsole = false }: DocsOptions = {}): ProtectedPage {
  const { title, version, description } = contract.document.info as {
    title: string;
    version: string;
    description?: string;
  };
  const header = html`<h1>${title} <span class="soft">${version}</span></h1>${prose(description)}
<p class="try"><label for="api-key">API key</label><input id="api-key" value="demo-key" autocomplete="off" spellcheck="false"></p>`;
  const afterOperation = (operation: Operation) => renderTryIt(contract.document, operation);
  const main = renderContract(contract, { level: 2, afterOperation });
  const script = readScript("docs-page/docs");
  return {
    text: renderPage({
      title: `${title} ${version}`,
      skipText: "To the operations",
      header,
      navigation: renderNavigation(contract, hasConsole),
      main,
      script,
    }),
    policy: toPolicy({ style: STYLE, script }),
  };
}
