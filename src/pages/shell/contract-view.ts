// The contract as HTML: requests, responses and schemas, each with its clauses and decisions, and with examples beside
// it.

import { STATUS_CODES } from "node:http";
import type { Contract } from "../../contract/contract.js";
import { groupBy, toList } from "../../contract/lists.js";
import type { Decision, DeclaredResponse, Header, MediaType, Operation, Parameter } from "../../contract/model.js";
import type { Schema } from "../../contract/schema.js";
import { type KeyPlace, showKey } from "../../contract/security.js";
import { renderErrors } from "./errors-view.js";
import { renderGuides } from "./guides.js";
import { copyButton, filterBox, type Html, heading, html, inline, prose, toAnchor } from "./html.js";
import { type Access, buildExampleRequest, renderRequest } from "./request-snippets.js";
import { findFirstRequest, renderSamples, samplesOf } from "./samples-view.js";
import {
  buildType,
  describeConstraints,
  descriptionOf,
  renderBasis,
  renderMember,
  renderMembers,
  renderNested,
} from "./schema-view.js";
import { buildClauseLink, findSectionTitle, renderSourceDocument } from "./source-document.js";

export interface ContractViewOptions extends Access {
  /** Operations without a handler, such as `GET /v1/notifications`. */
  mocked: readonly string[];
}

export function renderContract(contract: Contract, { mocked, ...access }: ContractViewOptions): Html {
  const { operations, schemas, headers, decisions } = contract;
  const decided = Object.entries(decisions);
  const topics = groupByTopic(decided, operations);
  const facets = operations.map(({ id }) => id).filter((id) => topics.some(([topic]) => topic === id));
  return html`${operations.map((operation) => renderOperation(operation, { mocked, ...access }))}
    ${renderGuides(operations, access)}
    ${renderErrors(operations, access)}
    <section>${heading(2, "schemas", "Schemas")}
    ${filterBox("Find a schema", [], html`${[...schemas].map(renderNamedSchema)}`)}
    ${headers.length > 0 && html`<details><summary id="headers">Headers of responses</summary>${headers.map((header) => renderHeader(header, toAnchor("header", header.name)))}</details>`}</section>
    ${
      decided.length > 0 &&
      html`<section>${heading(2, "decisions", "Decisions on what the document leaves open")}
    ${filterBox(
      "Find a decision",
      facets.map((id) => ({ value: id, name: id })),
      html`${topics.map(renderTopic)}`,
    )}</section>
    ${renderSourceDocument(2)}`
    }`;
}

function renderOperation(operation: Operation, { mocked, ...access }: ContractViewOptions): Html {
  const { id, method, path, summary = id, parameters, body, responses, provenance, security } = operation;
  const verb = method.toUpperCase();
  const requiredFirst = parameters.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const hasRequest = parameters.length > 0 || body !== undefined;
  const [title = "", ...rest] = summary.split(/(?<=\.)\s+/);
  const description = [...rest, operation.description].filter(Boolean).join("\n\n");
  return html`<section class="columns"><div>${heading(2, toAnchor("operation", id), title.replace(/\.$/, ""))}
    <p class="row endpoint"><span class="method ${method}">${verb}</span> <code>${path}</code>${copyButton("path")}${mocked.includes(`${verb} ${path}`) && html` <span class="tag warn">mocked</span> <span class="soft">no handler yet: it responds with samples of the contract</span>`}</p>
    <div class="description">${prose(description)}</div><div class="row">${renderSecurity(security)}${renderBasis(provenance)}</div></div>
    <aside class="samples" aria-label="Examples of ${id}">
    ${renderRequest(operation, access, buildExampleRequest(operation, access, findFirstRequest(operation)))}
    ${renderSamples(samplesOf(operation), access, { of: operation.id })}</aside>
    <div>${
      hasRequest &&
      html`${heading(3, toAnchor(id, "parameters"), "Request")}
    <div class="members">${requiredFirst.map((parameter) => renderParameter(id, parameter))}</div>`
    }
    ${body && renderContent(body.content, { isRequired: body.isRequired, basis: renderBasis(body.provenance) })}
    ${heading(3, toAnchor(id, "responses"), "Responses")}
    ${responses.map((response) => renderResponse(toAnchor(id, "response", response.key), response))}</div></section>`;
}

/** Where the key goes. Alternatives are joined by "or"; an empty one means that no key is needed. */
function renderSecurity(alternatives: Operation["security"]): Html {
  if (alternatives.length === 0) return html`<p class="soft">Open: it needs no key.</p>`;
  const texts = alternatives.map((places) => (places.length === 0 ? [html`no key`] : places.map(renderKeyPlace)));
  return html`<p class="soft">Key: ${texts.map((parts, index) => html`${index > 0 && ", or "}${parts.map((part, place) => html`${place > 0 && " and "}${part}`)}`)}.</p>`;
}

function renderKeyPlace(place: KeyPlace): Html {
  const { scheme, scopes = [], tokenUrl, word } = place;
  const key = word === undefined ? showKey(place) : `Authorization: ${word} <key>`;
  const shown = scopes.map((scope) => html` <code>${scope}</code>`);
  return html`<code>${key}</code> (${scheme}${tokenUrl && html`, tokens from <code>${tokenUrl}</code>`})${shown.length > 0 && html`, with the scope${shown.length > 1 && "s"}${shown}`}`;
}

/** Every media type with its own schema. */
export function renderContent(
  content: readonly MediaType[],
  { isRequired = false, basis }: { isRequired?: boolean; basis?: Html | undefined } = {},
): Html {
  const types = content.map(({ type, schema }, index) => {
    const constraints = schema === undefined ? "" : describeConstraints(schema);
    const shown = schema === undefined ? html`anything` : buildType(schema);
    return html`<div class="request-body"><p class="label">Body <code>${type}</code> <span class="soft">${shown}</span>${isRequired && html` <span class="required">required</span>`}</p>
${constraints !== "" && html`<p class="soft">${inline(constraints)}</p>`}${index === 0 && basis}</div>${schema !== undefined && renderNested(schema)}`;
  });
  return html`${types.length > 0 ? types : html`<div class="request-body"><p class="soft">No body.</p>${basis}</div>`}`;
}

function renderParameter(operationId: string, parameter: Parameter): Html {
  const { name, in: place, schema, isRequired, isDeprecated, description, provenance, mediaType } = parameter;
  const note = [place, mediaType ?? describeStyle(parameter)].filter(Boolean).join(", ");
  return renderMember({
    id: toAnchor(operationId, place, name),
    name,
    isRequired,
    isDeprecated,
    note,
    schema,
    description: `${description ?? ""} ${describeExample(parameter)}`,
    provenance,
    nested: schema.types.includes("object") ? renderNested(schema) : undefined,
  });
}

/** Of any text, whose form the type does not say. */
function describeExample({ examples: [example], schema }: Parameter): string {
  const items = toList(example ?? []);
  const { types, flat } = schema.types.includes("array") ? schema.items : schema;
  if (items.length === 0 || !types.includes("string") || flat.enum) return "";
  return `Example: ${items.map((item) => `\`${item}\``).join(", ")}.`;
}

/** How a list or an object is written, where it is not simply repeated. */
function describeStyle({ style, in: place, isExploded, schema: { types } }: Parameter): string | undefined {
  const isSingle = !types.includes("array") && !types.includes("object");
  if (isSingle || types.length > 2) return undefined;
  if (style === "deepObject") return "as name[member]=value";
  return place === "query" && !isExploded ? "separated by commas" : undefined;
}

function renderResponse(id: string, { key, description, headers, content, provenance }: DeclaredResponse): Html {
  const isShared = ({ pointer: [part, kind, name], ...header }: Header) =>
    part === "components" && kind === "headers" && name === header.name;
  const shared = headers
    .filter(isShared)
    .map(
      ({ name, description = "" }) =>
        html`<a href="#${toAnchor("header", name)}" title="${description.replaceAll("`", "")}">${name}</a> `,
    );
  const own = headers.filter((header) => !isShared(header)).map((header) => renderHeader(header));
  return html`<details><summary id="${id}"><span class="status s${key[0]}" title="${STATUS_CODES[key]}">${key}</span> <span>${inline(description)}</span></summary>
    ${shared.length > 0 && html`<p class="soft">Headers: ${shared}</p>`}${own}
    ${renderContent(content, { basis: renderBasis(provenance) })}</details>`;
}

function renderHeader(header: Omit<Header, "pointer" | "mediaType" | "isExploded" | "example">, id?: string): Html {
  return renderMember({ ...header, id, note: "header" });
}

function renderNamedSchema([name, schema]: [string, Schema]): Html {
  const id = toAnchor("schema", name);
  const members = renderMembers(schema, id);
  const others = schema.flat.additionalProperties === false ? "No other members." : "Other members are possible.";
  const [first = "", ...rest] = (descriptionOf(schema) ?? "").split(/(?<=\.)\s+/);
  return html`<details data-facet=""><summary id="${id}"><span class="name">${name}</span><span class="note">${inline(first)}</span></summary>${prose(rest.join(" "))}
    ${members ? html`${members}<p class="soft">${others}</p>` : html`<p>${buildType(schema)}. ${inline(describeConstraints(schema))}</p>${renderNested(schema)}`}</details>`;
}

type Decided = readonly [id: string, Decision];

/**
 * By the operation whose clause they rest on, or else by the section of the document. The groups of operations are
 * first.
 */
function groupByTopic(decided: readonly Decided[], operations: readonly Operation[]) {
  const operationOf = ([, { clause }]: Decided) =>
    operations.find(({ provenance }) => toList(provenance["x-source"] ?? []).some((id) => toList(clause).includes(id)));
  const ownFirst = decided.toSorted((one, other) => Number(!operationOf(one)) - Number(!operationOf(other)));
  const topicOf = (one: Decided) => operationOf(one)?.id ?? findSectionTitle(toList(one[1].clause)[0] ?? "");
  return groupBy(ownFirst, topicOf).map((group) => [topicOf(group[0]), group] as const);
}

function renderTopic([topic, decided]: readonly [topic: string, readonly Decided[]]): Html {
  return html`<h3>${topic} <span class="soft" data-count>${decided.length}</span></h3>${decided.map((one) => renderDecision(one, topic))}`;
}

function renderDecision([id, { question, answer, clause, basis, revisit }]: Decided, topic: string): Html {
  const clauses = toList(clause).map((id) => html`${buildClauseLink(id)} `);
  return html`<details data-facet="${topic}"><summary id="${toAnchor("decision", id)}"><span><code>${id}</code> ${inline(question)}</span></summary>${prose(answer)}
    <p class="soft">${clauses}basis: ${basis}${revisit && html`; revisit when ${revisit}`}</p></details>`;
}

/** Clauses and basis of a decision, and when to revisit it. */
export function decisionFacts({ clause, basis, revisit }: Decision): string {
  return `${toList(clause).join(", ")}; basis: ${basis}${revisit ? `; revisit when ${revisit}` : ""}`;
}
