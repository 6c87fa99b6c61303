// A request as data, and how one of the contract's `x-request`s becomes one. Free of Node modules: the console shares it.
import type { ExampleRequest } from "../contract/openapi-document.js";

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
    [value].flat().map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(String(item))}`),
  );
  return pairs.join("&");
}
