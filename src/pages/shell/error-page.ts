// The page for an address that this server does not have: what is wrong, what was probably meant, and where to go.
import type { Operation } from "../../contract/model.js";
import { html, toAnchor } from "./html.js";
import { type ProtectedPage, renderPage } from "./page-frame.js";

export interface ErrorPageOptions {
  status: number;
  /** Without keys. */
  path: string;
  /** The page with the nearest address. */
  page?: string | undefined;
  /** The operation with the nearest path. */
  operation?: Pick<Operation, "id" | "method" | "path"> | undefined;
  hasConsole: boolean;
  /** True for a page that the server has with a control plane only. */
  isOff?: boolean;
}

export function createErrorPage(options: ErrorPageOptions): ProtectedPage {
  const { status, path, page, operation, hasConsole, isOff = false } = options;
  const reason =
    status === 401 &&
    html`<p class="soft">The status is 401, not 404: without an API key, the server does not say which paths its API has.</p>`;
  const name = page ?? (operation && `${operation.method.toUpperCase()} ${operation.path}`);
  const href = page ?? (operation && `/docs#${toAnchor("operation", operation.id)}`);
  const suggestion = href && html`<p class="suggestion">Did you mean <a href="${href}">${name}</a>?</p>`;
  const doors = [
    ["/", "Home", "What this server is, and requests to copy."],
    ["/docs", "Docs", "Every operation, rule and example."],
    hasConsole
      ? ["/console", "Console", "Requests, faults, preferences and the clock."]
      : ["/openapi.yaml", "openapi.yaml", "The contract as a file."],
  ];
  return renderPage({
    title: `${status}: there is no page ${path}`,
    kind: "error",
    hasConsole,
    body: html`<main id="main"><p><span class="status s4">${status}</span></p>
<h1>There is no page <code>${path}</code></h1>
${isOff ? html`<p class="suggestion">This server runs without a control plane, and so without this page.</p>` : suggestion}${reason}
<ul class="doors">${doors.map(([href = "", name = "", text = ""]) => html`<li><a href="${href}">${name}</a> <span class="soft">${text}</span></li>`)}</ul></main>`,
  });
}
