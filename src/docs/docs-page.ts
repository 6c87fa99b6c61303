// /docs: the contract rendered, with "try it out" against the server that serves the page. Nothing is loaded from
// anywhere: style and script are in the page, and its Content-Security-Policy lets nothing else run or connect.
import { createHash } from "node:crypto";
import type { Contract } from "../contract/contract.js";
import { renderContract } from "./contract-view.js";
import { type Html, html, prose, Html as RawHtml } from "./html.js";
import { STYLE } from "./style.js";
import { renderTryIt } from "./try-it-form.js";
import { TRY_IT_SCRIPT } from "./try-it-script.js";

export interface DocsPage {
  text: string;
  /** For the header Content-Security-Policy. */
  policy: string;
}

export interface DocsOptions {
  /** Whether the server that serves the page has a console to link to. */
  hasConsole?: boolean;
}

export function createDocsPage(contract: Contract, { hasConsole = false }: DocsOptions = {}): DocsPage {
  const { title, version, description } = contract.document.info as {
    title: string;
    version: string;
    description?: string;
  };
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} ${version}</title><link rel="icon" href="data:,"><style>${raw(STYLE)}</style></head>
<body><a class="skip" href="#main">To the operations</a>
<header><h1>${title} <span class="soft">${version}</span></h1>${prose(description)}
<nav aria-label="Operations"><ul>${contract.operations.map(
    ({ id }) => html`<li><a href="#operation-${id}">${id}</a></li>`,
  )}<li><a href="#schemas">Parts</a></li><li><a href="#decisions">Decisions</a></li>
<li><a href="/openapi.yaml">openapi.yaml</a></li>${hasConsole && html`<li><a href="/console">Console</a></li>`}</ul></nav>
<p class="try"><label for="api-key">API key</label><input id="api-key" value="demo-key" autocomplete="off" spellcheck="false"></p></header>
<main id="main">${renderContract(contract, { level: 2, inOperation: (operation) => renderTryIt(contract.document, operation) })}</main>
<script>${raw(TRY_IT_SCRIPT)}</script></body></html>`;
  const sources =
    "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return {
    text: page.text,
    policy: `${sources}; style-src '${digestOf(STYLE)}'; script-src '${digestOf(TRY_IT_SCRIPT)}'`,
  };
}

/** Text that is ours, not the contract's. */
function raw(text: string): Html {
  return new RawHtml(text);
}

function digestOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
