// "Try it out": a form for each operation. Its script is docs-page/try-it.ts.
import { namedExamples } from "../contract/examples.js";
import type { OpenApiDocument } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { type Html, html, toAnchor } from "./html.js";
import { toConstraints } from "./schema-view.js";

export function renderTryIt(document: OpenApiDocument, { id, method, path, parameters, object }: Operation): Html {
  const { requestBody } = object;
  const examples = namedExamples(document, requestBody);
  return html`<details class="try"><summary id="${toAnchor(id, "try")}">Try it out</summary>
    <form data-method="${method.toUpperCase()}" data-path="${path}" aria-label="Try ${id}">
      ${parameters.map((parameter) => {
        const name = toAnchor("try", id, parameter.in, parameter.name);
        const isList = parameter.schema.type === "array";
        const { example } = parameter as { example?: unknown };
        const value = parameter.required ? String(example ?? "") : "";
        const exampleHint = example === undefined ? "" : `for example ${[example].flat().join(", ")}`;
        const hint = [isList ? "one value per line" : "", toConstraints(parameter.schema), exampleHint]
          .filter((text) => text !== "")
          .join("; ");
        return html`<div><label for="${name}">${parameter.name} <span class="soft">${parameter.in}</span></label>
          ${
            isList
              ? html`<textarea id="${name}" rows="2" data-in="${parameter.in}" data-name="${parameter.name}" aria-describedby="${name}-hint"></textarea>`
              : html`<input id="${name}" value="${value}" data-in="${parameter.in}" data-name="${parameter.name}" aria-describedby="${name}-hint" autocomplete="off">`
          }
          <div class="soft" id="${name}-hint">${hint}</div></div>`;
      })}
      ${
        requestBody &&
        html`<div><label for="${toAnchor("try", id, "example")}">Start from an example</label>
          <select id="${toAnchor("try", id, "example")}" data-examples>${examples.map(
            ([, { summary = "", value }]) =>
              html`<option value="${JSON.stringify(value, null, 2)}">${summary}</option>`,
          )}</select></div>
        <div><label for="${toAnchor("try", id, "body")}">Body</label>
          <textarea id="${toAnchor("try", id, "body")}" rows="6" data-body spellcheck="false">${JSON.stringify(examples[0]?.[1].value ?? {}, null, 2)}</textarea></div>`
      }
      <button type="submit">Send</button>
      <div role="status" aria-live="polite" class="mono" data-status></div>
      <pre hidden tabindex="0" aria-label="The request as curl"><code data-curl></code></pre>
      <pre hidden tabindex="0" aria-label="The response"><code data-response></code></pre>
    </form></details>`;
}
