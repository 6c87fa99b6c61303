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
        html`<li${isDeep === true && html` data-deep hidden`}${words !== undefined && html` data-words="${words}"`}><a href="#${anchor}">${inline(text)}</a></li>`,
    )}</ul></section>`,
)}
<section><h2>Files</h2><ul><li><a href="/openapi.yaml">openapi.yaml</a></li><li><a href="/openapi.json">openapi.json</a></li></ul></section>`;
}

function toGroups({ document, operations }: Contract): [title: string, places: Place[]][] {
  const toWords = (name: string, place: object) =>
    [SYNONYMS[name], (place as { description?: string }).description].filter(Boolean).join(" ").slice(0, 400);
  const ofOperations = operations.map(({ id, method, parameters, object }): [string, Place[]] => [
    id,
    [
      {
        text: `${method.toUpperCase()} ${id}`,
        anchor: toAnchor("operation", id),
        isDeep: true,
        words: toWords(id, object),
      },
      { text: "Request", anchor: toAnchor(id, "parameters") },
      ...parameters.map((parameter) => ({
        ...{ text: parameter.name, anchor: toAnchor(id, parameter.in, parameter.name), isDeep: true },
        words: toWords(parameter.name, parameter),
      })),
      { text: "Responses", anchor: toAnchor(id, "responses") },
      ...Object.keys(object.responses).map((status) => ({
        ...{ text: `${status} ${id}`, anchor: toAnchor(id, "response", status), isDeep: true, words: SYNONYMS[status] },
      })),
      { text: "Try it out", anchor: toAnchor(id, "try") },
    ],
  ]);
  const schemas = Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) => [
    { text: name, anchor: toAnchor("schema", name), isDeep: true, words: toWords(name, schema) },
    ...Object.entries(schema.properties ?? {}).map(([member, place]) => ({
      ...{
        text: `${name}.${member}`,
        anchor: toAnchor("schema", name, member),
        isDeep: true,
        words: toWords(member, place),
      },
    })),
  ]);
  const decisions = Object.entries(document["x-decisions"] ?? {}).map(([id, { question, answer }]) => ({
    ...{
      text: `${id} ${question}`,
      anchor: toAnchor("decision", id),
      isDeep: true,
      words: String(answer).slice(0, 400),
    },
  }));
  return [
    ...ofOperations,
    [
      "Reference",
      [
        { text: "Schemas", anchor: "schemas" },
        ...schemas,
        { text: "Decisions", anchor: "decisions" },
        ...decisions,
        { text: "Source document", anchor: "source-document" },
      ],
    ],
  ];
}
