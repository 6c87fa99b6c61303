// The contract as HTML: operations, errors, schemas, decisions and the source document, with examples beside them.
import { STATUS_CODES } from "node:http";
import type { Contract } from "../../contract/contract.js";
import { isObject } from "../../contract/json.js";
import { groupBy, toList } from "../../contract/lists.js";
import type { Decision, DeclaredResponse, Header, MediaType, Operation, Parameter } from "../../contract/model.js";
import { mainMedia, successOf } from "../../contract/operation.js";
import type { Schema } from "../../contract/schema.js";
import { type KeyPlace, showKey } from "../../contract/security.js";
import {
  type Access,
  buildExampleRequest,
  findFirstRequest,
  renderRequest,
  renderSamples,
  type Sample,
  samplesOf,
} from "./examples.js";
import { copyButton, fold, type Html, heading, html, inline, prose, toAnchor } from "./html.js";
import {
  buildType,
  describeConstraints,
  descriptionOf,
  renderMember,
  renderMembers,
  renderNested,
  renderWhy,
} from "./schema-view.js";
import { renderSourceDocument } from "./source-document.js";

export interface ContractViewOptions extends Access {
  /** Operations without a handler, such as `GET /v1/notifications`. */
  mocked?: readonly string[];
  /** True for many operations: each with one example below it, which is not sent. */
  isList?: boolean;
}

export function renderContract(contract: Contract, options: ContractViewOptions): Html {
  const { operations, schemas, headers, decisions } = contract;
  const decided = Object.entries(decisions);
  return html`${operations.map((operation) => renderOperation(operation, options))}
    ${!options.isList && renderErrors(operations, options)}
    ${fold(
      "schemas",
      "Schemas",
      html`${[...schemas].map(renderNamedSchema)}
    ${headers.length > 0 && html`<details><summary id="headers">Headers of responses</summary><div class="members">${headers.map((header) => renderHeader(header, toAnchor("header", header.name)))}</div></details>`}`,
    )}
    ${
      decided.length > 0 &&
      html`${fold("decisions", "Decisions on what the document leaves open", html`<dl class="clauses">${decided.map(renderDecision)}</dl>`)}
    ${fold("source-document", "Source document", renderSourceDocument())}`
    }`;
}

function renderOperation(operation: Operation, { mocked = [], isList = false, ...access }: ContractViewOptions): Html {
  const { id, method, path, summary = id, parameters, body, responses, provenance, security } = operation;
  const verb = method.toUpperCase();
  const requiredFirst = parameters.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const [title = "", ...rest] = summary.split(/(?<=\.)\s+/);
  const description = [...rest, operation.description].filter(Boolean).join("\n\n");
  const request = renderRequest(operation, access, buildExampleRequest(operation, access, findFirstRequest(operation)));
  const samples = html`${request}${!isList && renderSamples(samplesOf(operation), access, { of: id })}`;
  const shared = headersOfAll(responses);
  const shownTypes = new Set<string>();
  const head = html`${heading(2, toAnchor("operation", id), title.replace(/\.$/, ""))}
    <p class="row endpoint"><span class="method ${method}">${verb}</span> <code>${path}</code>${!isList && copyButton("path")}${mocked.includes(`${verb} ${path}`) && html` <span class="tag warn">mocked</span> <span class="soft">no handler yet: it responds with samples of the contract</span>`}</p>
    <div class="description">${prose(description)}</div>${!isList && html`<p class="soft">${renderSecurity(security)} ${renderWhy(provenance)}</p>`}`;
  const parts = html`${
    (parameters.length > 0 || body) &&
    html`${heading(3, toAnchor(id, "parameters"), "Request")}
    <div class="members">${requiredFirst.filter(({ in: place }) => !isList || place !== "path").map((parameter) => renderParameter(id, parameter))}</div>`
  }
    ${body && renderContent(body.content, { isRequired: body.isRequired, why: renderWhy(body.provenance) })}
    ${heading(3, toAnchor(id, "responses"), "Responses")}
    <dl class="clauses">${responses.map((response) => renderResponse(response, { operation, shared, shownTypes, isList }))}</dl>
    ${shared.length > 0 && html`<p class="soft">Each has the headers ${listNames(shared)}.</p>`}`;
  const aside = html`<aside class="samples" aria-label="Examples of ${id}">${samples}</aside>`;
  if (isList) return html`<section>${head}${aside}${parts}</section>`;
  return html`<section class="columns"><div>${head}</div>${aside}<div>${parts}</div></section>`;
}

/** Where the key goes. Alternatives are joined by "or"; an empty one means that no key is needed. */
function renderSecurity(alternatives: Operation["security"]): Html {
  if (alternatives.length === 0) return html`Open: it needs no key.`;
  const texts = alternatives.map((places) => (places.length === 0 ? [html`no key`] : places.map(renderKeyPlace)));
  return html`Key: ${texts.map((parts, index) => html`${index > 0 && ", or "}${parts.map((part, place) => html`${place > 0 && " and "}${part}`)}`)}.`;
}

function renderKeyPlace(place: KeyPlace): Html {
  const { scheme, scopes = [], tokenUrl, word } = place;
  const key = word === undefined ? showKey(place) : `Authorization: ${word} <key>`;
  const shown = scopes.map((scope) => html` <code>${scope}</code>`);
  return html`<code>${key}</code> (${scheme}${tokenUrl && html`, tokens from <code>${tokenUrl}</code>`})${shown.length > 0 && html`, with the scope${shown.length > 1 && "s"}${shown}`}`;
}

/** Every media type with its own schema. @param isFull shows the members of a type that has a name, too. */
export function renderContent(
  content: readonly MediaType[],
  { isRequired = false, isFull = true, why }: { isRequired?: boolean; isFull?: boolean; why?: Html | undefined } = {},
): Html {
  const types = content.map(({ type, schema }, index) => {
    const constraints = schema === undefined ? "" : describeConstraints(schema);
    const shown = schema === undefined ? html`anything` : buildType(schema);
    return html`<p class="label">Body <code>${type}</code> <span class="soft">${shown}</span>${isRequired && html` <span class="required">required</span>`} ${index === 0 && why}</p>
${constraints !== "" && html`<p class="soft">${inline(constraints)}</p>`}${schema !== undefined && ((isFull && renderMembers(schema)) || renderNested(schema))}`;
  });
  return html`${types.length > 0 ? types : html`<p class="soft">No body. ${why}</p>`}`;
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

interface ResponseContext {
  operation: Operation;
  /** The headers that all responses have. */
  shared: readonly string[];
  /** The types of bodies above. */
  shownTypes: Set<string>;
  isList: boolean;
}

/** A success with the members of its body; of others that have the same type, the first one names it. */
function renderResponse(response: DeclaredResponse, context: ResponseContext): Html {
  const { key, description, headers, content, provenance } = response;
  const { operation, shared, shownTypes, isList } = context;
  const names = headers.map(({ name }) => name).filter((name) => !shared.includes(name));
  const inPlace = headers.filter((header) => !isComponent(header));
  const types = content.map(({ type, schema }) => `${type} ${schema && buildType(schema).text}`).join();
  const isRepeated = shownTypes.has(types);
  shownTypes.add(types);
  const isSuccess = response === successOf(operation);
  const isNamed = !isList && !isRepeated && content.length > 0;
  const body = (isSuccess || isNamed) && renderContent(content, { isFull: isSuccess && !isList });
  return html`<div id="${toAnchor(operation.id, "response", key)}"><dt><span class="status s${key[0]}" title="${STATUS_CODES[key]}">${key}</span></dt><dd><p>${inline(description)} ${renderWhy(provenance)}</p>
    ${names.length > 0 && html`<p class="soft">Headers: ${listNames(names)}</p>`}${inPlace.map((header) => renderHeader(header))}${body}</dd></div>`;
}

const isComponent = ({ pointer: [part, kind, component], name }: Header) =>
  part === "components" && kind === "headers" && component === name;

const listNames = (names: readonly string[]) =>
  names.map((name, index) => html`${index > 0 && ", "}<code>${name}</code>`);

/** The names of the headers that all responses have in common. */
function headersOfAll([first, ...further]: readonly DeclaredResponse[]): string[] {
  const names = first?.headers.filter(isComponent).map(({ name }) => name) ?? [];
  return names.filter((name) => further.every(({ headers }) => headers.some((header) => header.name === name)));
}

function renderHeader(header: Omit<Header, "pointer" | "mediaType" | "isExploded" | "example">, id?: string): Html {
  return renderMember({ ...header, id, note: "header" });
}

function renderNamedSchema([name, schema]: [string, Schema]): Html {
  const id = toAnchor("schema", name);
  const members = renderMembers(schema, id);
  const note = schema.flat.additionalProperties === false ? "No other members." : "Other members are possible.";
  const [first = "", ...rest] = (descriptionOf(schema) ?? "").split(/(?<=\.)\s+/);
  const content = members
    ? html`${members}<p class="soft">${note}</p>`
    : html`<p>${buildType(schema)}. ${inline(describeConstraints(schema))}</p>${renderNested(schema)}`;
  return html`<details><summary id="${id}"><span class="name">${name}</span><span class="note">${inline(first)}</span></summary>${prose(rest.join(" "))}
    ${content}</details>`;
}

function renderDecision([id, decision]: [string, Decision]): Html {
  return html`<div id="${toAnchor("decision", id)}"><dt>${id}</dt><dd><p><b>${inline(decision.question)}</b></p>${prose(decision.answer)}
    <p class="soft">${decisionFacts(decision)}</p></dd></div>`;
}

/** Clauses and basis of a decision, and when to revisit it. */
export function decisionFacts({ clause, basis, revisit }: Decision): string {
  return `${toList(clause).join(", ")}; basis: ${basis}${revisit ? `; revisit when ${revisit}` : ""}`;
}

/** Nothing if the contract has no example of an error and its request. */
function renderErrors(operations: readonly Operation[], access: Access): Html | undefined {
  const samples = findErrors(operations);
  const chosen = chooseRichest(samples);
  if (!chosen?.request) return undefined;
  const { operation, request, response, example } = chosen;
  const { schema } = mainMedia(response) ?? {};
  return html`<section class="columns"><div>${heading(2, "errors", "Errors")}
    <div class="description">${describe(example.value)}</div></div>
    <aside class="samples" aria-label="Examples of errors">
    ${renderRequest(operation, access, buildExampleRequest(operation, access, request), "Errors")}
    ${renderSamples(samples, access, { of: "an error", chosen })}</aside>
    <div>${schema && html`<p class="label"><span class="status s4">${response.key}</span> ${buildType(schema)}</p>${renderMembers(schema)}`}</div></section>`;
}

/** True if the page has something to say about errors. */
export function hasErrors(operations: readonly Operation[]): boolean {
  return findErrors(operations).length > 0;
}

/** The one with the most violations. */
function chooseRichest(samples: readonly Sample[]): Sample | undefined {
  const count = ({ example }: Sample) => placesOf(example.value).length;
  return samples.toSorted((one, other) => count(other) - count(one))[0];
}

function findErrors(operations: readonly Operation[]): Sample[] {
  const samples = operations.flatMap(samplesOf).filter(({ response, request }) => isError(response) && request);
  const sameOf = ({ response, example }: Sample) => `${response.key} ${example.name}`; // operations share most
  const distinct = groupBy(samples, sameOf).map(([first]) => first);
  return distinct.toSorted((one, other) => one.response.key.localeCompare(other.response.key));
}

const isError = ({ key }: DeclaredResponse) => /^[45]/.test(key);

/** The places of its violations. */
function placesOf(body: unknown): string[] {
  return isObject(body) && isObject(body.errors) ? Object.keys(body.errors) : [];
}

/** How to read the example beside it. */
function describe(body: unknown): Html {
  const { message, ctx } = isObject(body) ? body : {};
  const code = isObject(ctx) && typeof ctx.code === "string" ? ctx.code : undefined;
  const places = placesOf(body).map((place, index) => html`${index > 0 && ", "}<code>${place}</code>`);
  return html`${message !== undefined && html`<p><code>message</code> says what went wrong, and what to do about it.${code && html` Programs switch on <code>ctx.code</code>, here <code>${code}</code>.`}</p>`}
    ${places.length > 0 && html`<p><code>errors</code> lists every violation under its place in the request, here ${places}. Each says what is wrong, and which rule is behind it.</p>`}`;
}
