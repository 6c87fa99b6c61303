// Requests as cases word them, and the responses to them.
import type { Contract } from "../../contract/contract.js";
import { type KeyPlace, keyPlacesOf, type Operation, successStatusOf } from "../../contract/operations.js";
import { type RequestSpec, type RequestTemplate, toRequestSpec } from "../../contract/request-spec.js";
import { sampleValue } from "../../contract/values/example.js";
import { changesOf, findOperation, findOtherPart, knownNameOf } from "../judge/operations.js";
import { ExpectationError, NotApplicable } from "./expectation.js";
import type { RawResponse } from "./http-transport.js";
import type { Target } from "./target.js";

/** Members that are left out come from a valid request with the target's key and subscriber. */
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

/** Cases write the key as the package's contract has it; a proposal may have it elsewhere. */
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

/** @throws NotApplicable where the contract does not have it. */
export function operationOf(contract: Contract, id: string): Operation {
  const operation = findOperation(contract, id);
  if (!operation) throw new NotApplicable(lacks(id));
  return operation;
}

const lacks = (id: string) => `the contract has no operation ${id}`;

/** How the contract has changed an operation, so that laws do not apply to it. */
export function findObstacle(contract: Contract, id: string): string | undefined {
  const operation = findOperation(contract, id);
  if (!operation) return lacks(id);
  return changesOf(contract)(operation) ?? findOtherPart(contract, operation);
}

const OF_OTHER_RULES = new Set(["401", "405", "413", "415", "422", "429"]);

/** With which statuses a valid request may be responded to: of an operation that laws do not know, its data decide. */
export function validStatusesOf(operation: Operation): number[] {
  const own = Object.keys(operation.object.responses).filter((key) => /^4\d\d$/.test(key) && !OF_OTHER_RULES.has(key));
  return [successStatusOf(operation), ...(knownNameOf(operation) ? [] : own.map(Number))];
}

/** The names of a request's members, by the location of parameters. */
export const PARTS = { path: "path", query: "query", header: "headers" } as const;

/** A request that every target accepts; to an operation that laws do not know, with a value for all that it requires. */
export function validRequest(contract: Contract, operation: Operation): TestRequest {
  const { document } = contract;
  const { id, hasBody, parameters, object } = operation;
  const known = knownNameOf(operation);
  if (known && changesOf(contract)(operation) === undefined)
    return { operation: id, ...(hasBody ? { body: { channels: {} } } : {}) };
  const request: TestRequest = { operation: id };
  for (const { in: source, name, required, example, schema } of parameters) {
    if (!required || (known && source === "path")) continue;
    const value = String(example ?? sampleValue(document, schema));
    if (source === "cookie") request.headers = { ...request.headers, cookie: `${name}=${value}` };
    else request[PARTS[source]] = { ...request[PARTS[source]], [name]: value } as never; // of a union of parts
  }
  const schema = object.requestBody?.content?.["application/json"]?.schema;
  return hasBody && schema ? { ...request, body: sampleValue(document, schema) } : request;
}

/**
 * A body that is not JSON is a violation.
 * @param declared the media types that the contract has for it.
 */
export function toTestResponse(raw: RawResponse, request: RequestSpec<Buffer>, declared: string[] = []): TestResponse {
  const { text, status } = raw;
  const type = String(raw.headers["content-type"] ?? "");
  const isText = status < 300 || declared.some((mediaType) => type.startsWith(mediaType));
  if (text === "") return { ...raw, body: request.method === "HEAD" ? undefined : "", request };
  if (!/json|^$/i.test(type) && isText) return { ...raw, body: text, request }; // the contract says which media types there are
  try {
    return { ...raw, body: JSON.parse(text), request };
  } catch {
    const difference = { what: "body", expected: "JSON", actual: text.slice(0, 200) };
    const violation = new ExpectationError({ code: "contract", ...difference, request });
    return { ...raw, body: undefined, request, violation };
  }
}
