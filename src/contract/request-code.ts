// A request as code: curl, the typed client, fetch, Python. The pages format requests that a person edits, so it
// imports no Node module.
import { escapePattern } from "./escape-pattern.js";
import { isObject, lookUp, parseJson } from "./json.js";
import { isJson } from "./media-type.js";
import { formatCurl, type RequestSpec } from "./request-spec.js";
import { encodePath, queryOf, splitTarget } from "./target.js";

/** What code and form of an operation's requests need to know of it, as plain data. */
export interface OperationOutline {
  id: string;
  method: string;
  path: string;
  fields: readonly FieldOutline[];
  hasBody: boolean;
  /** True if its success is JSON. */
  isJson: boolean;
  /** The headers that the contract declares for its responses, in lower case. */
  headers?: readonly string[];
  /** The typed client that has a method for it. */
  client?: "client" | "control" | undefined;
}

export interface FieldOutline {
  name: string;
  in: string;
  kind: "text" | "number" | "boolean" | "list";
  isRequired: boolean;
  /** The values that it can have; empty for any. */
  choices: readonly string[];
  /** The contract's example: of a list, each item. */
  examples: readonly string[];
  /** `at most 50` */
  hint: string;
}

/** Stands for a key that is not shown. A shell reads the variable. */
export const KEY_VARIABLE = "$NC_API_KEY";

/** The code in each language. */
export function formatCodes(
  request: RequestSpec,
  origin: string,
  operation?: OperationOutline,
): (readonly [language: string, code: string])[] {
  const client = operation?.client ? [["TypeScript", formatClientCode(request, origin, operation)] as const] : [];
  const isText = operation?.isJson === false;
  const log = `console.log(response.status, await response.${isText ? "text" : "json"}());`;
  return [
    ["curl", formatCurl(request, origin, { [KEY_VARIABLE]: KEY_VARIABLE })],
    ...client.map(([language, code]) => [language, readKey(language, code)] as const),
    ["fetch", readKey("fetch", `const response = ${formatFetch(request, origin)};\n${log}`)],
    ["Python", readKey("Python", formatPython(request, origin, isText))],
  ];
}

/** Code that reads a key that is not shown from its variable. A shell needs no other code. */
export function readKey(language: string, code: string): string {
  if (language === "Python") return readInPython(code);
  return language === "TypeScript" || language === "fetch" ? readInNode(code) : code;
}

/** A text that ends in the variable of the key, as `"ApiKey $NC_API_KEY"`. */
const KEY_TEXT = /"([^"\n]*)\$NC_API_KEY"/g;

function readInNode(code: string): string {
  return code.replaceAll(KEY_TEXT, (_text, before) =>
    before === "" ? 'process.env.NC_API_KEY ?? ""' : `\`${before}\${process.env.NC_API_KEY}\``,
  );
}

function readInPython(code: string): string {
  const read = code.replaceAll(KEY_TEXT, (_text, before) => `f"${before}{os.environ['NC_API_KEY']}"`);
  return read === code ? code : `import os\n\n${read}`;
}

/** The call alone: `await fetch(…)`. */
export function formatFetch(request: RequestSpec, origin: string): string {
  const { method, target, headers } = request;
  const value = bodyOf(request);
  const text = typeof value === "string" ? formatLiteral(value) : `JSON.stringify(${formatLiteral(value)})`;
  const body = request.body === undefined ? "" : `\n  body: ${indent(text)},`;
  return `await fetch(${formatLiteral(origin + target)}, {
  method: ${formatLiteral(method)},
  headers: ${indent(formatLiteral(headers, 30))},${body}
})`;
}

function formatPython(request: RequestSpec, origin: string, isText: boolean): string {
  const { method, target, headers, body } = request;
  const { "content-type": type, ...others } = headers;
  const value = bodyOf(request);
  const name = typeof value === "string" ? "data" : "json";
  const own = name === "json" && type === "application/json" ? others : headers; // requests sets it for `json`
  const sent = body === undefined ? "" : `\n    ${name}=${formatPythonLiteral(value)},`;
  const params = readPlainQuery(target);
  const address = params ? splitTarget(target).path : target;
  const query = params ? `\n    params=${formatPythonLiteral(params)},` : "";
  return `import requests

response = requests.${method.toLowerCase()}(
    ${JSON.stringify(origin + address)},${query}
    headers=${formatPythonLiteral(own)},${sent}
)
print(response.status_code, response.${isText ? "text" : "json()"})`;
}

/** The texts of a query; undefined without one, and for one that only its own text can express. */
function readPlainQuery(target: string): Record<string, unknown> | undefined {
  const texts = queryOf(target);
  const isDecoded = [...texts].flat().every((text) => !/%|\ufffd/.test(text));
  if (texts.size === 0 || !isDecoded) return undefined;
  const toValue = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : text);
  const values = [...new Set(texts.keys())].map((name) => {
    const all = texts.getAll(name).map(toValue);
    return [name, all.length > 1 ? all : all[0]];
  });
  return Object.fromEntries(values);
}

/** Its value if it is JSON; a malformed one is a text, as in examples of a 400. */
function bodyOf({ headers, body = "" }: RequestSpec): unknown {
  const value = isJson(headers["content-type"] ?? "") ? parseJson(body) : undefined;
  return value ?? body;
}

function formatClientCode(request: RequestSpec, baseUrl: string, operation: OperationOutline): string {
  const { method, target, headers, body: text } = request;
  const { authorization = "", "content-type": type, ...others } = headers;
  const isControl = operation.client === "control";
  const [, apiKey] = /^ApiKey (.+)$/.exec(authorization) ?? [];
  const [, controlKey] = /^ControlKey (.+)$/.exec(authorization) ?? [];
  const path = readPath(operation.path, target);
  const query = readQueryValues(target, operation);
  const body = type === "application/json" && text !== undefined ? parseJson(text) : undefined;
  const hasKey = isControl ? authorization === "" || controlKey !== undefined : apiKey !== undefined;
  const isOwn = method === operation.method.toUpperCase() && path !== undefined && hasKey;
  const isComplete = operation.hasBody ? body !== undefined && query === undefined : text === undefined;
  const hasOptions = Object.keys(others).length > 0;
  const isOther = isControl && (hasOptions || (operation.id === "listEnvironments" && query !== undefined));
  if (!isOwn || !isComplete || isOther) return "// The typed client does not send such a request.";
  const input = operation.hasBody ? body : (query ?? (hasOptions ? {} : undefined));
  const values = [
    ...Object.values(path),
    isControl ? toArgument(operation.id, input) : input,
    hasOptions ? { headers: others } : undefined,
  ].filter((value) => value !== undefined);
  const call = `await ${isControl ? "control" : "client"}.${operation.id}(${formatArguments(values.map((value) => formatLiteral(value)))});`;
  const options = isControl ? (controlKey === undefined ? {} : { controlKey }) : { apiKey };
  const start = formatClientStart(isControl ? "control" : "client", { baseUrl, ...options });
  const print = isControl ? "console.log(result);" : PRINT_RESULT;
  return `${start}\n${operation.isJson ? `const result = ${call}\n${print}` : call}`;
}

/** Calls of the client never reject. */
const PRINT_RESULT = `if (result.ok) console.log(result.data);
else console.error(result.status, result.error.message);`;

/** Imports and creates a typed client, which is named like its entry point. */
export function formatClientStart(name: "client" | "control", options: object): string {
  const create = name === "client" ? "createClient" : "createControl";
  return `import { ${create} } from "notifications-contract/${name}";

const ${name} = ${create}(${formatLiteral(options, 45)});`;
}

/** The methods of the control client that take a member itself, not an object with it. */
const LONE_MEMBERS: Readonly<Record<string, string>> = { advanceClock: "milliseconds", clearRequests: "environment" };

function toArgument(id: string, input: unknown): unknown {
  const name = lookUp(LONE_MEMBERS, id);
  return name !== undefined && isObject(input) ? input[name] : input;
}

/** The texts of the path's parameters, decoded; undefined for the path of another operation. */
export function readPath(template: string, target: string): Record<string, string> | undefined {
  const parts = template.split(/{([^}]+)}/);
  const names = parts.filter((_part, index) => index % 2 === 1);
  const literals = parts.filter((_part, index) => index % 2 === 0).map((part) => escapePattern(encodePath(part)));
  const match = new RegExp(`^${literals.join("([^/]*)")}$`).exec(splitTarget(target).path);
  return match
    ? Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]))
    : undefined;
}

/** The query as the typed client takes it; undefined without one. */
function readQueryValues(target: string, { fields }: OperationOutline): Record<string, unknown> | undefined {
  const texts = queryOf(target);
  if (texts.size === 0) return undefined;
  return Object.fromEntries(
    [...new Set(texts.keys())].map((name) => {
      const all = texts.getAll(name);
      const kind = fields.find((field) => field.in === "query" && field.name === name)?.kind;
      if (kind === "list" || all.length > 1) return [name, all];
      const value = kind === "number" || kind === "boolean" ? parseJson(all[0] ?? "") : undefined;
      return [name, value ?? all[0]];
    }),
  );
}

const MAX_LINE = 40;

/** In one line, or each in its own. */
function formatArguments(texts: readonly string[]): string {
  const line = texts.join(", ");
  return line.length <= MAX_LINE ? line : `\n  ${texts.map(indent).join(",\n  ")},\n`;
}

const indent = (text: string) => text.replaceAll("\n", "\n  ");

/** As JavaScript, in one line if it fits. */
function formatLiteral(value: unknown, width = 60): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([name, member]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    return isList ? formatLiteral(member) : `${key}: ${formatLiteral(member)}`;
  });
  if (parts.length === 0) return isList ? "[]" : "{}";
  const line = isList ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  if (line.length <= width && !line.includes("\n")) return line;
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${parts.map((part) => `  ${indent(part)},\n`).join("")}${close}`;
}

const PYTHON: Readonly<Record<string, string>> = { null: "None", true: "True", false: "False" };

/** JSON with Python's names of constants. */
function formatPythonLiteral(value: unknown): string {
  if (typeof value !== "object" || value === null) return PYTHON[String(value)] ?? JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(formatPythonLiteral).join(", ")}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${formatPythonLiteral(member)}`,
  );
  return `{${members.join(", ")}}`;
}
