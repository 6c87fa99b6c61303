// What errors have in common: the body of one that lists violations, beside its example.
import { isObject } from "../../contract/json.js";
import { groupBy } from "../../contract/lists.js";
import type { DeclaredResponse, Operation } from "../../contract/model.js";
import { mainMedia } from "../../contract/operation.js";
import { type Access, buildExampleRequest, renderRequest } from "../docs/examples.js";
import { type Html, heading, html } from "../docs/html.js";
import { buildType, renderMembers } from "../docs/schema-view.js";
import { renderSamples, type Sample, samplesOf } from "./samples-view.js";

/** Nothing if the contract has no example of an error and its request. */
export function renderErrors(operations: readonly Operation[], access: Access): Html | undefined {
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
