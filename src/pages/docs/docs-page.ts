// /docs, /_control and the guides: the frame that they share, with its contents, and the index that the search of the
// pages reads.
import { readFileSync } from "node:fs";
import type { Contract } from "../../contract/contract.js";
import { groupBy } from "../../contract/lists.js";
import type { Operation } from "../../contract/model.js";
import { KEY_VARIABLE } from "../../contract/request.js";
import type { Schema } from "../../contract/schema.js";
import { hasErrors, renderContract } from "./contract-view.js";
import { type Access, renderAccess } from "./examples.js";
import { Html, html, prose, toAnchor } from "./html.js";
import { type ProtectedPage, readBuilt, renderPage, renderVersion, SOURCE } from "./page-frame.js";
import type { Place } from "./place.js";
import { describeConstraints, descriptionOf } from "./schema-view.js";
import { CLAUSE_TITLES, clauseAnchorOf, findClauseDetails } from "./source-document.js";

/** A file of docs/, which build/render-guides.ts has rendered. */
export interface Guide {
  /** The last part of its address. */
  name: string;
  title: string;
  headings: readonly { id: string; title: string }[];
  html: string;
}

export interface DocsOptions extends Access {
  /** True if the server has a console to link to. */
  hasConsole?: boolean;
  /** Operations without a handler, such as `GET /v1/notifications`. */
  mocked?: readonly string[] | undefined;
}

export function createDocsPage(
  contract: Contract,
  { hasConsole = false, mocked = [], ...access }: DocsOptions,
): ProtectedPage {
  const { operations, decisions } = contract;
  const parts = {
    ...linksTo(operations),
    ...(hasErrors(operations) && { "#errors": "Errors" }),
    "#schemas": "Schemas",
    ...(Object.keys(decisions).length > 0 && { "#decisions": "Decisions", "#source-document": "Source document" }),
  };
  return renderDocs(contract, {
    path: "/docs",
    hasConsole,
    contents: [renderLinks("API", parts), ...(hasConsole ? [CONTROL] : [])],
    main: html`${renderAccess(access.address, access.apiKey === KEY_VARIABLE ? undefined : access.apiKey)}
${renderContract(contract, { mocked, ...access })}`,
  });
}

/** The control plane's contract, which has neither decisions nor a source document. */
export function createControlDocsPage(contract: Contract, address: string): ProtectedPage {
  const groups = groupByTag(contract);
  const operations = groups.flatMap(([, ofTag]) => ofTag);
  return renderDocs(contract, {
    path: "/_control",
    hasConsole: true,
    contents: [API, ...groups.map(([tag, ofTag]) => renderLinks(tag, linksTo(ofTag)))],
    main: renderContract({ ...contract, operations }, { address, apiKey: "", isList: true }),
  });
}

/** Undefined if there is no guide of this name. @param options say what its code has in the place of the usual ones. */
export function createGuidePage(
  name: string,
  contract: Contract,
  { address, apiKey, hasConsole = false }: DocsOptions,
): ProtectedPage | undefined {
  const guide = readGuides().find((one) => one.name === name);
  if (!guide) return undefined;
  const text = guide.html
    .replaceAll("http://127.0.0.1:4010", address)
    .replaceAll("demo-key", html`${apiKey}`.text)
    .replaceAll(/(?<=<img src=")[^"]+/g, (picture) => toDataUrl(picture));
  const headings = guide.headings.map(({ id, title }) => [`#${id}`, title]);
  return renderDocs(contract, {
    path: `/docs/${name}`,
    title: guide.title,
    hasConsole,
    contents: [API, ...(hasConsole ? [CONTROL] : [])],
    headings: Object.fromEntries(headings),
    main: html`<article class="guide">${new Html(text)}</article>`,
  });
}

const API = html`<section><h2>API</h2><ul><li><a href="/docs">Operations and errors</a></li></ul></section>`;
const CONTROL = html`<section><h2>Control plane</h2><ul><li><a href="/_control">For tests: /_control</a></li></ul></section>`;

interface Frame {
  path: string;
  /** Default: that of the contract. */
  title?: string;
  hasConsole: boolean;
  contents: readonly Html[];
  /** Those of the guide that is shown. */
  headings?: Readonly<Record<string, string>>;
  main: Html;
}

function renderDocs(contract: Contract, frame: Frame): ProtectedPage {
  const { path, title, hasConsole, contents, headings, main } = frame;
  const { info } = contract.document;
  const guides = readGuides().map(({ name, title }) => {
    const href = `/docs/${name}`;
    return html`<li>${href === path ? html`<a href="${href}" aria-current="page">${title}</a>${headings && renderList(headings)}` : html`<a href="${href}">${title}</a>`}</li>`;
  });
  const isControl = path === "/_control"; // its list leaves out what each path has
  const ofContract = listPlaces(contract).filter(({ badge }) => !isControl || badge !== "path");
  const places = isControl ? ofContract : [...ofContract, ...listGuidePlaces()];
  return renderPage({
    title: `${title ?? info.title} · notifications-contract`,
    kind: "docs",
    hasConsole,
    aside: renderVersion(info, isControl ? "control API" : "contract"),
    body: html`<nav class="side small" aria-label="Contents"><button type="button" class="quiet" aria-expanded="false" data-contents>Contents</button>
<section><h2>Guides</h2><ul>${guides}</ul></section>${contents}</nav>
<main id="main">${title === undefined && html`<h1>${info.title}</h1>${prose(info.description)}`}${main}</main>
${title === undefined && renderIndex(places, path)}`,
  });
}

function renderLinks(title: string, links: Readonly<Record<string, string | Html>>): Html {
  return html`<section><h2>${title}</h2>${renderList(links)}</section>`;
}

function renderList(links: Readonly<Record<string, string | Html>>): Html {
  return html`<ul>${Object.entries(links).map(([href, text]) => html`<li><a href="${href}">${text}</a></li>`)}</ul>`;
}

function linksTo(operations: readonly Operation[]): Record<string, Html> {
  const entries = operations.map(({ id, method }) => {
    return [`#${toAnchor("operation", id)}`, html`<span class="method ${method}">${method}</span> ${id}`] as const;
  });
  return Object.fromEntries(entries);
}

/** In the order of the contract's tags. */
function groupByTag({ document: { tags = [] }, operations }: Contract): [tag: string, operations: Operation[]][] {
  const groups = groupBy(operations, ({ tag = "Other" }) => tag);
  const placeOf = ([{ tag }]: readonly [Operation, ...Operation[]]) => tags.findIndex(({ name }) => name === tag);
  return groups
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((group) => [group[0].tag ?? "Other", group]);
}

let guides: Guide[] | undefined;

function readGuides(): readonly Guide[] {
  guides ??= JSON.parse(readBuilt("pages/guides.json")) as Guide[];
  return guides;
}

function listGuidePlaces() {
  return readGuides().flatMap(({ name, title, headings }) => [
    { group: "Guides", name: title, href: `/docs/${name}` },
    ...headings.map((heading) => ({
      group: "Guides",
      name: heading.title,
      note: title,
      href: `/docs/${name}#${heading.id}`,
    })),
  ]);
}

/** The policy of pages allows no pictures but these. @param path of docs/. */
function toDataUrl(path: string): string {
  const bytes = readFileSync(new URL(`../docs/${path}`, SOURCE));
  return `data:image/${path.split(".").at(-1)};base64,${bytes.toString("base64")}`;
}

/** A block of data. @param path of the page that has the places. */
function renderIndex(places: readonly Place[], path: string): Html {
  const json = JSON.stringify(places)
    .replaceAll("`", "")
    .replaceAll(/(?: |\\n)+/g, " ")
    .replaceAll("<", "\\u003c");
  return html`<script type="application/json" id="places" data-of="${path}">${new Html(json)}</script>`;
}

function listPlaces({ operations, schemas, headers, decisions }: Contract): Place[] {
  const decided = Object.entries(decisions).map(([id, { question, answer }]) => ({
    group: "Decisions",
    badge: id,
    name: question,
    text: answer,
    href: `#${toAnchor("decision", id)}`,
  }));
  return [
    ...operations.map(placeOf),
    ...operations.flatMap(listParts),
    ...[...schemas].flatMap(listMembers),
    ...headers.map(({ name, description }) => ({
      group: "Headers of responses",
      name,
      text: description ?? "",
      href: `#${toAnchor("header", name)}`,
    })),
    ...decided,
    ...(decided.length > 0 ? CLAUSES : []),
  ];
}

const CLAUSES: readonly Place[] = Object.entries(CLAUSE_TITLES).map(([id, name]) => ({
  group: "Source document",
  badge: id,
  name,
  text: findClauseDetails(id),
  href: `#${clauseAnchorOf(id)}`,
}));

function placeOf({ id, method, path, summary = id, description = "" }: Operation): Place {
  const [name = ""] = summary.split(/\.(?:\s|$)/);
  const text = `${path} ${description}`;
  return {
    group: "Operations",
    badge: method.toUpperCase(),
    name,
    note: id,
    text,
    href: `#${toAnchor("operation", id)}`,
  };
}

function listParts({ id, parameters, responses }: Operation): Place[] {
  return [
    ...parameters.map(({ name, in: badge, schema, description = "" }) => ({
      group: "Parameters",
      badge,
      name,
      note: id,
      text: `${description} ${describeConstraints(schema, name)}`.trim(),
      href: `#${toAnchor(id, badge, name)}`,
    })),
    ...responses.map(({ key, description }) => {
      const [name = "", ...rest] = description.split(/(?<=\.)\s+/);
      return {
        group: "Responses",
        badge: key,
        name,
        note: id,
        text: rest.join(" "),
        href: `#${toAnchor(id, "response", key)}`,
      };
    }),
  ];
}

function listMembers([name, schema]: [string, Schema]): Place[] {
  const anchor = toAnchor("schema", name);
  return [
    { group: "Schemas", name, text: descriptionOf(schema) ?? "", href: `#${anchor}` },
    ...[...schema.members].map(([member, schemaOfMember]) => ({
      group: "Members",
      name: member,
      note: name,
      text: descriptionOf(schemaOfMember) ?? "",
      href: `#${toAnchor(anchor, member)}`,
    })),
  ];
}
