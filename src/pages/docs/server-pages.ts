// The pages of a server: home, console, errors, and the docs. It gets them from whoever starts it, and loads none
// itself.

import type { Contract } from "../../contract/contract.js";
import { mapDefined } from "../../contract/lists.js";
import type { Operation } from "../../contract/model.js";
import { formatOperation, mainMedia } from "../../contract/operation.js";
import { KEY_VARIABLE } from "../../contract/request.js";
import { type ConsoleData, VIEWS } from "./console-data.js";
import { type Access, buildExampleRequest, formatRequest, outlineOf, renderAccess, renderRequest } from "./examples.js";
import { breakable, Html, html, inline, snippet, toAnchor } from "./html.js";
import { type ProtectedPage, renderPage, renderVersion } from "./page-frame.js";
import { CLAUSE_TITLES } from "./source-document.js";

export { createDocsPage, createGuidePage } from "./docs-page.js";
export { ICON } from "./page-frame.js";

export interface HomeOptions {
  title: string;
  version: string;
  operations: readonly Operation[];
  /** As in `http://127.0.0.1:4010`. */
  address: string;
  hasConsole: boolean;
  /** The built-in key. A configured key is secret, and thus undefined. */
  shownKey: string | undefined;
  /** The places of each kind that a proposal changes. */
  implementation?: Partial<Record<keyof typeof KINDS, readonly string[]>> | undefined;
}

export function createHomePage(options: HomeOptions): ProtectedPage {
  const { title, version, operations, address, hasConsole, shownKey, implementation = {} } = options;
  const first = operations.find(({ method }) => method === "get") ?? operations[0];
  const access = { address, apiKey: shownKey ?? KEY_VARIABLE };
  const body = html`<main id="main"><h1>A server to develop against Novu's API</h1>
<p class="lead">Unofficial mock and reference server for development and tests. ${renderOperations(operations)}</p>
${renderAccess(address, shownKey)}
${first && renderRequest(first, access, buildExampleRequest(first, access))}
<p class="row">${hasConsole && html`<a class="button" href="/console">Open the console</a> `}<a href="/docs/quickstart">Quickstart</a></p>
${hasConsole && DASHBOARD}
${renderImplementation(implementation)}</main>`;
  return renderPage({
    title: "Home · notifications-contract",
    kind: "home",
    hasConsole,
    aside: renderVersion({ title, version }),
    body,
  });
}

/** `It has two operations: updatePreferences and listNotifications.` A proposal may have many more. */
function renderOperations(operations: HomeOptions["operations"]): Html {
  const { length } = operations;
  if (length > MAX_NAMED) return html`It has <a href="/docs">${length} operations</a>.`;
  const links = operations.map(({ id }) => html`<a href="/docs#${toAnchor("operation", id)}">${id}</a>`);
  const list = links.map((link, index) => html`${index > 0 && (index < length - 1 ? ", " : " and ")}${link}`);
  return html`It has ${["no", "one", "two", "three"][length]} operation${length !== 1 && "s"}${length > 0 && ": "}${list}.`;
}

const MAX_NAMED = 3;

/** Filled by script/home.ts from the control plane, since a page without a key must not. */
const DASHBOARD = html`<section id="dashboard" aria-labelledby="last-requests"><h2 id="last-requests">Last requests</h2>
<p class="soft" role="status">&nbsp;</p><table><tbody></tbody></table></section>`;

/** The kinds of places where a proposal is not implemented. */
const KINDS = {
  mocked: "Operations without a handler: they respond with samples of the contract",
  reasons: "Why operations with a handler are mocked",
  added: "Members of responses that no handler sets: added as samples",
  removed: "Members of responses that are not in the contract: removed",
  withoutEffect: "Parts of requests that are validated but have no effect",
  errors: "Statuses of errors that are replaced, or sent although the contract lacks them",
  cannotBeShown: "Values that are sent although the contract forbids them",
  unchecked: "Parts of the contract that these tools do not understand: removed, or not checked",
};

function renderImplementation(implementation: NonNullable<HomeOptions["implementation"]>): Html | undefined {
  const rows = mapDefined(Object.entries(KINDS), ([kind, meaning]) => {
    const places = implementation[kind as keyof typeof KINDS] ?? [];
    const list = places.map((place) => html`<li><code>${place}</code></li>`);
    return places.length === 0 ? undefined : html`<tr><th scope="row">${meaning}</th><td><ul>${list}</ul></td></tr>`;
  });
  return rows.length === 0 ? undefined : html`<h2>Not implemented yet</h2><table><tbody>${rows}</tbody></table>`;
}

/** The names of the console's views, as in `/console#requests`. */
export const consoleViews = (): readonly string[] => VIEWS;

export function createConsolePage({ document, operations, decisions }: Contract): ProtectedPage {
  const responses = operations.flatMap((operation) => operation.responses);
  const errors = responses.map(({ key }) => key).filter((status) => Number(status) >= 400);
  const examples = responses.flatMap(({ content }) => mainMedia({ content })?.examples ?? []);
  const questions = Object.entries(decisions).map(([id, { question }]) => [id, question]);
  const data: ConsoleData = {
    operations: operations.map(outlineOf),
    titles: { ...CLAUSE_TITLES, ...Object.fromEntries(questions) },
    statuses: [...new Set(errors)].toSorted().toReversed(),
    examples: [...new Set(examples.map(({ name }) => name))].toSorted(),
  };
  const json = new Html(JSON.stringify(data).replaceAll("<", "\\u003c"));
  const links = VIEWS.map((view) => {
    const name = view.charAt(0).toUpperCase() + view.slice(1);
    return html`<li><a href="#${view}">${name} <span class="tag" data-badge="${view}" hidden></span></a></li>`;
  });
  return renderPage({
    title: "Console",
    kind: "console",
    hasConsole: true,
    aside: html`${renderVersion(document.info)}<button type="button" class="quiet picker" id="environment-name" aria-haspopup="dialog"><span class="unseen">Environment </span><span></span></button>`,
    body: html`<nav class="rail" aria-label="Views"><ul>${links}</ul></nav>
<main id="main" tabindex="-1" spellcheck="false"><h1 class="unseen">Console</h1><noscript><p>This page needs JavaScript.</p></noscript></main>
<script type="application/json" id="data">${json}</script>`,
  });
}

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
${page !== undefined ? suggest(page, page) : message === undefined && call && suggest(`/docs#${toAnchor("operation", call.operation.id)}`, formatOperation(call.operation))}
${page === undefined && call && snippet(`${call.operation.id} as curl`, formatRequest(call.operation, call.access))}</main>`,
  });
}

function suggest(href: string, name: string): Html {
  return html`<p class="suggestion">Did you mean <a class="button" href="${href}">${breakable(`${name}?`)}</a></p>`;
}
