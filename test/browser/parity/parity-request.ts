// A request of the corpus, the plain good one of each operation that the others are made from, and which keywords there are requests for.

import type { Contract } from "../../../src/contract/contract.js";
import { namedExamples } from "../../../src/contract/examples.js";
import { type ResponseObject, resolve, type SchemaObject } from "../../../src/contract/openapi-document.js";
import type { Operation } from "../../../src/contract/operations.js";
import { toRequestSpec } from "../../../src/contract/request-spec.js";
import type { SocketRequest } from "../../support/socket-request.js";

export const API_KEY = "parity-key";

export interface ParityRequest extends SocketRequest {
  /** Its own in the corpus; accepted differences refer to it. */
  title: string;
  /** Sent to the same server before it. */
  first?: SocketRequest;
}

export interface Base {
  contract: Contract;
  operation: Operation;
  method: string;
  /** The path with its parameters filled in, without a query. */
  target: string;
  headers: Record<string, string>;
  body?: string;
}

/** The request behind the operation's first example of a success, without its query. */
export function toBase(contract: Contract, operation: Operation): Base {
  const success = resolve<ResponseObject>(contract.document, operation.object.responses["200"] as ResponseObject);
  const [[, example] = []] = namedExamples(contract.document, success);
  if (!example?.["x-request"]) throw new Error(`${operation.id} has no request for its first example`);
  return { contract, operation, ...toRequestSpec(operation, { ...example["x-request"], query: {} }, API_KEY) };
}

/** What is sent when something about the base request is different. Titles: `listNotifications › limit › maximum 51`. */
export function vary(
  base: Base,
  title: string,
  change: Partial<ParityRequest> & { query?: string } = {},
): ParityRequest {
  const { query, ...other } = change;
  const { operation, method, headers, body } = base;
  const target = query === undefined ? base.target : `${base.target}?${query}`;
  const request = { method, target, headers, ...(body === undefined ? {} : { body }) };
  return { title: `${operation.id} › ${title}`, ...request, ...other };
}

const SAYS_NOTHING = ["description", "examples", "default"]; // about which values are right

/** No keyword comes into the contract's requests without a case for it. @throws where the caller makes no request for a keyword. */
export function assertCovered(schema: SchemaObject, place: string, covered: readonly string[]): void {
  const other = Object.keys(schema).find(
    (keyword) => !covered.includes(keyword) && !SAYS_NOTHING.includes(keyword) && !keyword.startsWith("x-"),
  );
  if (other !== undefined) throw new Error(`the parity corpus has no request for "${other}" of ${place}`);
}
