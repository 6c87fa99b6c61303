// A request as data: made from an `x-request` of the contract, and written as a curl command for a POSIX shell. The
// console uses it too, so it imports no Node module.
import { isObject } from "./json.js";
import type { Parameter } from "./model.js";
import type { ExampleRequest } from "./openapi-document.js";
import { addCookie, formOfKey, type KeyPlace, valueAtPlace } from "./security.js";
import { encodePath, joinTarget, splitTarget } from "./target.js";
import { encodeReserved, writeQuery } from "./write-parameter.js";

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
