// An example request of an operation as code: curl, the typed client, fetch, Python.
import { inspect } from "node:util";
import type { Client } from "../../browser/client/client.js";
import { namedExamples } from "../../contract/examples.js";
import {
  type OpenApiDocument,
  type ParameterObject,
  resolve,
  type SchemaObject,
} from "../../contract/openapi-document.js";
import { isOpen, keyPlacesOf, mainContent, type Operation } from "../../contract/operations.js";
import { type RequestSpec, toCurl, toRequestSpec } from "../../contract/request-spec.js";
import { sampleValue } from "../../contract/values/example.js";
import { type Html, snippet, tabs } from "./html.js";

export interface Access {
  /** As in `http://127.0.0.1:4010`. */
  address: string;
  apiKey: string;
}

export function renderRequest(document: OpenApiDocument, operation: Operation, access: Access): Html {
  const { id } = operation;
  const { path, body } = toParts(document, operation);
  const request = toRequest(document, operation, access);
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
function toParts(document: OpenApiDocument, { parameters, object }: Operation) {
  const required = parameters.filter((parameter) => parameter.required);
  const valuesIn = (place: ParameterObject["in"]) =>
    Object.fromEntries(
      required.filter((parameter) => parameter.in === place).map((parameter) => toEntry(document, parameter)),
    );
  const [[, example] = []] = namedExamples(document, object.requestBody);
  const media = mainContent(object.requestBody?.content)?.[1];
  const sample = media?.schema === undefined ? undefined : sampleValue(document, media.schema);
  return {
    path: valuesIn("path"),
    query: valuesIn("query"),
    headers: valuesIn("header"),
    body: example?.value ?? sample,
  };
}

function toRequest(document: OpenApiDocument, operation: Operation, { apiKey }: Access): RequestSpec {
  const { body, ...parts } = toParts(document, operation);
  const [place] = keyPlacesOf(document);
  const isKeyless = isOpen(document, operation) || apiKey === "";
  const keyHeader = !isKeyless && place?.in === "header" && place.name.toLowerCase() !== "authorization";
  const headers = {
    ...parts.headers,
    ...(isKeyless || keyHeader ? { authorization: null } : {}),
    ...(keyHeader ? { [place.name]: apiKey } : {}),
  };
  return toRequestSpec(operation, { ...parts, headers, ...(body === undefined ? {} : { body }) }, apiKey);
}

/** The operations that the typed client has. A proposal may have others. */
const METHODS: ReadonlySet<string> = new Set<keyof Client>(["updatePreferences", "listNotifications"]);

function toEntry(document: OpenApiDocument, { name, example, schema }: ParameterObject): [name: string, value: string] {
  const [first] = (schema && (resolve<SchemaObject>(document, schema).enum as unknown[])) ?? [];
  return [name, String(example ?? first ?? `<${name}>`)];
}

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
