// Requests as cases word them, and the responses to them.
import { type RequestSpec, type RequestTemplate, toRequestSpec } from "../client/request-spec.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { ExpectationError } from "./expectation.js";
import type { RawResponse } from "./http-transport.js";
import type { Target } from "./target.js";

/** What is left out is a valid request with the target's key and subscriber. */
export interface TestRequest extends Omit<RequestTemplate, "rawBody"> {
  /** The id of the operation; without it, `url` is a path that the contract does not have. */
  operation?: string;
  /** Path and query as they are sent, below the base URL. */
  url?: string;
  rawBody?: string | Buffer;
}

export interface TestResponse extends RawResponse {
  /** Parsed; undefined when there is none. */
  body: unknown;
  request: RequestSpec<Buffer>;
  /** In which it departs from the contract, whatever it was sent for. */
  violation?: ExpectationError | undefined;
}

export function toSpec(request: TestRequest, contract: Contract, target: Target): RequestSpec<Buffer> {
  const { operation, url, rawBody, ...rest } = request;
  const body = rawBody === undefined ? {} : { rawBody: rawBody.toString() };
  const template = { ...rest, ...body, path: { subscriberId: target.subscriber, ...rest.path } };
  const place = operation === undefined ? { method: "GET", path: "" } : operationOf(contract, operation);
  const spec = toRequestSpec(place, template, target.apiKey);
  const prefix = target.url.pathname.replace(/\/$/, "");
  return { ...spec, target: prefix + (url ?? spec.target), ...(rawBody === undefined ? {} : { body: rawBody }) };
}

export function operationOf({ operations }: Contract, id: string): Operation {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`the contract has no operation ${id}`);
  return operation;
}

/** A request that every target accepts. */
export function validRequest({ id, hasBody }: Operation): TestRequest {
  return { operation: id, ...(hasBody ? { body: { channels: {} } } : {}) };
}

/** A body that is not JSON is a violation. */
export function toTestResponse(raw: RawResponse, request: RequestSpec<Buffer>): TestResponse {
  const { text } = raw;
  if (text === "") return { ...raw, body: request.method === "HEAD" ? undefined : "", request };
  try {
    return { ...raw, body: JSON.parse(text), request };
  } catch {
    const violation = new ExpectationError({ what: "body", expected: "JSON", actual: text.slice(0, 200), request });
    return { ...raw, body: undefined, request, violation };
  }
}
