// A request of the mock's client as Prism reads it best. Each difference to what the client sent is a trap of Prism's.
import type { Request } from "express";
import type { Operation } from "../contract/operations.js";
import type { Query } from "../http/query.js";
import type { PrismRequest } from "./prism-process.js";

/** Only what the contract knows is passed on: not the key, not Accept (Prism would answer 406), not Prefer. */
export function toPrismRequest(operation: Operation, request: Request, query: Query): PrismRequest {
  const path = operation.path.replaceAll(/{([^}]+)}/g, (_all, name: string) => encodeSegment(request.params[name]));
  // The body as it was understood, so that encodings and charsets are none of Prism's business.
  const body = operation.hasBody && request.body !== undefined ? JSON.stringify(request.body) : undefined;
  return {
    method: operation.method.toUpperCase(), // a HEAD is a GET whose answer Node cuts off
    target: `${path}${encodeQuery(query)}`,
    headers: {
      ...declaredHeaders(operation, request),
      authorization: "ApiKey checked-by-the-mock", // Prism only wants to see one
      ...(body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": `${Buffer.byteLength(body)}` }),
    },
    body,
  };
}

/** Well encoded, as a broken encoding would end Prism. A segment of dots, even as %2E, would lead its URL elsewhere. */
function encodeSegment(value: string | string[] | undefined): string {
  const encoded = encodeURIComponent(String(value));
  return /^\.\.?$/.test(encoded) ? encoded.replaceAll(".", "%252E") : encoded;
}

/** The parameters after the contract's own rules for empty values and plus signs (D-27, D-67), which Prism has not. */
function encodeQuery({ values }: Query): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, item]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

function declaredHeaders({ parameters }: Operation, request: Request): Record<string, string> {
  const names = parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name);
  return Object.fromEntries(names.flatMap((name) => (request.get(name) ? [[name, request.get(name) ?? ""]] : [])));
}
