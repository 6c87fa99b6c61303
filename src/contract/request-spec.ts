// A request as data: how one of the contract's `x-request`s becomes one, and what it is as a command line for a POSIX shell. Free of
// Node modules: the console shares it.
import type { ExampleRequest } from "./openapi-document.js";

/** A request as it is sent. Names of headers are in lower case. */
export interface RequestSpec<Bytes = never> {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body?: string | Bytes;
}

export interface RequestTemplate extends Omit<ExampleRequest, "operation"> {
  /** Instead of `query`, as it is sent. */
  rawQuery?: string;
}

/** Sends the key unless the template has another; `null` in the template leaves a header out. */
export function toRequestSpec(
  operation: { method: string; path: string },
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
  const query = template.rawQuery ?? toQuery(template.query);
  const target = operation.path.replaceAll(/{([^}]+)}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ""));
  return {
    method: method.toUpperCase(),
    target: query === "" ? target : `${target}?${query}`,
    headers: Object.fromEntries(sentHeaders),
    ...(text === undefined ? {} : { body: text.padEnd(bodyBytes) }),
  };
}

function toQuery(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((item) => `${encode(name)}=${encode(String(item))}`),
  );
  return pairs.join("&");
}

/** Every reserved character: some servers read an unencoded quote or bracket otherwise. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** @param secrets texts that are not written, each with what a shell expands to it in double quotes: `$NC_API_KEY`. */
export function toCurl(
  { method, target, headers, body }: RequestSpec,
  origin: string,
  secrets: Readonly<Record<string, string>> = {},
): string {
  const hasBody = body !== undefined;
  const isPlain = METHOD_OPTIONS[method] !== undefined && !hasBody;
  const parts = [
    `curl -i${isPlain ? METHOD_OPTIONS[method] : ` -X ${method}`}${toPathOptions(target)} ${quote(origin + target, secrets)}`,
    ...Object.entries(headers).flatMap(([name, value]) =>
      // curl leaves out a header without a value, unless a semicolon follows its name
      value.split("\n").map((line) => `-H ${quote(line === "" ? `${name};` : `${name}: ${line}`, secrets)}`),
    ),
    ...(hasBody && headers["content-type"] === undefined ? ["-H 'content-type:'"] : []), // of curl's own
    ...(hasBody ? [`--data-raw ${quote(body, secrets)}`] : []),
  ];
  return parts.join(" \\\n  ");
}

const METHOD_OPTIONS: Readonly<Record<string, string>> = { GET: "", HEAD: " -I" }; // with -X HEAD, curl waits for a body

/** curl reads brackets and braces as ranges, and resolves dots. */
function toPathOptions(target: string): string {
  return `${/[[\]{}]/.test(target) ? " -g" : ""}${/\/\.\.?(\/|$)/.test(target) ? " --path-as-is" : ""}`;
}

export function quote(text: string, secrets: Readonly<Record<string, string>> = {}): string {
  const secret = Object.keys(secrets).find((name) => name !== "" && toPattern(name).test(text));
  if (secret === undefined) return `'${text.replaceAll("'", "'\\''")}'`;
  const parts = text.split(toPattern(secret)).map((part) => (part === "" ? "" : quote(part, secrets)));
  return parts.join(`"${secrets[secret]}"`);
}

const SHORT = 8;

/** A short secret counts only as a word of its own: a key of one letter is in most texts. */
function toPattern(secret: string): RegExp {
  const escaped = secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(secret.length < SHORT ? `(?<![a-zA-Z\\d])${escaped}(?![a-zA-Z\\d])` : escaped);
}
