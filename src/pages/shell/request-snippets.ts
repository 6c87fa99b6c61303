// An example request of an operation as code: curl, the typed client, fetch, Python.
import { inspect } from "node:util";
import type { Client } from "../../browser/client/client.js";
import { parseJson } from "../../contract/json.js";
import { toList } from "../../contract/lists.js";
import { isJson } from "../../contract/media-type.js";
import type { Operation, Parameter } from "../../contract/model.js";
import type { ExampleRequest } from "../../contract/openapi-document.js";
import { mainMedia, successOf } from "../../contract/operation-responses.js";
import {
  buildRequestSpec,
  formatCurl,
  type RequestSpec,
  type RequestTemplate,
  withKeyAt,
} from "../../contract/request-spec.js";
import { sampleOfParameter, sampleRequestOf } from "../../contract/values/sample-request.js";
import { type Html, html, snippet, tabs } from "./html.js";

export interface Access {
  /** As in `http://127.0.0.1:4010`. */
  address: string;
  apiKey: string;
}

type Code = readonly [language: string, code: string];

/** The request of an example, or else one that succeeds. script/page.ts shows that of the selected response. */
export function renderRequest(operation: Operation, access: Access, example?: ExampleRequest): Html {
  const { id } = operation;
  const labels: Record<string, string> = {
    curl: "as curl",
    TypeScript: "in TypeScript",
    fetch: "with fetch",
    Python: "in Python",
  };
  const codes = formatCodes(operation, access, example).map(
    ([name, code]) => [name, snippet(`${id} ${labels[name]}`, code)] as const,
  );
  return tabs("code", `${id} as code`, codes, `code-${id}`);
}

/** A button that sends the selected request to this server: script/send.ts. Hidden without a script, and in a file. */
export function renderSend(operation: Operation, access: Access, example?: ExampleRequest): Html {
  const request = JSON.stringify(buildExampleRequest(operation, access, example));
  return html`<div class="row send" hidden><button type="button" data-send="${request}" aria-label="Send: ${operation.id}">Send</button>
<span class="soft small" role="status">to this server${access.apiKey !== "" && `, with its key ${access.apiKey}`}</span></div>`;
}

export function buildExampleRequest(operation: Operation, access: Access, example?: ExampleRequest): RequestSpec {
  return buildRequest(operation, findParts(operation, example), access);
}

/** A request in each language. */
export function formatCodes(operation: Operation, access: Access, example?: ExampleRequest): readonly Code[] {
  const { address, apiKey } = access;
  const request = buildExampleRequest(operation, access, example);
  const reading = mainMedia(successOf(operation))?.isJson ? "json" : "text"; // a success may have no body
  const client = METHODS.has(operation.id)
    ? [
        [
          "TypeScript",
          formatClientCode(operation, findParts(operation, example), { baseUrl: address, apiKey }),
        ] as const,
      ]
    : [];
  return [
    ["curl", formatCurl(request, address)],
    ...client,
    ["fetch", formatFetchCode(request, address, reading)],
    ["Python", formatPythonCode(request, address, reading)],
  ];
}

/** As curl. @param path replaces examples of parameters in the path. */
export function formatRequest(operation: Operation, access: Access, path: Record<string, string> = {}): string {
  const parts = findParts(operation);
  return formatCurl(buildRequest(operation, { ...parts, path: { ...parts.path, ...path } }, access), access.address);
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

function buildRequest(operation: Operation, parts: Parts, { apiKey }: Access): RequestSpec {
  const [places = []] = operation.security;
  const keys = apiKey === "" || "authorization" in parts.headers ? [] : places; // an example may have a wrong key, or none
  const template = { ...parts, headers: { authorization: null, ...parts.headers } };
  const request = buildRequestSpec(operation, template, apiKey);
  return keys.reduce((sent, place) => withKeyAt(sent, place, apiKey), request);
}

/** The operations that the typed client has. A proposal may have others. */
const METHODS: ReadonlySet<string> = new Set<keyof Client>(["updatePreferences", "listNotifications"]);

function formatClientCode(operation: Operation, parts: Parts, options: object): string {
  const { path, query, body, rawBody, headers, method } = parts;
  const isQueried = Object.keys(query).length > 0;
  const isOther = rawBody !== undefined || method !== undefined || Object.values(headers).includes(null);
  if (isOther || (isQueried && operation.body)) return "// The typed client does not send such a request.";
  const { "content-type": _type, ...others } = headers;
  const lists = operation.parameters.filter(({ schema }) => schema.types.includes("array")).map(({ name }) => name);
  const filters = Object.entries(query).map(([name, value]) => [name, lists.includes(name) ? toList(value) : value]);
  const hasOptions = Object.keys(others).length > 0;
  const input = isQueried || (hasOptions && !operation.body) ? Object.fromEntries(filters) : body;
  const values = [...Object.values(path), input, hasOptions ? { headers: others } : undefined].filter(
    (value) => value !== undefined,
  );
  return `import { createClient } from "notifications-contract/client";

const client = createClient(${formatLiteral(options)});
const result = await client.${operation.id}(${formatArguments(values.map((value) => formatLiteral(value)))});`;
}

const MAX_LINE = 40;

/** In one line, or each in its own. */
function formatArguments(texts: readonly string[]): string {
  const line = texts.join(", ");
  return line.length <= MAX_LINE ? line : `\n  ${texts.map(indent).join(",\n  ")},\n`;
}

function formatFetchCode(request: RequestSpec, address: string, reading: Reading): string {
  const { method, target, headers } = request;
  const body = formatBody(request, (value, isText) =>
    isText ? `\n  body: ${formatLiteral(value)},` : `\n  body: JSON.stringify(${formatLiteral(value)}),`,
  );
  return `const response = await fetch(${formatLiteral(address + target)}, {
  method: ${formatLiteral(method)},
  headers: ${indent(formatLiteral(headers, 30))},${body}
});
console.log(response.status, await response.${reading}());`;
}

function formatPythonCode(request: RequestSpec, address: string, reading: Reading): string {
  const { method, target, headers } = request;
  const { "content-type": type, ...others } = headers;
  const own = type === "application/json" ? others : headers; // requests sets it for `json`
  const body = formatBody(
    request,
    (value, isText) => `\n    ${isText ? "data" : "json"}=${formatPythonLiteral(value)},`,
  );
  return `import requests

response = requests.${method.toLowerCase()}(
    ${JSON.stringify(address + target)},
    headers=${formatPythonLiteral(own)},${body}
)
print(response.status_code, response.${reading === "json" ? "json()" : "text"})`;
}

/** How code reads the success of an operation. */
type Reading = "json" | "text";

/** Writes a body as a value of JSON, or as a text; nothing if there is none. */
function formatBody({ headers, body }: RequestSpec, write: (value: unknown, isText: boolean) => string): string {
  if (body === undefined) return "";
  const value = isJson(headers["content-type"] ?? "") ? parseJson(body) : undefined; // malformed in examples of a 400
  return value === undefined ? write(body, true) : write(value, false);
}

/** JSON with Python's names of constants. */
function formatPythonLiteral(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(formatPythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${formatPythonLiteral(member)}`)
    .join(", ")}}`;
}

const indent = (text: string) => text.replaceAll("\n", "\n  ");

function formatLiteral(value: unknown, breakLength = 60): string {
  return inspect(value, { depth: null, breakLength });
}
