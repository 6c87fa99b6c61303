// The contract for people: requests, responses and schemas, each with its clauses and decisions.
import type { Contract } from "../contract/contract.js";
import { namedExamples } from "../contract/examples.js";
import {
  type Decision,
  type ExampleObject,
  type HeaderObject,
  type OpenApiDocument,
  type ParameterObject,
  type ResponseObject,
  resolve,
  type SchemaObject,
} from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { type Html, heading, html, inline, prose, table, toAnchor } from "./html.js";
import { renderBasis, renderDescription, renderSchema, toConstraints, toType } from "./schema-view.js";

export interface ViewOptions {
  /** The level of the operations' headings. */
  level: number;
  /** What follows an operation's responses, such as a form. */
  afterOperation?: (operation: Operation) => Html;
  /** Whether the page shows the decisions elsewhere. */
  hasDecisions?: boolean;
}

export function renderContract({ document, operations }: Contract, options: ViewOptions): Html {
  const { level, hasDecisions } = options;
  return html`${operations.map((operation) => renderOperation(document, operation, options))}
    ${heading(level, "schemas", "Schemas")}
    ${Object.entries(document.components.schemas).map(([name, schema]) => renderNamedSchema(document, level + 1, name, schema))}
    ${hasDecisions ? "" : renderDecisions(document, level)}`;
}

function renderOperation(
  document: OpenApiDocument,
  operation: Operation,
  { level, afterOperation }: ViewOptions,
): Html {
  const { id, method, path, parameters, object } = operation;
  const { summary = id, requestBody } = object as typeof object & { summary?: string };
  const body = requestBody?.content["application/json"];
  return html`${heading(level, toAnchor("operation", id), summary)}
    <p><code>${method.toUpperCase()} ${path}</code> ${renderBasis(object)}</p>
    ${renderDescription(object)}
    ${heading(level + 1, toAnchor(id, "parameters"), "Request")}
    ${renderParameters(id, parameters)}
    ${
      body &&
      html`<p>The body is JSON: ${toType(body.schema)}. ${renderBasis(requestBody)}</p>
        ${renderDescription(requestBody)}
        ${namedExamples(document, requestBody).map(([name, example]) => renderExample(name, example))}`
    }
    ${heading(level + 1, toAnchor(id, "responses"), "Responses")}
    ${Object.entries(object.responses).map(([status, place]) =>
      renderResponse(document, toAnchor(id, "response", status), status, resolve<ResponseObject>(document, place)),
    )}
    ${afterOperation?.(operation)}`;
}

function renderParameters(operationId: string, parameters: readonly ParameterObject[]): Html {
  return table(
    { label: "Parameters", columns: ["Name", "In", "Type", "Description"] },
    parameters.map(
      (parameter) => html`<tr id="${toAnchor(operationId, parameter.in, parameter.name)}">
        <th scope="row"><code>${parameter.name}</code>${parameter.required && html`<br><span class="soft">required</span>`}</th>
        <td>${parameter.in}</td>
        <td>${toType(parameter.schema)}<br><span class="soft">${toConstraints(parameter.schema)}</span></td>
        <td>${renderDescription(parameter)} ${renderBasis(parameter)}</td></tr>`,
    ),
  );
}

function renderResponse(document: OpenApiDocument, id: string, status: string, response: ResponseObject): Html {
  const media = response.content?.["application/json"];
  const headers = Object.entries(response.headers ?? {}).map(([name, place]) => {
    const header = resolve<HeaderObject>(document, place);
    return html`<tr><th scope="row"><code>${name}</code>${header.required && html`<br><span class="soft">always present</span>`}</th>
      <td>${renderDescription(header)} ${renderBasis(header)}</td></tr>`;
  });
  return html`<details><summary id="${id}">${status} <span class="soft">${inline(response.description)}</span></summary>
    <p>${renderBasis(response)}</p>
    ${media && html`<p>The body is JSON: ${toType(media.schema)}.</p>`}
    ${table({ label: `Headers of ${status}`, caption: "Headers" }, headers)}
    ${namedExamples(document, response).map(([name, example]) => renderExample(name, example))}
  </details>`;
}

function renderExample(name: string, { summary, value }: ExampleObject): Html {
  return html`<details><summary>Example: ${summary ?? name}</summary>
    <pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre></details>`;
}

function renderNamedSchema(document: OpenApiDocument, level: number, name: string, schema: SchemaObject): Html {
  return html`<details><summary>${heading(level, toAnchor("schema", name), name)}</summary>
    ${renderDescription(schema)}${renderSchema(document, name, schema)}</details>`;
}

function renderDecisions(document: OpenApiDocument, level: number): Html {
  return html`${heading(level, "decisions", "Decisions on what the document leaves open")}
    ${Object.entries(document["x-decisions"]).map(
      ([id, decision]) => html`<details>
        <summary>${heading(level + 1, toAnchor("decision", id), html`${id} ${inline(decision.question)}`)}</summary>
        ${prose(decision.answer)}
        <p class="soft">${decisionFacts(decision)}</p></details>`,
    )}`;
}

/** Clauses, basis, date and the event at which to revisit a decision. */
export function decisionFacts({ clause, basis, date, revisit }: Decision): string {
  return `${[clause].flat().join(", ")}; basis: ${basis}; ${date}; revisit: ${revisit}`;
}
