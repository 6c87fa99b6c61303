// An example request of an operation, as curl and as TypeScript with the typed client.
import { inspect } from "node:util";
import type { Client } from "../../browser/client/client.js";
import { namedExamples } from "../../contract/examples.js";
import type { OpenApiDocument, ParameterObject } from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";
import { toCurl, toRequestSpec } from "../../contract/request-spec.js";
import { type Html, html, snippet } from "./html.js";

export interface Access {
  /** As in `http://127.0.0.1:4010`. */
  address: string;
  apiKey: string;
}

export function renderRequest(document: OpenApiDocument, operation: Operation, { address, apiKey }: Access): Html {
  const { id, parameters, object } = operation;
  const required = parameters.filter((parameter) => parameter.required);
  const valuesIn = (place: ParameterObject["in"]) =>
    Object.fromEntries(required.filter((parameter) => parameter.in === place).map(toEntry));
  const [path, query, headers] = [valuesIn("path"), valuesIn("query"), valuesIn("header")];
  const [[, example] = []] = namedExamples(document, object.requestBody);
  const body = example?.value;
  const request = toRequestSpec(operation, { path, query, headers, ...(body === undefined ? {} : { body }) }, apiKey);
  const values = [...Object.values(path), body].filter((value) => value !== undefined);
  return html`${snippet(`${id} as curl`, toCurl(request, address))}
    ${METHODS.has(id) && snippet(`${id} in TypeScript`, toClientCode(id, values, { baseUrl: address, apiKey }))}`;
}

/** The operations that the typed client has. A proposal may have others. */
const METHODS: ReadonlySet<string> = new Set<keyof Client>(["updatePreferences", "listNotifications"]);

function toEntry({ name, example }: ParameterObject): [name: string, value: string] {
  return [name, String(example ?? `<${name}>`)];
}

function toClientCode(method: string, values: readonly unknown[], options: object): string {
  return `import { createClient } from "notifications-contract/client";

const client = createClient(${toLiteral(options)});
const result = await client.${method}(${values.map(toLiteral).join(", ")});`;
}

function toLiteral(value: unknown): string {
  return inspect(value, { depth: null, breakLength: 60 });
}
