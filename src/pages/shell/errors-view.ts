// What errors have in common: the body of one that lists violations, beside its example, and what to do at each status.
import { isObject } from "../../contract/json.js";
import { groupBy } from "../../contract/lists.js";
import type { DeclaredResponse, Operation } from "../../contract/model.js";
import { mainMedia } from "../../contract/operation-responses.js";
import { type Html, heading, html, inline, toAnchor } from "./html.js";
import { type Access, buildExampleRequest, renderRequest } from "./request-snippets.js";
import { renderSamples, type Sample, samplesOf } from "./samples-view.js";
import { buildType, renderNested } from "./schema-view.js";

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
    <div>${schema && html`<div class="request-body"><p class="label"><span class="status s4">${response.key}</span> ${buildType(schema)}</p></div><div data-open>${renderNested(schema)}</div>`}
    ${renderStatuses(operations, response.key)}</div></section>`;
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

/**
 * By what to do: the contract says it with `Retry-After`, or with the class of the status.
 * @param explained the status that the page explains above.
 */
function renderStatuses(operations: readonly Operation[], explained: string): Html {
  const declared = operations.flatMap((operation) =>
    operation.responses.filter(isError).map((response) => ({ operation, response })),
  );
  const remedyOf = ({ response: { key, headers } }: (typeof declared)[number]) => {
    if (headers.some(({ name }) => name.toLowerCase() === "retry-after")) return RETRY;
    return key.startsWith("4") ? CORRECT : REPORT;
  };
  const parts = [CORRECT, RETRY, REPORT].map((remedy) => {
    const rows = declared.filter((one) => remedyOf(one) === remedy);
    const byStatus = groupBy(rows, ({ response }) => response.key);
    const sorted = byStatus.toSorted(([one], [other]) => one.response.key.localeCompare(other.response.key));
    return (
      rows.length > 0 &&
      html`<h4>${inline(remedy)}</h4><dl class="clauses">${sorted.map((declared) => renderStatus(declared, explained))}</dl>`
    );
  });
  return html`${heading(3, "errors-statuses", "Errors by status")}${parts}`;
}

const CORRECT = "Correct the request";
const RETRY = "Send it again after `Retry-After` seconds";
const REPORT = "Report it";

/** Where operations differ in what a status means, each has a line. */
function renderStatus(
  declared: readonly { operation: Operation; response: DeclaredResponse }[],
  explained: string,
): Html {
  const meanings = groupBy(declared, ({ response }) => response.description);
  const lines = meanings.map((same) => {
    const [{ operation, response }] = same;
    const href = `#${toAnchor(operation.id, "response", response.key)}`;
    const link = meanings.length > 1 && html` <a class="small" href="${href}">${operation.id}</a>`;
    return html`<p>${inline(response.description)}${link}</p>`;
  });
  const [{ response, operation } = {}] = declared;
  if (!response || !operation) return html``;
  const { key } = response;
  const todo =
    key === explained && html`<p><a href="#errors">Correct each place that <code>errors</code> lists</a></p>`;
  return html`<div><dt><a class="status s${key[0]}" href="#${toAnchor(operation.id, "response", key)}">${key}</a></dt><dd>${lines}${todo}</dd></div>`;
}
