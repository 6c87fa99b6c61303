// "Try it out": a form for each operation. Its script, docs-page/try-it.ts, keeps the request beside it as code.
import { namedExamples } from "../../contract/examples.js";
import {
  type OpenApiDocument,
  type ParameterObject,
  resolve,
  type SchemaObject,
} from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";
import { type Html, html, toAnchor } from "./html.js";
import { toConstraints } from "./schema-view.js";

export function renderTryIt(document: OpenApiDocument, { id, method, path, parameters, object }: Operation): Html {
  const { requestBody } = object;
  const examples = namedExamples(document, requestBody);
  const required = parameters.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false));
  return html`<details class="try" open><summary id="${toAnchor(id, "try")}">Try it out</summary>
    <form data-operation="${id}" data-method="${method.toUpperCase()}" data-path="${path}" aria-label="Try ${id}">
      <div class="fields">${required.map((parameter) => renderField(document, toAnchor("try", id, parameter.in, parameter.name), parameter))}</div>
      ${
        requestBody &&
        html`<div><label for="${toAnchor("try", id, "example")}">Start from an example</label>
          <select id="${toAnchor("try", id, "example")}" data-examples>${examples.map(
            ([, { summary = "", value }]) =>
              html`<option value="${JSON.stringify(value, null, 2)}">${summary}</option>`,
          )}</select></div>
        <div><label for="${toAnchor("try", id, "body")}">Body</label>
          <textarea id="${toAnchor("try", id, "body")}" rows="5" data-body spellcheck="false">${JSON.stringify(examples[0]?.[1].value ?? {}, null, 2)}</textarea></div>`
      }
      <div class="send"><button type="submit">Send</button><span role="status" aria-live="polite" data-status></span></div>
      <div data-response></div>
    </form></details>`;
}

function renderField(document: OpenApiDocument, id: string, parameter: ParameterObject): Html {
  const { name, in: place, required, schema, example } = parameter;
  const attributes = html`id="${id}" data-in="${place}" data-name="${name}" aria-describedby="${id}-hint"`;
  const label = html`${name} <span class="soft">${place}</span>`;
  const values = schema.items && resolve<SchemaObject>(document, schema.items).enum;
  if (Array.isArray(values)) {
    const chips = values.map(
      (value) =>
        html`<label class="chip"><input type="checkbox" data-in="${place}" data-name="${name}" value="${String(value)}"> ${String(value)}</label>`,
    );
    return html`<fieldset class="wide"><legend>${label}</legend>${chips}</fieldset>`;
  }
  const isList = schema.type === "array";
  const hint = [isList ? "one value a line" : "", toConstraints(schema)].filter((text) => text !== "").join("; ");
  const placeholder = example === undefined ? "" : [example].flat().join("\n");
  const field = isList
    ? html`<textarea ${attributes} rows="1" placeholder="${placeholder}" spellcheck="false"></textarea>`
    : html`<input ${attributes} value="${required ? placeholder : ""}" placeholder="${placeholder}" autocomplete="off" spellcheck="false">`;
  return html`<div><label for="${id}">${label}</label>${field}<div class="soft smaller" id="${id}-hint">${hint}</div></div>`;
}
