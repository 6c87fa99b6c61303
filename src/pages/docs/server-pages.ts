// The page at `/`: how to start, what runs here, and the last requests.
import { mapDefined } from "../../contract/lists.js";
import type { Operation } from "../../contract/model.js";
import { KEY_VARIABLE } from "../../contract/request.js";
import { buildExampleRequest, renderAccess, renderRequest } from "./examples.js";
import { type Html, html, toAnchor } from "./html.js";
import { type ProtectedPage, renderPage, renderVersion } from "./page-frame.js";

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
  status?: Partial<Record<keyof typeof KINDS, readonly string[]>> | undefined;
}

export function createHomePage(options: HomeOptions): ProtectedPage {
  const { title, version, operations, address, hasConsole, shownKey, status = {} } = options;
  const first = operations.find(({ method }) => method === "get") ?? operations[0];
  const access = { address, apiKey: shownKey ?? KEY_VARIABLE };
  const body = html`<main id="main"><h1>A server to develop against Novu's API</h1>
<p class="lead">Unofficial mock and reference server for development and tests. ${renderOperations(operations)}</p>
${renderAccess(address, shownKey)}
${first && renderRequest(first, access, buildExampleRequest(first, access))}
<p class="row">${hasConsole && html`<a class="button" href="/console">Open the console</a> `}<a href="/docs/quickstart">Quickstart</a></p>
${hasConsole && DASHBOARD}
${renderStatus(status)}</main>`;
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

function renderStatus(status: NonNullable<HomeOptions["status"]>): Html | undefined {
  const rows = mapDefined(Object.entries(KINDS), ([kind, meaning]) => {
    const places = status[kind as keyof typeof KINDS] ?? [];
    const list = places.map((place) => html`<li><code>${place}</code></li>`);
    return places.length === 0 ? undefined : html`<tr><th scope="row">${meaning}</th><td><ul>${list}</ul></td></tr>`;
  });
  return rows.length === 0 ? undefined : html`<h2>Not implemented yet</h2><table><tbody>${rows}</tbody></table>`;
}
