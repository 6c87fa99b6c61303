// The page for an address that this server does not have: what is wrong, what was probably meant, and where to go.
import type { Operation } from "../../contract/model.js";
import { breakable, html, snippet, toAnchor } from "./html.js";
import { type ProtectedPage, renderPage } from "./page-frame.js";
import { formatRequest } from "./request-snippets.js";

export interface ErrorPageOptions {
  status: number;
  /** Without keys. */
  path: string;
  /** The page with the nearest address. */
  page?: string | undefined;
  /** The operation with the nearest path. */
  operation?: Operation | undefined;
  /** A request to show to somebody who called the API, and how. */
  example?: Parameters<typeof formatRequest> | undefined;
  hasConsole: boolean;
  /** True for a page that the server has with a control plane only. */
  isOff?: boolean;
}

export function createErrorPage(options: ErrorPageOptions): ProtectedPage {
  const { status, path, page, operation, example, hasConsole, isOff = false } = options;
  const name = page ?? (operation && `${operation.method.toUpperCase()} ${operation.path}`);
  const href = page ?? (operation && `/docs#${toAnchor("operation", operation.id)}`);
  const suggestion =
    href && html`<p class="suggestion">Did you mean <a class="button" href="${href}">${breakable(`${name}?`)}</a></p>`;
  const doors = [
    ["/", "Home", "What this server is, and requests to copy."],
    ["/docs", "Docs", "Every operation, rule and example."],
    ...(hasConsole
      ? [
          ["/console", "Console", "Requests, faults, preferences and the clock."],
          ["/_control", "Control plane", "The API that tests use to create environments and inject faults."],
        ]
      : [["/openapi.yaml", "openapi.yaml", "The contract as a file."]]),
  ];
  const isCall = operation !== undefined || /^\/v\d+(\/|$)/.test(path);
  const call =
    example &&
    html`${!operation && html`<h2>Did you call the API?</h2>`}<p>Send the API key in a header. The status of this page is ${status}${status === 401 && ", as it is for every unknown address without a key"}.</p>
${snippet(`${example[0].id} as curl`, formatRequest(...example))}`;
  return renderPage({
    title: `${status}: there is no page ${path}`,
    kind: "error",
    hasConsole,
    body: html`<main id="main"><h1>There is no page <code>${path}</code></h1>
${isOff ? html`<p class="suggestion">This server runs without a control plane, and so without this page.</p>` : suggestion}
${isCall && call}
<ul class="doors">${doors.map(([href = "", name = "", text = ""]) => html`<li><a href="${href}">${name}</a> <span class="soft">${text}</span></li>`)}</ul>
${!isCall && (call ?? html`<p class="soft small">Status ${status}</p>`)}</main>`,
  });
}
