// /docs: the contract rendered, with requests to the server that serves the page.
import type { Contract } from "../../contract/contract.js";
import { groupBy } from "../../contract/lists.js";
import type { Operation } from "../../contract/model.js";
import { KEY_VARIABLE } from "../../contract/request-code.js";
import { renderContract } from "./contract-view.js";
import { hasErrors } from "./errors-view.js";
import { findGuides } from "./guides.js";
import { type Html, html, prose, toAnchor } from "./html.js";
import { type ProtectedPage, renderPage, renderVersion } from "./page-frame.js";
import { type Access, renderAccess } from "./request-snippets.js";
import { listPlaces, renderIndex } from "./search-index.js";

export interface DocsOptions extends Access {
  /** True if the server has a console to link to. */
  hasConsole?: boolean;
  mocked?: readonly string[] | undefined;
  /** Where the contract is as a file. */
  files?: readonly string[];
  /** True for the control plane's page. */
  isControl?: boolean;
}

export function createDocsPage(
  contract: Contract,
  { hasConsole = false, isControl = false, mocked = [], files = FILES, ...access }: DocsOptions,
): ProtectedPage {
  const { title, version, description } = contract.document.info;
  const groups = groupByTag(contract);
  const operations = groups.flatMap(([, ofTag]) => ofTag); // on the page as in its contents
  return renderPage({
    title: `${title} ${version}`,
    kind: "docs",
    hasConsole,
    aside: renderVersion({ title, version }, isControl ? "control API" : "contract"),
    body: html`<nav class="side small" aria-label="Contents">${hasConsole && renderSwitch(isControl)}${renderNavigation(contract, groups, files)}</nav>
<main id="main"><h1>${title}</h1>${prose(description)}
${!isControl && renderStart(operations, access)}
${renderContract({ ...contract, operations }, { mocked, ...access })}</main>
${renderIndex(listPlaces(contract), isControl ? "/_control" : "/docs")}`,
  });
}

const FILES = ["/openapi.yaml", "/openapi.json"];

/** The docs of both APIs of this server. */
function renderSwitch(isControl: boolean): Html {
  const links = [
    ["/docs", "API", !isControl],
    ["/_control", "Control plane", isControl],
  ] as const;
  return html`<div class="segments">${links.map(([href, name, isCurrent]) => html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${name}</a>`)}</div>`;
}

/** The control plane's contract, which has neither decisions nor a source document. */
export function createControlDocsPage(contract: Contract, address: string): ProtectedPage {
  return createDocsPage(contract, {
    hasConsole: true,
    isControl: true,
    address,
    apiKey: "",
    canSend: true,
    files: ["/_control/openapi.yaml"],
  });
}

/** Where the API is, and the way to what most readers look for. A proposal may have removed some of it. */
function renderStart(operations: readonly Operation[], { address, apiKey }: Access): Html {
  const anchors = operations.flatMap(({ id, parameters, responses }) => [
    toAnchor("operation", id),
    ...parameters.map((parameter) => toAnchor(id, parameter.in, parameter.name)),
    ...responses.map(({ key }) => toAnchor(id, "response", key)),
  ]);
  anchors.push(...Object.keys(findGuides(operations)));
  if (hasErrors(operations)) anchors.push("errors");
  const links = TASKS.filter(([anchor]) => anchors.includes(anchor)).map(
    ([anchor, task, example, fill]) =>
      html`<li><a href="#${anchor}"${example && html` data-example="${example}"`}${fill && html` data-fill="${fill}"`}>${task}</a></li>`,
  );
  return html`${renderAccess(address, apiKey === KEY_VARIABLE ? undefined : apiKey)}
${links.length > 0 && html`<ul class="tasks" aria-label="How to">${links}</ul>`}`;
}

/** Each with the example to show beside it, and the parameters to send with it. A guide has its own code. */
const TASKS: readonly (readonly [anchor: string, task: string, example?: string, fill?: string])[] = [
  ["guide-client", "Use the TypeScript client"],
  ["operation-updatePreferences", "Switch a channel off", "globalUpdate"],
  ["guide-errors", "Retry an update safely"],
  ["listNotifications-query-channels", "Filter by channels and dates", "firstPage", "channels after before"],
  ["guide-pages", "Page through a list"],
  ["errors", "Read and fix a 422, a validation error", "severalViolations"],
];

/** The contents, which script/contents.ts opens on a narrow screen. */
function renderNavigation({ decisions, operations }: Contract, groups: Groups, files: readonly string[]): Html {
  const guides = Object.entries(findGuides(operations)).map(([anchor, title]) => [`#${anchor}`, title]);
  const hasDecisions = Object.keys(decisions).length > 0;
  const errors = hasErrors(operations) ? { "#errors": "Errors", "#errors-statuses": "Errors by status" } : {};
  const reference = hasDecisions ? { "#decisions": "Decisions", "#source-document": "Source document" } : {};
  return html`<button type="button" class="quiet" aria-expanded="false" data-contents>Contents</button>
${groups.map(([title, ofTag]) => html`<section><h2>${title}</h2><ul>${ofTag.map(renderOperationLinks)}</ul></section>`)}
${guides.length > 0 && renderLinks("Guides", Object.fromEntries(guides))}
${renderLinks("Reference", { ...errors, "#schemas": "Schemas", ...reference })}
${renderLinks("Files", Object.fromEntries(files.map((file) => [file, file.replace("/", "")])))}`;
}

type Groups = readonly (readonly [title: string, operations: readonly Operation[]])[];

/** In the order of the contract's tags; all in one group if there are few. */
function groupByTag({ document: { tags = [] }, operations }: Contract): Groups {
  if (operations.length < FEWEST_IN_GROUPS) return [["Operations", operations]];
  const groups = groupBy(operations, ({ tag = "Other" }) => tag);
  const places = new Map(tags.map(({ name }, index) => [name, index]));
  const placeOf = ([{ tag = "" }]: readonly [Operation, ...Operation[]]) => places.get(tag) ?? places.size;
  const sorted = groups.toSorted((one, other) => placeOf(one) - placeOf(other));
  return sorted.map((group) => [groups.length > 1 ? (group[0].tag ?? "Other") : "Operations", group]);
}

const FEWEST_IN_GROUPS = 10;

/** Those of its parts show while it is read. */
function renderOperationLinks({ id, method, parameters, body }: Operation): Html {
  const hasRequest = parameters.length > 0 || body !== undefined;
  const request = hasRequest && html`<li><a href="#${toAnchor(id, "parameters")}">Request</a></li>`;
  return html`<li><a href="#${toAnchor("operation", id)}"><span class="method ${method}">${method}</span> ${id}</a>
<ul>${request}<li><a href="#${toAnchor(id, "responses")}">Responses</a></li></ul></li>`;
}

function renderLinks(title: string, links: Record<string, string>): Html {
  const items = Object.entries(links).map(([href, text]) => html`<li><a href="${href}">${text}</a></li>`);
  return html`<section><h2>${title}</h2><ul>${items}</ul></section>`;
}
