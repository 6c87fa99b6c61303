// A request as data: how one of the contract's `x-request`s becomes a request that can be sent. Free of Node modules: the
// console shares it.
import type { ExampleRequest } from "../contract/openapi-document.js";

/** A request as it is sent. Names of headers are in lower case. */
export interface RequestSpec<Bytes extends Uint8Array = never> {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body?: string | Bytes;
}

/** An `x-request`, also with what only tests send. */
export interface RequestTemplate<Bytes extends Uint8Array = never>
  extends Omit<ExampleRequest, "operation" | "rawBody"> {
  rawBody?: string | Bytes;
  /** Instead of `query`, as it is sent. */
  rawQuery?: string;
}

/** Sends the key unless the template has another; `null` in the template leaves a header out. */
export function toRequestSpec<Bytes extends Uint8Array = never>(
  operation: { method: string; path: string },
  template: RequestTemplate<Bytes>,
  apiKey: string,
): RequestSpec<Bytes> {
  const { method = operation.method, path = {}, headers = {}, body, rawBody, bodyBytes = 0 } = template;
  const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const all = {
    authorization: `ApiKey ${apiKey}`,
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== null);
  const query = template.rawQuery ?? toQuery(template.query);
  const target = operation.path.replaceAll(/{([^}]+)}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ""));
  return {
    method: method.toUpperCase(),
    target: query === "" ? target : `${target}?${query}`,
    headers: Object.fromEntries(sent),
    ...(text === undefined ? {} : { body: typeof text === "string" ? text.padEnd(bodyBytes) : text }),
  };
}

function toQuery(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(String(item))}`),
  );
  return pairs.join("&");
}
