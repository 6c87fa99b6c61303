// How two responses to one request differ, and what is wrong with each by the contract.
import type { Contract } from "../../../src/contract/contract.js";
import { operationsAt } from "../../support/operations-at.js";
import type { SocketResponse } from "../../support/socket-request.js";
import type { ParityRequest } from "./parity-request.js";

// Of the moment, the connection or the length of the data; the rest of the headers has to be the same.
const OWN_HEADERS = new Set(["date", "etag", "content-length", "transfer-encoding", "connection", "keep-alive"]);

/** One line: empty when they agree. Data of a success may differ, the words of an error may not. */
export function differenceOf(mock: SocketResponse, reference: SocketResponse): string {
  if (mock.status !== reference.status) return `status ${mock.status}, reference ${reference.status}`;
  const names = [...new Set([...Object.keys(mock.headers), ...Object.keys(reference.headers)])].toSorted();
  const headers = names
    .filter((name) => !OWN_HEADERS.has(name))
    .map((name) => ({ name, mocks: showHeader(name, mock), references: showHeader(name, reference) }))
    .filter(({ mocks, references }) => mocks !== references)
    .map(({ name, mocks, references }) => `${name} ${mocks}, reference ${references}`);
  const [mocks, references] = [mock, reference].map(toError);
  return [...headers, ...(mocks === references ? [] : [`error ${mocks}, reference ${references}`])].join("; ");
}

function showHeader(name: string, { headers }: SocketResponse): string {
  const value = headers[name];
  if (value === undefined) return "absent";
  return name === "x-request-id" ? "present" : JSON.stringify(value);
}

function toError({ status, body }: SocketResponse): string {
  if (status < 400) return "none";
  const { timestamp, ...error } = body ?? {};
  return JSON.stringify(error);
}

/** What the contract does not allow of a response; nothing for what is none of its business: OPTIONS, /docs, /openapi.yaml. */
export function violationsOf(
  contract: Contract,
  { method = "GET", target, headers }: ParityRequest,
  response: SocketResponse,
): string[] {
  if (response.status >= 500 && !headers?.prefer) return [`response is ${response.status}`];
  const [, path = ""] = /^(?:https?:\/\/[^/]+)?([^?#]*)/.exec(target) ?? []; // as it was sent; a target may be a whole URL
  const operation = operationsAt(contract, path)[0];
  if (method === "OPTIONS" || (!operation && (response.status < 400 || method === "HEAD"))) return [];
  const body = method === "HEAD" ? undefined : response.body;
  if (operation && method !== "HEAD" && body === undefined)
    return [`the body is not JSON: ${response.text.slice(0, 80)}`];
  return contract
    .checkResponse(operation, { ...response, body })
    .map(({ location, message }) => `${location} ${message}`);
}
