// A request as data: made from an `x-request` of the contract; and as code: curl, the typed client. The pages format
// requests that a person edits, so it imports no Node module.

import { escapePattern } from "./format.js";
import { isObject, lookUp, parseJson } from "./json.js";
import type { Parameter } from "./model.js";
import type { ExampleRequest } from "./openapi-document.js";
import { encodeReserved, writeQuery } from "./parameter-writer.js";
import { addCookie, formOfKey, type KeyPlace, valueAtPlace } from "./security.js";
import { encodePath, joinTarget, queryOf, splitTarget } from "./target.js";

/** Header names are in lower case. */
export interface RequestSpec<Bytes = never> {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body?: string | Bytes;
}

export interface RequestTemplate extends Omit<ExampleRequest, "operation"> {
  /** Replaces `query`; sent as it is. */
  rawQuery?: string;
}

/** Adds the API key unless the template has an `authorization`. A `null` header is not sent. */
export function buildRequestSpec(
  operation: { method: string; path: string; parameters?: readonly Parameter[] },
  template: RequestTemplate,
  apiKey: string,
): RequestSpec {
  const { method = operation.method, path = {}, headers = {}, body, rawBody, bodyBytes = 0 } = template;
  const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const all = {
    authorization: `ApiKey ${apiKey}`,
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const sentHeaders = Object.entries(all).filter((header): header is [string, string] => header[1] !== null);
  const query = template.rawQuery ?? formatQuery(template.query, operation.parameters);
  const filled = operation.path.replaceAll(/{([^}]+)}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ""));
  const target = encodePath(filled);
  return {
    method: method.toUpperCase(),
    target: query === "" ? target : `${target}?${query}`,
    headers: Object.fromEntries(sentHeaders),
    ...(text === undefined ? {} : { body: text.padEnd(bodyBytes) }),
  };
}

function formatQuery(query: Record<string, unknown> = {}, parameters: readonly Parameter[] = []): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const parameter = parameters.find((candidate) => candidate.in === "query" && candidate.name === name);
    return writeQuery(name, value, isInForm(value, parameter) ? parameter : undefined, String);
  });
  return pairs.join("&");
}

/** False for a value that the parameter's style cannot write. It is written as if the contract lacked the parameter. */
function isInForm(value: unknown, { mediaType, style, schema }: Partial<Parameter> = {}): boolean {
  if (mediaType !== undefined) return typeof value !== "string";
  return (
    isObject(value) || (Array.isArray(value) && style !== "deepObject" && schema?.types.includes("array") === true)
  );
}

/** Adds a key at a place. A header of that name is replaced. */
export function withKeyAt(spec: RequestSpec, place: KeyPlace, key: string): RequestSpec {
  const value = valueAtPlace(place, key);
  if (place.in === "query") {
    const { path, query } = splitTarget(spec.target);
    const pair = `${encodeReserved(place.name)}=${encodeReserved(value)}`;
    return { ...spec, target: joinTarget(path, query ? `${query}&${pair}` : pair) };
  }
  const header =
    place.in === "cookie" ? { cookie: addCookie(spec.headers.cookie, place.name, value) } : { [place.name]: value };
  return { ...spec, headers: { ...header, ...spec.headers, ...header } }; // people look for the key first
}

/** @param secrets texts to hide, each with the shell variable that replaces it: `$NC_API_KEY`. */
export function formatCurl(
  { method, target, headers, body }: RequestSpec,
  origin: string,
  secrets: Readonly<Record<string, string>> = {},
): string {
  const hasBody = body !== undefined;
  const isPlain = METHOD_OPTIONS[method] !== undefined && !hasBody;
  const url = quote(origin + target, secrets);
  const start = `curl -i${isPlain ? METHOD_OPTIONS[method] : ` -X ${method}`}${findPathOptions(target)}`;
  const parts = [
    ...(isPlain ? [`${start} ${url}`] : [start, url]),
    ...Object.entries(headers).flatMap(([name, value]) =>
      // curl omits a header without a value, unless a semicolon follows its name
      value.split("\n").map((line) => `-H ${quote(line === "" ? `${name};` : `${name}: ${line}`, secrets)}`),
    ),
    ...(hasBody && headers["content-type"] === undefined ? ["-H 'content-type:'"] : []), // or curl adds its own
    ...(hasBody ? [`--data-raw ${quote(body, secrets)}`] : []),
  ];
  return parts.join(" \\\n  ");
}

const METHOD_OPTIONS: Readonly<Record<string, string>> = { GET: "", HEAD: " -I" }; // -X HEAD would wait for a body

/** curl reads brackets and braces as ranges, and resolves dots. */
function findPathOptions(target: string): string {
  return `${/[[\]{}]/.test(target) ? " -g" : ""}${/\/\.\.?(\/|$)/.test(target) ? " --path-as-is" : ""}`;
}

export function quote(text: string, secrets: Readonly<Record<string, string>> = {}): string {
  for (const [secret, variable] of Object.entries(secrets)) {
    const parts = secret === "" ? [] : text.split(formOfKey(secret));
    if (parts.length > 1) return parts.map((part) => part && quote(part, secrets)).join(`"${variable}"`);
  }
  return `'${text.replaceAll("'", "'\\''")}'`;
}

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

/** As curl, and in TypeScript if the typed client has the operation. */
export function formatCodes(
  request: RequestSpec,
  origin: string,
  operation?: OperationOutline,
): (readonly [language: string, code: string])[] {
  const curl = ["curl", formatCurl(request, origin, { [KEY_VARIABLE]: KEY_VARIABLE })] as const;
  return operation?.client ? [curl, ["TypeScript", readKey(formatClientCode(request, origin, operation))]] : [curl];
}

/** TypeScript reads a key that is not shown from its variable. A shell needs no other code. */
export function readKey(code: string): string {
  return code.replaceAll(`"${KEY_VARIABLE}"`, 'process.env.NC_API_KEY ?? ""');
}

function formatClientCode(request: RequestSpec, baseUrl: string, operation: OperationOutline): string {
  const { method, target, headers, body: text } = request;
  const { authorization = "", "content-type": type, ...remaining } = headers;
  const isControl = operation.client === "control";
  const [, apiKey] = /^ApiKey (.+)$/.exec(authorization) ?? [];
  const [, controlKey] = /^ControlKey (.+)$/.exec(authorization) ?? [];
  const path = readPath(operation.path, target);
  const query = readQueryValues(target, operation);
  const body = type === "application/json" && text !== undefined ? parseJson(text) : undefined;
  const hasKey = isControl ? authorization === "" || controlKey !== undefined : apiKey !== undefined;
  const isCall = method === operation.method.toUpperCase() && path !== undefined && hasKey;
  const isComplete = operation.hasBody ? body !== undefined && query === undefined : text === undefined;
  const hasOptions = Object.keys(remaining).length > 0;
  const isOther = isControl && (hasOptions || (operation.id === "listEnvironments" && query !== undefined));
  if (!isCall || !isComplete || isOther) return "// The typed client does not send such a request.";
  const input = operation.hasBody ? body : (query ?? (hasOptions ? {} : undefined));
  const values = [
    ...Object.values(path),
    isControl ? toArgument(operation.id, input) : input,
    hasOptions ? { headers: remaining } : undefined,
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
