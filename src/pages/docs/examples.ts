// The examples of an operation: its request as code, and its responses, each with the request that causes it.
import type { Client } from "../../browser/client/client.js";
import type { Control } from "../../browser/client/control.js";
import { lookUp } from "../../contract/json.js";
import { groupBy, toList } from "../../contract/lists.js";
import type { DeclaredResponse, MediaType, Operation, Parameter } from "../../contract/model.js";
import type { ExampleRequest } from "../../contract/openapi-document.js";
import { mainMedia, successOf } from "../../contract/operation.js";
import {
  buildRequestSpec,
  type FieldOutline,
  formatCodes,
  formatCurl,
  KEY_VARIABLE,
  type OperationOutline,
  type RequestSpec,
  type RequestTemplate,
  withKeyAt,
} from "../../contract/request.js";
import { sampleOfParameter, sampleRequestOf } from "../../contract/sample/message.js";
import { sampleOf } from "../../contract/sample/sample.js";
import { codePanel, copyButton, type Html, html, responsePanel, tabs, toAnchor } from "./html.js";
import { describeConstraints } from "./schema-view.js";

export interface Access {
  /** As in `http://127.0.0.1:4010`. */
  address: string;
  apiKey: string;
  /** True if the page may send requests: the key is one that opens an environment. */
  canSend?: boolean;
}

/** @param shownKey undefined for a configured one, which is secret. */
export function renderAccess(address: string, shownKey: string | undefined): Html {
  const rows = [
    ["Base URL", address],
    ["API key", shownKey],
  ].map(([name = "", value]) => {
    const copy = html`<code>${value}</code>${copyButton(name)}`;
    return html`<div class="row"><dt class="soft">${name}</dt><dd class="row">${value === undefined ? html`as configured, here <code>${KEY_VARIABLE}</code>` : copy}</dd></div>`;
  });
  return html`<dl class="row access" id="access">${rows}</dl>`;
}

/** How a label names the code of a language. */
const LABELS: Readonly<Record<string, string>> = {
  curl: "as curl",
  TypeScript: "in TypeScript",
};

/** A request as code; with `canSend`, to edit and to send: script/samples.ts. */
export function renderRequest(
  operation: Operation,
  access: Access,
  request: RequestSpec,
  name: string = operation.id,
): Html {
  const outline = outlineOf(operation);
  const codes = formatCodes(request, access.address, outline).map(
    ([language, code]) => [language, codePanel(`${name} ${LABELS[language]}`, code)] as const,
  );
  const code = codes.length === 1 ? codes[0]?.[1] : tabs("code", `${name} as code`, codes, `code-${toAnchor(name)}`);
  if (!access.canSend) return html`${code}`;
  return html`<div data-request="${JSON.stringify(request)}" data-operation="${JSON.stringify(outline)}" data-origin="${access.address}">${code}
<textarea class="edit" aria-label="Request: ${name}" spellcheck="false" hidden></textarea>
<div class="row send" hidden><button type="button" data-send aria-label="Send: ${name}">Send</button>
<button type="button" class="quiet" data-edit>Edit</button> <span class="soft small" role="status"></span></div></div>`;
}

export function outlineOf(operation: Operation): OperationOutline {
  const { id, method, path, body, parameters, responses } = operation;
  const names = responses.flatMap(({ headers }) => headers.map(({ name }) => name.toLowerCase()));
  return {
    id,
    method,
    path,
    fields: parameters.filter((parameter) => parameter.in !== "cookie").map(fieldOf),
    hasBody: body !== undefined,
    isJson: mainMedia(successOf(operation))?.isJson ?? false, // a success may have no body
    headers: [...new Set(names)],
    client: lookUp(CLIENTS, id),
  };
}

function fieldOf(parameter: Parameter): FieldOutline {
  const { name, in: place, schema, isRequired, examples } = parameter;
  const kind = kindOf(parameter);
  const values = (kind === "list" ? schema.items : schema)?.flat.enum ?? (kind === "boolean" ? [true, false] : []);
  const hint = describeConstraints(schema, name).replaceAll("`", "");
  return {
    name,
    in: place,
    kind,
    isRequired,
    choices: values.map(String),
    examples: toList(examples[0] ?? []).map(String),
    hint,
  };
}

function kindOf({ mediaType, schema: { types } }: Parameter): FieldOutline["kind"] {
  if (mediaType !== undefined) return "text";
  if (types.includes("array")) return "list";
  if (types.includes("integer") || types.includes("number")) return "number";
  return types.includes("boolean") ? "boolean" : "text";
}

type ControlMethod = Exclude<keyof Control, "watchEnvironments" | "waitForRequest">;

/** The operations that the typed clients have. A proposal may have others. */
const CLIENTS: Readonly<Record<string, OperationOutline["client"]>> = {
  updatePreferences: "client",
  listNotifications: "client",
  getReadiness: "control",
  listEnvironments: "control",
  createEnvironment: "control",
  getEnvironment: "control",
  resetEnvironment: "control",
  deleteEnvironment: "control",
  exportEnvironment: "control",
  listWorkflows: "control",
  addWorkflow: "control",
  removeWorkflow: "control",
  listSubscribers: "control",
  addSubscriber: "control",
  removeSubscriber: "control",
  addNotifications: "control",
  removeNotification: "control",
  getClock: "control",
  setClock: "control",
  resetClock: "control",
  advanceClock: "control",
  listFaults: "control",
  addFault: "control",
  updateFault: "control",
  removeFault: "control",
  clearFaults: "control",
  listRequests: "control",
  clearRequests: "control",
} satisfies Record<
  Extract<keyof Client, "updatePreferences" | "listNotifications"> | ControlMethod,
  OperationOutline["client"]
>;

/** The request of an example, or else one that succeeds. */
export function buildExampleRequest(operation: Operation, { apiKey }: Access, example?: ExampleRequest): RequestSpec {
  const parts = findParts(operation, example);
  const [places = []] = operation.security;
  // An example may have a wrong key, or none.
  const keys = apiKey === "" || "authorization" in parts.headers ? [] : places;
  const headers = { authorization: null, ...parts.headers };
  const request = buildRequestSpec(operation, { ...parts, headers }, apiKey);
  return keys.reduce((sent, place) => withKeyAt(sent, place, apiKey), request);
}

/** As curl. */
export function formatRequest(operation: Operation, access: Access): string {
  return formatCurl(buildExampleRequest(operation, access), access.address);
}

type Parts = RequestTemplate & Required<Pick<RequestTemplate, "path" | "query" | "headers">>;

/** Those of an example, or else all required parts, with the contract's example of a body if it has one. */
function findParts(operation: Operation, example?: ExampleRequest): Parts {
  const media = mainMedia(operation.body);
  const toValue = (parameter: Parameter) => sampleOfParameter(parameter) ?? `<${parameter.name}>`;
  const request = sampleRequestOf(operation, toValue, media?.examples[0]?.value);
  if (example) return { query: {}, headers: {}, ...example, path: { ...request.path, ...example.path } };
  if (!media || "body" in request || "rawBody" in request) return request;
  return { ...request, rawBody: "<body>", headers: { ...request.headers, "content-type": media.type } };
}

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
