// The contract as a page for people: what can be asked, what is answered, and what each place rests on.
import type { Contract } from "../contract/contract.js";
import { namedExamples } from "../contract/examples.js";
import {
  type ExampleObject,
  type HeaderObject,
  type OpenApiDocument,
  type ParameterObject,
  type ResponseObject,
  resolve,
  type SchemaObject,
} from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { type Html, heading, html, inline, prose, toAnchor } from "./html.js";
import { renderBasis, renderDescription, renderSchema, toRules, toType } from "./schema-view.js";

export interface ViewOptions {
  /** Of the operations' headings. */
  level: number;
  /** What stands in each operation after its description, such as a form. */
  inOperation?: (operation: Operation) => Html;
  /** Whether the page has the decisions elsewhere. */
  hasDecisions?: boolean;
}

export function renderContract({ document, operations }: Contract, options: ViewOptions): Html {
  const { level, hasDecisions } = options;
  return html`${operations.map((operation) => renderOperation(document, operation, options))}
    ${heading(level, "schemas", "Parts of requests and answers")}
    ${Object.entries(document.components.schemas).map(([name, schema]) => renderNamedSchema(document, level + 1, name, schema))}
    ${hasDecisions ? "" : renderDecisions(document, level)}`;
}

function renderOperation(document: OpenApiDocument, operation: Operation, { level, inOperation }: ViewOptions): Html {
  const { id, method, path, parameters, object } = operation;
  const { summary = id, requestBody } = object as typeof object & { summary?: string };
  const body = requestBody?.content["application/json"];
  return html`${heading(level, toAnchor("operation", id), summary)}
    <p><code>${method.toUpperCase()} ${path}</code> ${renderBasis(object)}</p>
    ${renderDescription(object)}
    ${inOperation?.(operation)}
    ${heading(level + 1, toAnchor(id, "parameters"), "What you can ask")}
    ${renderParameters(parameters)}
    ${
      body &&
      html`<p>The body is JSON: ${toType(body.schema)}. ${renderBasis(requestBody)}</p>
        ${renderDescription(requestBody)}
        ${namedExamples(document, requestBody).map(([name, example]) => renderExample(name, example))}`
    }
    ${heading(level + 1, toAnchor(id, "answers"), "What is answered")}
    ${Object.entries(object.responses).map(([status, place]) =>
      renderResponse(document, status, resolve<ResponseObject>(document, place)),
    )}`;
}

function renderParameters(parameters: readonly ParameterObject[]): Html {
  return html`<div class="scroll" role="group" tabindex="0" aria-label="Parameters"><table>
    <thead><tr><th scope="col">Name</th><th scope="col">Where</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${parameters.map(
      (parameter) => html`<tr>
        <th scope="row"><code>${parameter.name}</code>${parameter.required ? html`<br><span class="soft">required</span>` : ""}</th>
        <td>${parameter.in}</td>
        <td>${toType(parameter.schema)}<br><span class="soft">${toRules(parameter.schema)}</span></td>
        <td>${renderDescription(parameter)} ${renderBasis(parameter)}</td></tr>`,
    )}</tbody></table></div>`;
}

function renderResponse(document: OpenApiDocument, status: string, response: ResponseObject): Html {
  const media = response.content?.["application/json"];
  const headers = Object.entries(response.headers ?? {}).map(
    ([name, place]) => [name, resolve<HeaderObject>(document, place)] as const,
  );
  return html`<details><summary>${status} <span class="soft">${inline(response.description)}</span></summary>
    <p>${renderBasis(response)}</p>
    ${media && html`<p>The body is JSON: ${toType(media.schema)}.</p>`}
    <div class="scroll" role="group" tabindex="0" aria-label="Headers of ${status}"><table><caption>Headers</caption><tbody>${headers.map(
      ([
        name,
        header,
      ]) => html`<tr><th scope="row"><code>${name}</code>${header.required && html`<br><span class="soft">always there</span>`}</th>
        <td>${renderDescription(header)} ${renderBasis(header)}</td></tr>`,
    )}</tbody></table></div>
    ${namedExamples(document, response).map(([name, example]) => renderExample(name, example))}
  </details>`;
}

function renderExample(name: string, { summary, value }: ExampleObject): Html {
  return html`<details><summary>Example: ${summary ?? name}</summary>
    <pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre></details>`;
}

function renderNamedSchema(document: OpenApiDocument, level: number, name: string, schema: SchemaObject): Html {
  return html`${heading(level, toAnchor("schema", name), name)}${renderDescription(schema)}${renderSchema(document, schema)}`;
}

function renderDecisions(document: OpenApiDocument, level: number): Html {
  return html`${heading(level, "decisions", "Decisions: what the source document leaves open")}
    ${Object.entries(document["x-decisions"]).map(
      ([id, decision]) => html`${heading(level + 1, toAnchor("decision", id), html`${id} ${inline(decision.question)}`)}
        ${prose(decision.answer)}
        <p class="soft">${[decision.clause].flat().join(", ")}; basis: ${decision.basis}; ${decision.date};
          revisit: ${decision.revisit}</p>`,
    )}`;
}
