// /docs: the contract rendered, with "try it out" against the server that serves the page.
import type { Contract } from "../contract/contract.js";
import { renderContract } from "./contract-view.js";
import { type Html, html, inline, prose, toAnchor } from "./html.js";
import { type ProtectedPage, renderPage, renderVersion } from "./page.js";
import { renderRequestCode, renderTryIt } from "./try-it-form.js";

export interface DocsOptions {
  /** Whether the server has a console to link to. */
  hasConsole?: boolean;
  mocked?: readonly string[] | undefined;
}

export function createDocsPage(
  contract: Contract,
  { hasConsole = false, mocked = [] }: DocsOptions = {},
): ProtectedPage {
  const { document } = contract;
  const { title, version, description } = document.info as { title: string; version: string; description?: string };
  const main = renderContract(contract, {
    level: 2,
    mocked,
    afterOperation: (operation) => renderTryIt(document, operation),
    besideOperation: renderRequestCode,
  });
  return renderPage({
    title: `${title} ${version}`,
    skipText: "To the operations",
    site: { current: "docs", hasConsole },
    aside: renderVersion({ title, version }),
    body: html`<nav class="side" aria-label="Contents">${renderNavigation(contract)}</nav>
<main id="main"><h1>${title}</h1>${prose(description)}
<p class="key"><label for="api-key">API key</label> <input id="api-key" value="demo-key" autocomplete="off" spellcheck="false">
<span class="soft">for “Try it out” and the examples of requests</span></p>
${main}</main>`,
    kind: "docs",
  });
}

interface Place {
  text: string;
  anchor: string;
  /** Only shown by a search that matches. */
  isDeep?: boolean;
  /** What a search finds besides the text: descriptions and synonyms. */
  words?: string | undefined;
}

/** What people call things that the contract calls otherwise. */
const SYNONYMS: Readonly<Record<string, string>> = {
  updatePreferences:
    "read get preferences unsubscribe subscribe opt out opt-out opt in mute channel settings toggle switch patch",
  listNotifications: "read get notifications feed inbox activity history messages pagination paging filter search",
  page: "pagination paging offset cursor next previous",
  limit: "pagination paging page size per page count",
  hasMore: "pagination paging next page last total",
  401: "unauthorized unauthenticated authentication auth key login token",
  404: "not found missing unknown",
  409: "conflict idempotency concurrent retry",
  413: "too large size payload",
  422: "invalid validation unprocessable",
  429: "rate limit throttle too many requests quota",
  503: "unavailable down outage retry",
};

/** The contents: a list of the page's places, and a search over all of them. Its script is docs-page/search.ts. */
function renderNavigation(contract: Contract): Html {
  return html`<label for="search" class="unseen">Search</label>
<input id="search" type="search" placeholder="Search: limit, 422 …" autocomplete="off" aria-keyshortcuts="/">
<p role="status" class="soft" id="matches"></p>
${toGroups(contract).map(
  ([title, places]) =>
    html`<section><h2>${title}</h2><ul>${places.map(
      ({ text, anchor, isDeep, words }) =>
        html`<li${isDeep === true && html` data-deep hidden data-words="${words}"`}><a href="#${anchor}">${inline(text)}</a></li>`,
    )}</ul></section>`,
)}
<section><h2>Files</h2><ul><li><a href="/openapi.yaml">openapi.yaml</a></li><li><a href="/openapi.json">openapi.json</a></li></ul></section>`;
}

function toGroups({ document, operations }: Contract): [title: string, places: Place[]][] {
  const top = (text: string, ...anchor: string[]): Place => ({ text, anchor: toAnchor(...anchor) });
  const deep = (text: string, anchor: string[], words = ""): Place => {
    return { ...top(text, ...anchor), isDeep: true, words: words.slice(0, 400) };
  };
  const toWords = (name: string, place: object) =>
    [SYNONYMS[name], (place as { description?: string }).description].filter(Boolean).join(" ");
  const ofOperations = operations.map(({ id, method, parameters, object }): [string, Place[]] => [
    id,
    [
      deep(`${method.toUpperCase()} ${id}`, ["operation", id], toWords(id, object)),
      top("Request", id, "parameters"),
      ...parameters.map((place) => deep(place.name, [id, place.in, place.name], toWords(place.name, place))),
      top("Responses", id, "responses"),
      ...Object.keys(object.responses).map((status) =>
        deep(`${status} ${id}`, [id, "response", status], SYNONYMS[status]),
      ),
      top("Try it out", id, "try"),
    ],
  ]);
  const schemas = Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) => [
    deep(name, ["schema", name], toWords(name, schema)),
    ...Object.entries(schema.properties ?? {}).map(([member, place]) =>
      deep(`${name}.${member}`, ["schema", name, member], toWords(member, place)),
    ),
  ]);
  const decisions = Object.entries(document["x-decisions"] ?? {}).map(([id, { question, answer }]) =>
    deep(`${id} ${question}`, ["decision", id], String(answer)),
  );
  const reference = [
    top("Schemas", "schemas"),
    ...schemas,
    top("Decisions", "decisions"),
    ...decisions,
    top("Source document", "source-document"),
  ];
  return [...ofOperations, ["Reference", reference]];
}
