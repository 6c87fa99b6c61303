// A request as code: curl, the typed client. The pages format requests that a person edits, so it
// imports no Node module.
import { escapePattern } from "./escape-pattern.js";
import { isObject, lookUp, parseJson } from "./json.js";
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
