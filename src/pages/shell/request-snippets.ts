// An example request of an operation as code: curl, the typed client, fetch, Python.
import { inspect } from "node:util";
import type { Client } from "../../browser/client/client.js";
import type { Contract } from "../../contract/contract.js";
import { isJson } from "../../contract/media-type.js";
import type { Operation, Parameter } from "../../contract/model.js";
import { mainMedia, successOf } from "../../contract/operation-responses.js";
import { buildRequestSpec, formatCurl, type RequestSpec, withKeyAt } from "../../contract/request-spec.js";
import type { SampleRequest } from "../../contract/values/sample-request.js";
import { type Html, snippet, tabs } from "./html.js";

export interface Access {
  /** As in `http://127.0.0.1:4010`. */
  address: string;
  apiKey: string;
}

export function renderRequest(operation: Operation, { samples }: Pick<Contract, "samples">, access: Access): Html {
  const { id } = operation;
  const parts = findParts(operation, samples);
  const { path, body } = parts;
  const request = buildRequest(operation, parts, access);
  const values = [...Object.values(path), body].filter((value) => value !== undefined);
  const { address, apiKey } = access;
  const reading = mainMedia(successOf(operation))?.isJson ? "json" : "text"; // a success may have no body
  const client = METHODS.has(id) ? formatClientCode(id, values, { baseUrl: address, apiKey }) : undefined;
  return tabs(
    "code",
    `${id} as code`,
    [
      ["curl", snippet(`${id} as curl`, formatCurl(request, address))],
      ...(client === undefined ? [] : [["TypeScript", snippet(`${id} in TypeScript`, client)] as const]),
      ["fetch", snippet(`${id} with fetch`, formatFetchCode(request, address, reading))],
      ["Python", snippet(`${id} in Python`, formatPythonCode(request, address, reading))],
    ],
    `code-${id}`,
  );
}

/** As curl. */
export function formatRequest(operation: Operation, { samples }: Pick<Contract, "samples">, access: Access): string {
  return formatCurl(buildRequest(operation, findParts(operation, samples), access), access.address);
}

/** With the contract's example of a body, if it has one. */
function findParts(operation: Operation, { sampleOfParameter, sampleRequestOf }: Contract["samples"]): SampleRequest {
  const media = mainMedia(operation.body);
  const toValue = (parameter: Parameter) => sampleOfParameter(parameter) ?? `<${parameter.name}>`;
  const request = sampleRequestOf(operation, toValue, media?.examples[0]?.value);
  if (!media || "body" in request || "rawBody" in request) return request;
  return { ...request, rawBody: "<body>", headers: { ...request.headers, "content-type": media.type } };
}

function buildRequest(operation: Operation, parts: SampleRequest, { apiKey }: Access): RequestSpec {
  const [places = []] = operation.security;
  const keys = apiKey === "" ? [] : places;
  const template = { ...parts, headers: { authorization: null, ...parts.headers } };
  const request = buildRequestSpec(operation, template, apiKey);
  return keys.reduce((sent, place) => withKeyAt(sent, place, apiKey), request);
}

/** The operations that the typed client has. A proposal may have others. */
const METHODS: ReadonlySet<string> = new Set<keyof Client>(["updatePreferences", "listNotifications"]);

function formatClientCode(method: string, values: readonly unknown[], options: object): string {
  return `import { createClient } from "notifications-contract/client";

const client = createClient(${formatLiteral(options)});
const result = await client.${method}(${formatArguments(values.map((value) => formatLiteral(value)))});`;
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
  const isText = !isJson(headers["content-type"] ?? "");
  return write(isText ? body : JSON.parse(body), isText);
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
