// The request of an operation as code.
import type { Client } from "../../browser/client/client.js";
import type { Control } from "../../browser/client/control.js";
import { lookUp } from "../../contract/json.js";
import { toList } from "../../contract/lists.js";
import type { Operation, Parameter } from "../../contract/model.js";
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
import { codePanel, copyButton, type Html, html, tabs, toAnchor } from "./html.js";
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

/** The request of an example, or else one that succeeds. @param path replaces examples of parameters in the path. */
export function buildExampleRequest(
  operation: Operation,
  { apiKey }: Access,
  example?: ExampleRequest,
  path: Record<string, string> = {},
): RequestSpec {
  const parts = findParts(operation, example);
  const [places = []] = operation.security;
  // An example may have a wrong key, or none.
  const keys = apiKey === "" || "authorization" in parts.headers ? [] : places;
  const headers = { authorization: null, ...parts.headers };
  const template = { ...parts, path: { ...parts.path, ...path }, headers };
  const request = buildRequestSpec(operation, template, apiKey);
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
