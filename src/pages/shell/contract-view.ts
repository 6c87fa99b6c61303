// The contract as HTML: requests, responses and schemas, each with its clauses and decisions, and with examples beside it.
import type { Contract } from "../../contract/contract.js";
import { namedExamples } from "../../contract/examples.js";
import {
  type Decision,
  type HeaderObject,
  type OpenApiDocument,
  type ParameterObject,
  type Reference,
  type ResponseObject,
  resolve,
  type SchemaObject,
} from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";
import { type Html, heading, html, inline, prose, toAnchor } from "./html.js";
import { type Access, renderRequest } from "./request-snippets.js";
import {
  renderBasis,
  renderDescription,
  renderMember,
  renderMembers,
  renderNested,
  toConstraints,
  toType,
} from "./schema-view.js";
import { renderSecurity } from "./security-view.js";
import { renderSourceDocument, toClauseLink } from "./source-document.js";

/** @param options.mocked operations without a handler, such as `GET /v1/notifications`. */
export function renderContract(
  { document, operations }: Contract,
  { mocked, ...access }: Access & { mocked: readonly string[] },
): Html {
  const headers = Object.entries(document.components.headers ?? {});
  const decisions = Object.entries(document["x-decisions"] ?? {});
  return html`${operations.map((operation) => renderOperation(document, operation, mocked, access))}
    <section>${heading(2, "schemas", "Schemas")}
    ${foldedList("Find a schema", html`${Object.entries(document.components.schemas ?? {}).map(([name, schema]) => renderNamedSchema(document, name, schema))}`)}
    ${headers.length > 0 && html`<details><summary id="headers">Headers of responses</summary>${headers.map(([name, header]) => renderHeader(document, name, header, toAnchor("header", name)))}</details>`}</section>
    ${
      decisions.length > 0 &&
      html`<section>${heading(2, "decisions", "Decisions on what the document leaves open")}
    ${foldedList("Find a decision", html`${decisions.map(renderDecision)}`)}</section>
    ${renderSourceDocument(2)}`
    }`;
}

function renderOperation(
  document: OpenApiDocument,
  operation: Operation,
  mocked: readonly string[],
  access: Access,
): Html {
  const { id, method, path, parameters, object } = operation;
  const { summary = id, requestBody } = object as typeof object & { summary?: string };
  const verb = method.toUpperCase();
  const requiredFirst = parameters.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false));
  return html`<section>${heading(2, toAnchor("operation", id), summary)}
    <p><span class="method ${method}">${verb}</span> <code>${path}</code>${mocked.includes(`${verb} ${path}`) && html` <span class="tag warn">mocked</span> <span class="soft">no handler yet: it responds with samples of the contract</span>`}</p>
    <div class="columns"><div>
    <div class="description">${renderDescription(object)}</div>${renderBasis(object)}${renderSecurity(document, operation)}
    ${heading(3, toAnchor(id, "parameters"), "Request")}
    <div class="members">${requiredFirst.map((parameter) => renderParameter(id, parameter))}</div>
    ${requestBody && html`${renderDescription(requestBody)}${renderBasis(requestBody)}${renderContent(document, "Body", requestBody.content, requestBody.required)}`}
    ${heading(3, toAnchor(id, "responses"), "Responses")}
    ${Object.entries(object.responses).map(([status, place]) =>
      renderResponse(document, toAnchor(id, "response", status), status, resolve<ResponseObject>(document, place)),
    )}</div>
    <aside class="samples" aria-label="Examples of ${id}">
    ${renderRequest(document, operation, access)}
    ${renderSamples(document, operation)}</aside></div></section>`;
}

/** Every media type with its own schema. */
function renderContent(
  document: OpenApiDocument,
  label: string,
  content: ResponseObject["content"] = {},
  isRequired = false,
): Html {
  const types = Object.entries(content).map(([type, { schema }]) => {
    const constraints = schema === undefined ? "" : toConstraints(resolve<SchemaObject>(document, schema));
    const shown = schema === undefined ? html`anything` : toType(schema);
    return html`<p class="label">${label} <code>${type}</code> <span class="soft">${shown}</span>${isRequired && html` <span class="required">required</span>`}</p>
${constraints !== "" && html`<p class="soft">${constraints}</p>`}${schema !== undefined && renderNested(document, schema)}`;
  });
  return html`${types}`;
}

/** Folded parts with a field that filters them: script/filter.ts. */
function foldedList(label: string, parts: Html): Html {
  return html`<div data-filtered><div class="filter"><label>${label} <input type="search" autocomplete="off"></label>
<button type="button" class="quiet small" data-expand aria-expanded="false">Expand all</button><p role="status" class="soft small"></p></div>${parts}</div>`;
}

function renderParameter(operationId: string, parameter: ParameterObject): Html {
  const { name, required: isRequired = false, schema } = parameter;
  const note = [parameter.in, toStyle(parameter)].filter(Boolean).join(", ");
  return renderMember({
    id: toAnchor(operationId, parameter.in, name),
    name,
    isRequired,
    note,
    schema,
    place: parameter,
  });
}

/** How a list or an object is written, where it is not simply repeated. */
function toStyle({ style, explode, schema }: ParameterObject): string {
  const [type] = [schema?.type ?? []].flat();
  if (style === "deepObject") return "as name[member]=value";
  if (style === "pipeDelimited") return "separated by |";
  if (style === "spaceDelimited") return "separated by spaces";
  return explode === false && (type === "array" || type === "object") ? "separated by commas" : "";
}

/** All examples of responses. script/page.ts shows the selected one. */
function renderSamples(document: OpenApiDocument, { id, object }: Operation): Html | undefined {
  const label = `Example response of ${id}`;
  const groups = Object.entries(object.responses).flatMap(([status, place]) => {
    const options = namedExamples(document, resolve<ResponseObject>(document, place)).map(
      ([name, { summary = name, value }]) =>
        html`<option value="${JSON.stringify(value)}">${status} ${summary}</option>`,
    );
    return options.length === 0 ? [] : [html`<optgroup label="${status}">${options}</optgroup>`];
  });
  if (groups.length === 0) return undefined;
  return html`<div class="panel" data-samples><div class="panel-bar"><select aria-label="${label}">${groups}</select>
    <button type="button" class="quiet" data-copy>Copy</button></div>
    <pre tabindex="0" role="group" aria-label="${label}"><code></code></pre></div>`;
}

function renderResponse(document: OpenApiDocument, id: string, status: string, response: ResponseObject): Html {
  const headers = Object.entries(response.headers ?? {});
  const isShared = ([name, place]: (typeof headers)[number]) =>
    resolve(document, place) === document.components.headers?.[name];
  const shared = headers.filter(isShared).map(([name]) => html`<a href="#${toAnchor("header", name)}">${name}</a> `);
  const own = headers.filter((header) => !isShared(header)).map(([name, place]) => renderHeader(document, name, place));
  return html`<details><summary id="${id}"><span class="status s${status[0]}">${status}</span> <span>${inline(response.description)}</span></summary>
    ${renderBasis(response)}${renderContent(document, "Body", response.content)}
    ${shared.length > 0 && html`<p class="soft">Headers: ${shared}</p>`}${own}</details>`;
}

function renderHeader(document: OpenApiDocument, name: string, place: HeaderObject | Reference, id?: string): Html {
  const header = resolve<HeaderObject>(document, place);
  const { required: isRequired = false, schema } = header;
  return renderMember({ id, name, isRequired, note: "header", schema, place: header });
}

function renderNamedSchema(document: OpenApiDocument, name: string, schema: SchemaObject): Html {
  const id = toAnchor("schema", name);
  const resolved = resolve<SchemaObject>(document, schema);
  const members = renderMembers(document, resolved, id);
  const others = resolved.additionalProperties === false ? "No other members." : "Other members are possible.";
  return html`<details data-facet=""><summary id="${id}">${name}</summary>${renderDescription(schema)}
    ${members ? html`<p class="soft">${others}</p>${members}` : html`<p>${toType(schema)}. ${toConstraints(schema)}</p>`}</details>`;
}

function renderDecision([id, { question, answer, clause, basis, date, revisit }]: [string, Decision]): Html {
  const clauses = [clause].flat().map((id) => html`${toClauseLink(id)} `);
  return html`<details data-facet=""><summary id="${toAnchor("decision", id)}"><span>${id} ${inline(question)}</span></summary>${prose(answer)}
    <p class="soft">${clauses}basis: ${basis}; ${date}; revisit: ${revisit}</p></details>`;
}

/** Clauses, basis, date and the event at which to revisit a decision. */
export function decisionFacts({ clause, basis, date, revisit }: Decision): string {
  return `${[clause].flat().join(", ")}; basis: ${basis}; ${date}; revisit: ${revisit}`;
}
