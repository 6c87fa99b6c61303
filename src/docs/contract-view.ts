// The contract for people: requests, responses and schemas, each with its clauses and decisions, and with examples beside it.
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
import { mainContent, type Operation } from "../contract/operations.js";
import { type Html, heading, html, inline, prose, toAnchor } from "./html.js";
import { renderBasis, renderDescription, renderMember, renderSchema, renderTree, toType } from "./schema-view.js";
import { renderSourceDocument, toClauseLink } from "./source-document.js";

export interface ViewOptions {
  /** The level of the operations' headings. */
  level: number;
  /** What follows an operation's responses, such as a form. */
  afterOperation?: (operation: Operation) => Html;
  /** What comes first beside an operation, such as its request as code. */
  besideOperation?: (operation: Operation) => Html;
  /** Operations without a handler, as in `GET /v1/notifications`: they respond with samples of the contract. */
  mocked?: readonly string[];
  /** Whether the page shows the decisions elsewhere. */
  hasDecisions?: boolean;
}

export function renderContract({ document, operations }: Contract, options: ViewOptions): Html {
  const { level, hasDecisions } = options;
  return html`${operations.map((operation) => renderOperation(document, operation, options))}
    <section>${heading(level, "schemas", "Schemas")}
    ${Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => renderNamedSchema(document, level + 1, name, schema))}</section>
    ${hasDecisions ? "" : renderDecisions(document, level)}
    ${renderSourceDocument(level)}`;
}

function renderOperation(document: OpenApiDocument, operation: Operation, options: ViewOptions): Html {
  const { level, afterOperation, besideOperation, mocked = [] } = options;
  const { id, method, path, parameters, object } = operation;
  const { summary = id, requestBody } = object as typeof object & { summary?: string };
  const body = mainContent(requestBody?.content)?.[1];
  const required = parameters.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false));
  return html`<section class="operation">${heading(level, toAnchor("operation", id), summary)}
    <p class="path"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>${mocked.includes(`${method.toUpperCase()} ${path}`) && html` <span class="tag warn">mocked</span> <span class="soft">no handler yet: it responds with samples of the contract</span>`}</p>
    <div class="columns"><div class="prose">
    ${renderDescription(object)}${renderBasis(object)}
    ${heading(level + 1, toAnchor(id, "parameters"), "Request")}
    <div class="members">${required.map((parameter) => renderParameter(id, parameter))}</div>
    ${
      requestBody &&
      body &&
      html`<p class="label">Body <span class="soft">JSON</span></p>
        ${renderDescription(requestBody)}${renderBasis(requestBody)}${renderTree(document, body.schema)}`
    }
    ${heading(level + 1, toAnchor(id, "responses"), "Responses")}
    ${Object.entries(object.responses).map(([status, place]) =>
      renderResponse(document, toAnchor(id, "response", status), status, resolve<ResponseObject>(document, place)),
    )}
    ${afterOperation?.(operation)}</div>
    <aside class="samples" aria-label="Examples of ${id}">${besideOperation?.(operation)}
    ${!besideOperation && body && requestBody && renderSamples(`Example body of ${id}`, [["", namedExamples(document, requestBody)]])}
    ${renderSamples(`Example response of ${id}`, toResponseExamples(document, operation))}</aside></div></section>`;
}

function renderParameter(operationId: string, parameter: ParameterObject): Html {
  const { name, in: place, required = false, schema } = parameter;
  return renderMember({
    id: toAnchor(operationId, place, name),
    name,
    isRequired: required,
    note: place,
    schema,
    description: renderDescription(parameter),
    basis: parameter,
  });
}

type Samples = readonly (readonly [status: string, examples: [name: string, example: ExampleObject][]])[];

function toResponseExamples(document: OpenApiDocument, { object }: Operation): Samples {
  return Object.entries(object.responses).map(([status, place]) => [
    status,
    namedExamples(document, resolve<ResponseObject>(document, place)),
  ]);
}

/** All examples, of which a script shows the one that is picked. */
function renderSamples(label: string, samples: Samples): Html | undefined {
  const all = samples.flatMap(([status, examples]) => examples.map((example) => [status, ...example] as const));
  if (all.length === 0) return undefined;
  const options = samples.map(([status, examples]) => {
    const list = examples.map(([name, { summary = name }]) => html`<option>${status} ${summary}</option>`);
    return status === "" ? list : html`<optgroup label="${status}">${list}</optgroup>`;
  });
  return html`<div class="panel" data-samples><div class="panel-bar"><select aria-label="${label}">${options}</select>
    <button type="button" class="quiet" data-copy hidden>Copy</button></div>
    ${all.map(([, , { value }], index) => html`<pre tabindex="0" role="group" aria-label="${label}"${index > 0 && html` hidden`}><code data-json>${JSON.stringify(value, null, 2)}</code></pre>`)}</div>`;
}

function renderResponse(document: OpenApiDocument, id: string, status: string, response: ResponseObject): Html {
  const media = mainContent(response.content)?.[1];
  const headers = Object.entries(response.headers ?? {}).map(([name, place]) => {
    const header = resolve<HeaderObject>(document, place);
    const { required: isRequired = false, schema } = header;
    return renderMember({
      name,
      isRequired,
      note: "header",
      schema,
      description: renderDescription(header),
      basis: header,
    });
  });
  return html`<details class="response"><summary id="${id}"><span class="status s${status[0]}">${status}</span> <span>${inline(response.description)}</span></summary>
    ${renderBasis(response)}
    ${media && html`<p>The body is JSON: ${toType(media.schema)}.</p>${renderTree(document, media.schema)}`}
    ${headers.length > 0 && html`<details class="plain"><summary>Headers</summary><div class="members">${headers}</div></details>`}
  </details>`;
}

function renderNamedSchema(document: OpenApiDocument, level: number, name: string, schema: SchemaObject): Html {
  return html`<details><summary>${heading(level, toAnchor("schema", name), name)}</summary>
    ${renderDescription(schema)}${renderSchema(document, name, schema)}</details>`;
}

function renderDecisions(document: OpenApiDocument, level: number): Html {
  return html`<section>${heading(level, "decisions", "Decisions on what the document leaves open")}
    ${Object.entries(document["x-decisions"] ?? {}).map(
      ([id, decision]) => html`<details>
        <summary>${heading(level + 1, toAnchor("decision", id), html`${id} ${inline(decision.question)}`)}</summary>
        <div data-answer>${prose(decision.answer)}</div>
        <p class="soft">${[decision.clause].flat().map((clause) => html`${toClauseLink(clause)} `)}basis: ${decision.basis}; ${decision.date}; revisit: ${decision.revisit}</p></details>`,
    )}</section>`;
}

/** Clauses, basis, date and the event at which to revisit a decision. */
export function decisionFacts({ clause, basis, date, revisit }: Decision): string {
  return `${[clause].flat().join(", ")}; basis: ${basis}; ${date}; revisit: ${revisit}`;
}
