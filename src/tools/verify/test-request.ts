// Requests as cases write them, and their responses.
import type { Contract } from "../../contract/contract.js";
import { memoize } from "../../contract/memoize.js";
import type { Operation, Parameter } from "../../contract/model.js";
import { mainMedia, successOf } from "../../contract/operation.js";
import { buildRequestSpec, type RequestSpec, type RequestTemplate, withKeyAt } from "../../contract/request.js";
import { sampleOfParameter, sampleRequestOf } from "../../contract/sample/message.js";
import type { Schema } from "../../contract/schema.js";
import { type Credentials, isDocumentForm } from "../../contract/security.js";
import { findChange, findOperation, knownNameOf } from "../model/operations.js";
import type { Target } from "./declared-target.js";
import { ExpectationError, NotApplicable, type ReceivedResponse, toReceived } from "./expectation.js";
import type { RawResponse } from "./http-transport.js";

/** Omitted members are those of a valid request with the target's key and subscriber. */
export interface TestRequest extends Omit<RequestTemplate, "rawBody"> {
  /** The operation's id; without it, `url` is a path outside the contract. */
  operation?: string;
  /** Path and query as they are sent, below the base URL. */
  url?: string;
  rawBody?: string | Buffer;
  /** Sent on a connection of its own. */
  isNewConnection?: boolean;
  /** True for a path that a server or framework may redirect or reject with 400, before the implementation gets it. */
  isUnroutable?: boolean;
}

/** For such a path. */
export const UNROUTABLE = [404, 400, 301, 302, 307, 308];

export interface TestResponse extends RawResponse, ReceivedResponse {
  /** Parsed; undefined if there is none. */
  body: unknown;
}

export function toSpec(request: TestRequest, contract: Contract, target: Target): RequestSpec<Buffer> {
  const { operation, url, rawBody, isNewConnection: _isNew, isUnroutable: _isUnroutable, ...rest } = request;
  const body = rawBody === undefined ? {} : { rawBody: rawBody.toString() };
  const place = operation === undefined ? undefined : operationOf(contract, operation);
  const path = { subscriberId: target.subscriber, ...rest.path };
  // A proposal may give the subscriber's parameter another name.
  const name = place && knownNameOf(place) ? subscriberNameOf(place) : "subscriberId";
  const headers = buildHeaders(request, place);
  const template = {
    ...rest,
    ...body,
    headers: { authorization: null, ...headers },
    path: { [name]: path.subscriberId, ...path },
  };
  const spec = buildRequestSpec(place ?? { method: "GET", path: "" }, template, target.apiKey);
  const prefix = target.url.pathname.replace(/\/$/, "");
  const keys = "authorization" in headers ? [] : keyPlacesOf(contract, place);
  const sent = { ...spec, target: prefix + (url ?? spec.target) };
  const withKeys = keys.reduce((keyed, key) => withKeyAt(keyed, key, target.apiKey), sent);
  return { ...withKeys, ...(rawBody === undefined ? {} : { body: rawBody }) };
}

const subscriberNameOf = memoize(({ path }: Operation) => /{([^}]+)}/.exec(path)?.[1] ?? "subscriberId");

/** Where the contract reads the keys of an operation; outside of it, those of any. */
function keyPlacesOf({ operations }: Contract, operation?: Operation): Credentials {
  const { security = [] } = operation ?? operations.find((one) => one.security.flat().length > 0) ?? {};
  const isEnough = (credentials: Credentials) => credentials.length > 0;
  return (
    security.find((credentials) => isEnough(credentials) && credentials.every(isDocumentForm)) ??
    security.find(isEnough) ??
    []
  );
}

/** With the media type that the contract gives to a JSON body, if it is not the usual one. */
function buildHeaders(
  { headers = {}, body, rawBody }: TestRequest,
  operation: Operation | undefined,
): NonNullable<TestRequest["headers"]> {
  const media = mainMedia(operation?.body);
  const isUsual = !media?.isJson || media.type === "application/json" || media.type.includes("*");
  const hasBody = body !== undefined || rawBody !== undefined;
  return isUsual || !hasBody ? headers : { "content-type": media.type, ...headers };
}

/** @throws NotApplicable if the contract lacks it. */
export function operationOf(contract: Contract, id: string): Operation {
  const operation = findOperation(contract, id);
  if (!operation) throw new NotApplicable(`the contract has no operation ${id}`);
  return operation;
}

const OF_OTHER_RULES = new Set(["401", "405", "413", "415", "422", "429"]);

/** The status of a success. */
export const successStatusOf = (operation: Operation): number => successOf(operation)?.status ?? 200;

/** Statuses of the responses to a valid request. For an operation that laws do not know, they depend on its data. */
export function validStatusesOf(operation: Operation): number[] {
  const rejections = operation.responses.filter(({ key }) => /^4\d\d$/.test(key) && !OF_OTHER_RULES.has(key));
  return [successStatusOf(operation), ...(knownNameOf(operation) ? [] : rejections.map(({ status }) => status))];
}

/** Members of `TestRequest` by the location of parameters. */
export const PARTS = { path: "path", query: "query", header: "headers" } as const;

/** A request that every target accepts, with values for everything that an operation unknown to laws requires. */
export function validRequest(contract: Contract, operation: Operation): TestRequest {
  const { id, body } = operation;
  const known = knownNameOf(operation);
  if (known && findChange(contract, operation, { sends: body ? ["body.channels"] : [] }) === undefined)
    return { operation: id, ...(body ? { body: { channels: {} } } : {}) };
  const { path, ...request } = sampleRequestOf(operation, toSample);
  return { operation: id, ...request, ...(known ? {} : { path }) }; // the target has another subscriber
}

function toSample(parameter: Parameter): unknown {
  const isKey = parameter.in === "header" && parameter.name.toLowerCase() === "idempotency-key";
  return isKey ? crypto.randomUUID() : sampleOfParameter(parameter); // a repeated key is another rule
}

/** The schema of a request body in JSON; undefined if the operation has none. */
export function jsonSchemaOf({ body }: Operation): Schema | undefined {
  const media = mainMedia(body);
  return media?.isJson ? media.schema : undefined;
}

interface Reading {
  /** The media types that the contract declares for the body. */
  declared?: string[] | undefined;
  parse: (text: string) => unknown;
}

/** A body that is not JSON is a violation. */
export function createTestResponse(
  raw: RawResponse,
  request: RequestSpec<Buffer>,
  { declared = [], parse }: Reading,
): TestResponse {
  const { text, status } = raw;
  const type = String(raw.headers["content-type"] ?? "");
  const isText = status < 300 || declared.some((mediaType) => type.startsWith(mediaType));
  if (text === "") return { ...raw, body: request.method === "HEAD" ? undefined : "", request };
  // The contract's check covers the media type.
  if (!/json|^$/i.test(type) && isText) return { ...raw, body: text, request };
  try {
    return { ...raw, body: parse(text), request };
  } catch {
    const difference = { what: "body", expected: "JSON", actual: text.slice(0, 200), received: toReceived(raw) };
    const sentence = "The response's body is not JSON.";
    const violation = new ExpectationError({ code: "contract", ...difference, sentence, request });
    return { ...raw, body: undefined, request, violation };
  }
}
