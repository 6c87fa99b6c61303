// A request as a case words it, and as it goes on the wire.
import type { ExampleRequest } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import type { Target } from "./target.js";
import type { WireRequest } from "./wire.js";

/** Like the contract's `x-request`; what is left out is a valid request with the target's key and subscriber. */
export interface Ask extends Omit<ExampleRequest, "operation" | "rawBody"> {
  /** undefined for a path that the contract does not have; then `url` is given. */
  operation?: Operation | undefined;
  /** Path and query as they are sent, below the base URL. */
  url?: string;
  /** Instead of `query`, as it is sent. */
  rawQuery?: string;
  rawBody?: string | Buffer;
}

export function toWireRequest(ask: Ask, target: Target): WireRequest {
  const { operation, body, rawBody, bodyBytes = 0 } = ask;
  const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body).padEnd(bodyBytes));
  const defaults = {
    authorization: `ApiKey ${target.apiKey}`,
    ...(sent === undefined ? {} : { "content-type": "application/json" }),
  };
  const headers = Object.entries({ ...defaults, ...ask.headers }).filter(([, value]) => value !== null);
  return {
    method: ask.method ?? operation?.method.toUpperCase() ?? "GET",
    path: target.url.pathname.replace(/\/$/, "") + (ask.url ?? toUrl(ask, target)),
    headers: Object.fromEntries(headers) as Record<string, string>, // null values have just been left out
    body: sent,
  };
}

function toUrl({ operation, path = {}, query = {}, rawQuery }: Ask, { subscriber }: Target): string {
  const values: Record<string, string> = { subscriberId: subscriber, ...path };
  const url = (operation?.path ?? "").replaceAll(/{([^}]+)}/g, (_all, name) => encodeURIComponent(values[name] ?? ""));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(String(item))}`),
  );
  const text = rawQuery ?? pairs.join("&");
  return text === "" ? url : `${url}?${text}`;
}

/** The request as a command line; the keys are taken out where the report is made. */
export function toCurl({ method, path, headers, body }: WireRequest, origin: string): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const data = typeof body === "string" ? body : body?.toString("latin1");
  return [
    method === "HEAD" ? "curl -I" : `curl -i -X ${method}`,
    quote(origin + path),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(data === undefined
      ? []
      : [`--data-binary ${quote(data.length > 500 ? `${data.slice(0, 80)}… (${data.length} bytes)` : data)}`]),
  ].join(" ");
}
