// The examples of responses beside the contract, each with the request that causes it.
import { groupBy, toList } from "../../contract/lists.js";
import type { DeclaredResponse, MediaType, Operation, Parameter } from "../../contract/model.js";
import type { ExampleRequest } from "../../contract/openapi-document.js";
import { mainMedia, successOf } from "../../contract/operation.js";
import { sampleOf } from "../../contract/sample/sample.js";
import { type Access, buildExampleRequest, outlineOf } from "../docs/examples.js";
import { type Html, html, responsePanel } from "../docs/html.js";

/** An example of a response, and the request that causes it. */
export interface Sample {
  operation: Operation;
  response: DeclaredResponse;
  example: ShownExample;
  request: ExampleRequest | undefined;
}

/** All examples of responses, in the contract's order. */
export function samplesOf(operation: Operation): Sample[] {
  return operation.responses.flatMap((response) =>
    examplesOf(operation, response).map((example) => {
      const request = findRequest(operation, response, example);
      return { operation, response, example, request };
    }),
  );
}

/**
 * A choice of samples by status, and the chosen one: script/samples.ts.
 * @param chosen the first one by default.
 */
export function renderSamples(
  samples: readonly Sample[],
  access: Access,
  { of, chosen }: { of: string; chosen?: Sample },
): Html | undefined {
  if (samples.length === 0) return undefined;
  const label = `Example response of ${of}`;
  const isMixed = samples.some(({ operation }) => operation !== samples[0]?.operation);
  const groups = groupBy(samples, ({ response }) => response.key).map((group) => {
    const options = group.map((sample) => renderOption(sample, access, { isChosen: sample === chosen, isMixed }));
    return html`<optgroup label="${group[0].response.key}">${options}</optgroup>`;
  });
  const select = html`<select data-examples aria-label="${label}">${groups}</select>`;
  return responsePanel(label, html`<span class="status"></span>${select}`);
}

/** @param isMixed true beside samples of other operations. */
function renderOption(
  { operation, example, request }: Sample,
  access: Access,
  { isChosen, isMixed }: { isChosen: boolean; isMixed: boolean },
): Html {
  const { name, value, object: { summary = name } = {} } = example;
  const outline = isMixed && html` data-operation="${JSON.stringify(outlineOf(operation))}"`;
  const data = request && html` data-request="${JSON.stringify(buildExampleRequest(operation, access, request))}"`;
  return html`<option value="${JSON.stringify(value)}" data-name="${name}"${data}${outline}${isChosen && " selected"}>${summary.replaceAll("`", "")}</option>`;
}

type ShownExample = Pick<MediaType["examples"][number], "name" | "value"> & Partial<MediaType["examples"][number]>;

/** The contract's examples; without one, a sample of a success. */
function examplesOf(operation: Operation, response: DeclaredResponse): readonly ShownExample[] {
  const { examples = [], isJson, schema } = mainMedia(response) ?? {};
  if (examples.length > 0 || !isJson || !schema || response !== successOf(operation)) return examples;
  const value = sampleOf(schema, "", { direction: "response" });
  const [name = ""] = response.description.split(/\.(?:\s|$)/);
  return value === undefined ? [] : [{ name, value }];
}

/** The first request that succeeds; undefined if none is valid any more, as in a proposal. */
export function findFirstRequest(operation: Operation): ExampleRequest | undefined {
  const success = successOf(operation);
  const requests = success ? examplesOf(operation, success).map(({ object }) => object?.["x-request"]) : [];
  return requests.find((request) => request && isValid(operation, request));
}

function isValid({ parameters, body: declared }: Operation, { query = {}, headers, body }: ExampleRequest): boolean {
  const sent: Record<string, unknown> = { ...query, ...headers };
  // an example may write a list of one as its item
  const allows = ({ name, schema }: Parameter) => schema.allows(sent[name]) || schema.allows(toList(sent[name]));
  const isFulfilled = (parameter: Parameter) =>
    parameter.in === "path" || (Object.hasOwn(sent, parameter.name) ? allows(parameter) : !parameter.isRequired);
  const isKnown = (name: string) => parameters.some((parameter) => parameter.in === "query" && parameter.name === name);
  const media = mainMedia(declared);
  const hasBody = media === undefined || (media.type === "application/json" && media.schema?.allows(body) === true);
  return hasBody && parameters.every(isFulfilled) && Object.keys(query).every(isKnown);
}

/**
 * Undefined for a shared example, whose request is another operation's. A preference stands for what a request alone
 * does not lead to, and for a body that is too long to read.
 */
function findRequest(
  operation: Operation,
  { status }: DeclaredResponse,
  { name, object = { value: undefined } }: ShownExample,
): ExampleRequest | undefined {
  const { "x-request": request, "x-given": setting } = object;
  if (!request || (request.operation ?? operation.id) !== operation.id || !findFirstRequest(operation))
    return undefined;
  if (status < 300 && !isValid(operation, request)) return undefined;
  if (!setting && request.bodyBytes === undefined) return request;
  const { bodyBytes: _bodyBytes, ...shown } = request;
  return { ...shown, headers: { ...shown.headers, prefer: `code=${status}, example=${name}` } };
}
