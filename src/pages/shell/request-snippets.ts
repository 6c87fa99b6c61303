// An example request of an operation as code: curl, the typed client, fetch, Python.
import { inspect } from "node:util";
import type { Client } from "../../browser/client/client.js";
import type { Operation, Parameter } from "../../contract/model.js";
import { mainMedia } from "../../contract/operation-responses.js";
import { writeSimple } from "../../contract/parameter-text.js";
import { buildRequestSpec, formatCurl, type RequestSpec } from "../../contract/request-spec.js";
import { valueAtPlace } from "../../contract/security.js";
import { nearestSampleOf, sampleOf } from "../../contract/values/example.js";
import { type Html, snippet, tabs } from "./html.js";

export interface Access {
  /** As in `http://127.0.0.1:4010`. */
  address: string;
  apiKey: string;
}

export function renderRequest(operation: Operation, access: Access): Html {
  const { id } = operation;
  const { path, body } = findParts(operation);
  const request = buildRequest(operation, access);
  const values = [...Object.values(path), body].filter((value) => value !== undefined);
  const { address, apiKey } = access;
  const client = METHODS.has(id) ? formatClientCode(id, values, { baseUrl: address, apiKey }) : undefined;
  return tabs(
    "code",
    `${id} as code`,
    [
      ["curl", snippet(`${id} as curl`, formatCurl(request, address))],
      ...(client === undefined ? [] : [["TypeScript", snippet(`${id} in TypeScript`, client)] as const]),
      ["fetch", snippet(`${id} with fetch`, formatFetchCode(request, address))],
      ["Python", snippet(`${id} in Python`, formatPythonCode(request, address))],
    ],
    `code-${id}`,
  );
}

/** The required parameters and a body: an example of the contract, or else a value that its schema allows. */
function findParts({ parameters, body }: Operation) {
  const required = parameters.filter((parameter) => parameter.isRequired);
  const valuesIn = (place: Parameter["in"]) =>
    required.filter((parameter) => parameter.in === place).map((one) => [one.name, findExample(one)] as const);
  const textsIn = (place: Parameter["in"]) =>
    Object.fromEntries(valuesIn(place).map(([name, value]) => [name, writeSimple(value)]));
  const media = body && mainMedia(body);
  const [example] = media?.examples ?? [];
  const sample = media?.schema && nearestSampleOf(media.schema, "", { direction: "request" });
  return {
    path: textsIn("path"),
    query: Object.fromEntries(valuesIn("query")),
    headers: textsIn("header"),
    body: example?.value ?? sample,
  };
}

function buildRequest(operation: Operation, { apiKey }: Access): RequestSpec {
  const { body, query, ...parts } = findParts(operation);
  const [places = []] = operation.security;
  const sent = apiKey === "" ? [] : places;
  const keys = sent.filter((place) => place.in === "header" || place.in === "bearer");
  const headers = {
    authorization: null, // unless it is a place of the key
    ...parts.headers,
    ...Object.fromEntries(keys.map((place) => [place.name, valueAtPlace(place, apiKey)])),
  };
  const ofQuery = sent.filter((place) => place.in === "query").map(({ name }) => [name, apiKey]);
  const template = { path: parts.path, query: { ...query, ...Object.fromEntries(ofQuery) }, headers };
  return buildRequestSpec(operation, { ...template, ...(body === undefined ? {} : { body }) }, apiKey);
}

/** The operations that the typed client has. A proposal may have others. */
const METHODS: ReadonlySet<string> = new Set<keyof Client>(["updatePreferences", "listNotifications"]);

const findExample = ({ name, examples: [example], schema }: Parameter): unknown =>
  example ?? sampleOf(schema) ?? `<${name}>`;

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

function formatFetchCode({ method, target, headers, body }: RequestSpec, address: string): string {
  const text = body === undefined ? "" : `\n  body: JSON.stringify(${formatLiteral(JSON.parse(body))}),`;
  return `const response = await fetch(${formatLiteral(address + target)}, {
  method: ${formatLiteral(method)},
  headers: ${indent(formatLiteral(headers, 30))},${text}
});
console.log(response.status, await response.json());`;
}

function formatPythonCode({ method, target, headers, body }: RequestSpec, address: string): string {
  const { "content-type": _type, ...own } = headers; // requests sets it for `json`
  const text = body === undefined ? "" : `\n    json=${formatPythonLiteral(JSON.parse(body))},`;
  return `import requests

response = requests.${method.toLowerCase()}(
    ${JSON.stringify(address + target)},
    headers=${formatPythonLiteral(own)},${text}
)
print(response.status_code, response.json())`;
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
