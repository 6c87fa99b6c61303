// The navigation of the docs page: a list of its places, and a search over all of them. Its script is docs-page/search.ts.
import type { Contract } from "../contract/contract.js";
import { type Html, html, inline, toAnchor } from "./html.js";

interface Place {
  text: string;
  anchor: string;
  /** Only shown by a search that matches. */
  isDeep?: boolean;
}

export function renderNavigation(contract: Contract, hasConsole: boolean): Html {
  return html`<label for="search">Search</label>
<input id="search" type="search" placeholder="limit, 422, D-29 …" autocomplete="off" aria-keyshortcuts="/">
<p role="status" class="soft" id="matches"></p>
${toGroups(contract).map(
  ([title, places]) =>
    html`<section><h2>${title}</h2><ul>${places.map(
      ({ text, anchor, isDeep }) =>
        html`<li${isDeep === true && html` data-deep hidden`}><a href="#${anchor}">${inline(text)}</a></li>`,
    )}</ul></section>`,
)}
<section><h2>Files and pages</h2><ul><li><a href="/openapi.yaml">openapi.yaml</a></li><li><a href="/openapi.json">openapi.json</a></li>
<li><a href="/">Home</a></li>${hasConsole && html`<li><a href="/console">Console</a></li>`}</ul></section>`;
}

function toGroups({ document, operations }: Contract): [title: string, places: Place[]][] {
  const ofOperations = operations.map(({ id, parameters, object }): [string, Place[]] => [
    id,
    [
      { text: "Request", anchor: toAnchor(id, "parameters") },
      ...parameters.map(({ in: place, name }) => ({ text: name, anchor: toAnchor(id, place, name), isDeep: true })),
      { text: "Responses", anchor: toAnchor(id, "responses") },
      ...Object.keys(object.responses).map((status) => ({
        text: `${status} ${id}`,
        anchor: toAnchor(id, "response", status),
        isDeep: true,
      })),
      { text: "Try it out", anchor: toAnchor(id, "try") },
    ],
  ]);
  const schemas = Object.entries(document.components.schemas).flatMap(([name, { properties }]) => [
    { text: name, anchor: toAnchor("schema", name) },
    ...Object.keys(properties ?? {}).map((member) => ({
      text: `${name}.${member}`,
      anchor: toAnchor("schema", name, member),
      isDeep: true,
    })),
  ]);
  const decisions = Object.entries(document["x-decisions"]).map(([id, { question }]) => ({
    text: `${id} ${question}`,
    anchor: toAnchor("decision", id),
    isDeep: true,
  }));
  return [
    ...ofOperations,
    ["Schemas", [{ text: "All schemas", anchor: "schemas" }, ...schemas]],
    ["Decisions", [{ text: "All decisions", anchor: "decisions" }, ...decisions]],
  ];
}
