// The page for an address that somebody opens and that has no page: what it is or what was meant, and how to call the API.
import type { Operation } from "../../contract/model.js";
import { type Access, formatRequest } from "../docs/examples.js";
import { breakable, type Html, html, inline, snippet, toAnchor } from "../docs/html.js";
import { type ProtectedPage, renderPage } from "../docs/page-frame.js";

export interface ErrorPageOptions {
  /** Without keys. */
  path: string;
  hasConsole: boolean;
  /** What the server says of a path that exists. */
  message?: string | undefined;
  /** The page with the nearest address. */
  page?: string | undefined;
  /** The operation that is meant, and how to call it. */
  call?: { operation: Operation; access: Access } | undefined;
}

export function createErrorPage({ path, hasConsole, message, page, call }: ErrorPageOptions): ProtectedPage {
  const title = message === undefined ? html`There is no page <code>${path}</code>` : html`<code>${path}</code>`;
  return renderPage({
    title: message === undefined ? `There is no page ${path}` : path,
    kind: "error",
    hasConsole,
    body: html`<main id="main"><h1>${title}</h1>
${message !== undefined && html`<p>${inline(message)}</p>`}
${page !== undefined ? suggest(page, page) : message === undefined && call && suggest(`/docs#${toAnchor("operation", call.operation.id)}`, nameOf(call.operation))}
${page === undefined && call && snippet(`${call.operation.id} as curl`, formatRequest(call.operation, call.access))}</main>`,
  });
}

const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;

function suggest(href: string, name: string): Html {
  return html`<p class="suggestion">Did you mean <a class="button" href="${href}">${breakable(`${name}?`)}</a></p>`;
}
