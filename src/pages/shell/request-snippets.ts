// An example request of an operation as code: curl, the typed client, fetch, Python.
import { inspect } from "node:util";
import type { Client } from "../../browser/client/client.js";
import type { Operation, Parameter } from "../../contract/model.js";
import { mainMedia } from "../../contract/operation-responses.js";
import { writeSimple } from "../../contract/parameter-text.js";
import { type RequestSpec, toCurl, toRequestSpec } from "../../contract/request-spec.js";
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
  const { path, body } = toParts(operation);
  const request = toRequest(operation, access);
  const values = [...Object.values(path), body].filter((value) => value !== undefined);
  const { address, apiKey } = access;
  const client = METHODS.has(id) ? toClientCode(id, values, { baseUrl: address, apiKey }) : undefined;
  return tabs(
    "code",
    `${id} as code`,
    [
      ["curl", snippet(`${id} as curl`, toCurl(request, address))],
      ...(client === undefined ? [] : [["TypeScript", snippet(`${id} in TypeScript`, client)] as const]),
      ["fetch", snippet(`${id} with fetch`, toFetchCode(request, address))],
      ["Python", snippet(`${id} in Python`, toPythonCode(request, address))],
    ],
    `code-${id}`,
  );
}

/** The required parameters and a body: an example of the contract, or else a value that its schema allows. */
function toParts({ parameters, body }: Operation) {
  const required = parameters.filter((parameter) => parameter.isRequired);
  const valuesIn = (place: Parameter["in"]) =>
    required.filter((parameter) => parameter.in === place).map((one) => [one.name, toExample(one)] as const);
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

function toRequest(operation: Operation, { apiKey }: Access): RequestSpec {
  const { body, query, ...parts } = toParts(operation);
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
  return toRequestSpec(operation, { ...template, ...(body === undefined ? {} : { body }) }, apiKey);
}

/** The operations that the typed client has. A proposal may have others. */
const METHODS: ReadonlySet<string> = new Set<keyof Client>(["updatePreferences", "listNotifications"]);

const toExample = ({ name, examples: [example], schema }: Parameter): unknown =>
  example ?? sampleOf(schema) ?? `<${name}>`;

function toClientCode(method: string, values: readonly unknown[], options: object): string {
  return `import { createClient } from "notifications-contract/client";

const client = createClient(${toLiteral(options)});
const result = await client.${method}(${toArguments(values.map((value) => toLiteral(value)))});`;
}

const MAX_LINE = 40;

/** In one line, or each in its own. */
function toArguments(texts: readonly string[]): string {
  const line = texts.join(", ");
  return line.length <= MAX_LINE ? line : `\n  ${texts.map(indent).join(",\n  ")},\n`;
}

function toFetchCode({ method, target, headers, body }: RequestSpec, address: string): string {
  const text = body === undefined ? "" : `\n  body: JSON.stringify(${toLiteral(JSON.parse(body))}),`;
  return `const response = await fetch(${toLiteral(address + target)}, {
  method: ${toLiteral(method)},
  headers: ${indent(toLiteral(headers, 30))},${text}
});
console.log(response.status, await response.json());`;
}

function toPythonCode({ method, target, headers, body }: RequestSpec, address: string): string {
  const { "content-type": _type, ...own } = headers; // requests sets it for `json`
  const text = body === undefined ? "" : `\n    json=${toPythonLiteral(JSON.parse(body))},`;
  return `import requests

response = requests.${method.toLowerCase()}(
    ${JSON.stringify(address + target)},
    headers=${toPythonLiteral(own)},${text}
)
print(response.status_code, response.json())`;
}

/** JSON with Python's names of constants. */
function toPythonLiteral(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(toPythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${toPythonLiteral(member)}`)
    .join(", ")}}`;
}

const indent = (text: string) => text.replaceAll("\n", "\n  ");

function toLiteral(value: unknown, breakLength = 60): string {
  return inspect(value, { depth: null, breakLength });
}
