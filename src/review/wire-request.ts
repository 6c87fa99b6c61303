// A request as it goes on the wire, made of one of the contract's `x-request`s, and the same as a curl line.
import type { ExampleRequest } from "../contract/openapi-document.js";

export interface WireRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body?: string;
}

/** The key that the request is sent with, unless it has its own; `null` in the request leaves a header out. */
export function toWireRequest(
  operation: { method: string; path: string },
  example: ExampleRequest,
  apiKey: string,
): WireRequest {
  const { method = operation.method, path = {}, query = {}, headers = {}, body, rawBody, bodyBytes = 0 } = example;
  const text = (rawBody ?? (body === undefined ? undefined : JSON.stringify(body)))?.padEnd(bodyBytes);
  const all = {
    authorization: `ApiKey ${apiKey}`,
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== null);
  const target = operation.path.replaceAll(/{([^}]+)}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ""));
  const pairs: [string, string][] = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)] as [string, string]),
  );
  return {
    method: method.toUpperCase(),
    target: pairs.length === 0 ? target : `${target}?${new URLSearchParams(pairs)}`,
    headers: Object.fromEntries(sent),
    ...(text === undefined ? {} : { body: text }),
  };
}

/** For a POSIX shell. */
export function toCurl({ method, target, headers, body }: WireRequest, origin: string): string {
  const parts = [
    `curl -i${method === "GET" ? "" : ` -X ${method}`} ${quote(`${origin}${target}`)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return parts.join(" \\\n  ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
