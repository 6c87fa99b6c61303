// Requests as cases write them, and their responses.
import type { Contract } from "../../contract/contract.js";
import { type KeyPlace, keyPlacesOf, type Operation, successStatusOf } from "../../contract/operations.js";
import { type RequestSpec, type RequestTemplate, toRequestSpec } from "../../contract/request-spec.js";
import { sampleValue } from "../../contract/values/example.js";
import { changesOf, findOperation, knownNameOf } from "../judge/operations.js";
import { ExpectationError, NotApplicable, toReceived } from "./expectation.js";
import type { RawResponse } from "./http-transport.js";
import type { Target } from "./target.js";

/** Omitted members are those of a valid request with the target's key and subscriber. */
export interface TestRequest extends Omit<RequestTemplate, "rawBody"> {
  /** The operation's id; without it, `url` is a path outside the contract. */
  operation?: string;
  /** Path and query as they are sent, below the base URL. */
  url?: string;
  rawBody?: string | Buffer;
  /** Sent on a connection of its own. */
  isNewConnection?: boolean;
}

export interface TestResponse extends RawResponse {
  /** Parsed; undefined if there is none. */
  body: unknown;
  request: RequestSpec<Buffer>;
  /** Its violation of the contract, whatever the case expects. */
  violation?: ExpectationError | undefined;
}

export function toSpec(request: TestRequest, contract: Contract, target: Target): RequestSpec<Buffer> {
  const { operation, url, rawBody, isNewConnection: _isNew, ...rest } = request;
  const body = rawBody === undefined ? {} : { rawBody: rawBody.toString() };
  const place = operation === undefined ? undefined : operationOf(contract, operation);
  const path = { subscriberId: target.subscriber, ...rest.path };
  // A proposal may give the subscriber's parameter another name.
  const [, name = "subscriberId"] = (place && knownNameOf(place) && /{([^}]+)}/.exec(place.path)) ?? [];
  const template = { ...rest, ...body, path: { [name]: path.subscriberId, ...path } };
  const spec = toRequestSpec(place ?? { method: "GET", path: "" }, template, target.apiKey);
  const prefix = target.url.pathname.replace(/\/$/, "");
  const sent = toKeyPlace({ ...spec, target: prefix + (url ?? spec.target) }, keyPlacesOf(contract.document));
  return { ...sent, ...(rawBody === undefined ? {} : { body: rawBody }) };
}

/** Moves the key to where a proposal reads it: cases write it as the package's own contract does. */
function toKeyPlace(spec: RequestSpec, places: readonly KeyPlace[]): RequestSpec {
  const { authorization = "", ...headers } = spec.headers;
  const [, key] = /^ApiKey (.+)$/.exec(authorization) ?? [];
  const [place] = places;
  const isOurs = places.some(({ in: where, name }) => where === "header" && name.toLowerCase() === "authorization");
  if (key === undefined || !place || isOurs) return spec;
  if (place.in === "bearer") return { ...spec, headers: { ...headers, authorization: `Bearer ${key}` } };
  if (place.in === "header") return { ...spec, headers: { ...headers, [place.name.toLowerCase()]: key } };
  const separator = spec.target.includes("?") ? "&" : "?";
  return { ...spec, headers, target: `${spec.target}${separator}${place.name}=${encodeURIComponent(key)}` };
}

/** @throws NotApplicable if the contract lacks it. */
export function operationOf(contract: Contract, id: string): Operation {
  const operation = findOperation(contract, id);
  if (!operation) throw new NotApplicable(`the contract has no operation ${id}`);
  return operation;
}

const OF_OTHER_RULES = new Set(["401", "405", "413", "415", "422", "429"]);

/** Statuses of the responses to a valid request. For an operation that laws do not know, they depend on its data. */
export function validStatusesOf(operation: Operation): number[] {
  const own = Object.keys(operation.object.responses).filter((key) => /^4\d\d$/.test(key) && !OF_OTHER_RULES.has(key));
  return [successStatusOf(operation), ...(knownNameOf(operation) ? [] : own.map(Number))];
}

/** Members of `TestRequest` by the location of parameters. */
export const PARTS = { path: "path", query: "query", header: "headers" } as const;

/** A request that every target accepts, with values for everything that an operation unknown to laws requires. */
export function validRequest(contract: Contract, operation: Operation): TestRequest {
  const { document } = contract;
  const { id, hasBody, parameters, object } = operation;
  const known = knownNameOf(operation);
  if (known && changesOf(contract)(operation) === undefined)
    return { operation: id, ...(hasBody ? { body: { channels: {} } } : {}) };
  const request: TestRequest = { operation: id };
  for (const { in: source, name, required, example, schema } of parameters) {
    if (!required || (known && source === "path")) continue;
    const isKey = source === "header" && name.toLowerCase() === "idempotency-key"; // a repeated one is another rule
    const sample = isKey ? crypto.randomUUID() : (example ?? sampleValue(document, schema));
    const value = source === "query" && Array.isArray(sample) ? sample : String(sample);
    if (source === "cookie") request.headers = { ...request.headers, cookie: `${name}=${value}` };
    else request[PARTS[source]] = { ...request[PARTS[source]], [name]: value } as never; // of a union of parts
  }
  const schema = object.requestBody?.content?.["application/json"]?.schema;
  return hasBody && schema ? { ...request, body: sampleValue(document, schema) } : request;
}

/**
 * A body that is not JSON is a violation.
 * @param declared the media types that the contract declares for it.
 */
export function toTestResponse(raw: RawResponse, request: RequestSpec<Buffer>, declared: string[] = []): TestResponse {
  const { text, status } = raw;
  const type = String(raw.headers["content-type"] ?? "");
  const isText = status < 300 || declared.some((mediaType) => type.startsWith(mediaType));
  if (text === "") return { ...raw, body: request.method === "HEAD" ? undefined : "", request };
  if (!/json|^$/i.test(type) && isText) return { ...raw, body: text, request }; // the contract's check covers the media type
  try {
    return { ...raw, body: JSON.parse(text), request };
  } catch {
    const difference = { what: "body", expected: "JSON", actual: text.slice(0, 200) };
    const sentence = "The body is not JSON.";
    const violation = new ExpectationError({
      code: "contract",
      ...difference,
      sentence,
      received: toReceived(raw),
      request,
    });
    return { ...raw, body: undefined, request, violation };
  }
}
