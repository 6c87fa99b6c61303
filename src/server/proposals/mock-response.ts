// Responses for operations without a handler, and for `Prefer`: the contract's examples, else samples. The same request gets the
// same response.
import type { Contract } from "../../contract/contract.js";
import { examplesOf, isCurrent, type ResponseExample } from "../../contract/examples.js";
import { memoize } from "../../contract/memoize.js";
import { type HeaderObject, type ResponseObject, resolve } from "../../contract/openapi-document.js";
import {
  declaredStatusesOf,
  findResponse,
  isJson,
  mainContent,
  type Operation,
  successStatusOf,
} from "../../contract/operations.js";
import { MOCKED_HEADER } from "../../contract/response-check.js";
import { sampleValue } from "../../contract/values/example.js";
import type { HttpResponse } from "../../core/operations/errors.js";
import type { Step } from "../../core/operations/exchange.js";
import { adaptValue } from "./adapt-value.js";

export interface MockedRequest {
  method: string;
  /** Path and query. */
  target: string;
  body?: unknown;
}

/** Responds for an operation without a handler, and says so in a header. */
export function toMockResponse(contract: Contract, operation: Operation, request: MockedRequest): HttpResponse {
  const response = toSampleResponse(contract, operation, request);
  return { ...response, headers: { ...response.headers, [MOCKED_HEADER]: "not-implemented" } };
}

/** Creates the last step of an operation without a handler. */
export function createMockOperation(contract: Contract, operation: Operation): Step {
  return function mockOperation(exchange): HttpResponse {
    const { method, target, input } = exchange;
    const response = toMockResponse(contract, operation, { method, target, body: input.body });
    exchange.isMocked = true;
    exchange.check?.(response);
    return response;
  };
}

/** The success of an operation: its example, else a sample. */
export function toSampleResponse(contract: Contract, operation: Operation, request: MockedRequest): HttpResponse {
  const status = successStatusOf(operation);
  const isChosen = (one: ResponseExample) => one.status === status && one.name !== GENERATED;
  const seed = `${request.method} ${request.target} ${JSON.stringify(request.body)}`;
  return responsesOf(contract, operation).find(isChosen) ?? generate(contract, operation, status, seed);
}

const GENERATED = "generated";
const responsesByOperation = memoize((contract: Contract) =>
  memoize((operation: Operation) => findResponses(contract, operation)),
);

/** The responses of an operation that a client can choose: for each status its valid examples, or a sample. */
export function responsesOf(contract: Contract, operation: Operation): ResponseExample[] {
  return responsesByOperation(contract)(operation);
}

function findResponses(contract: Contract, operation: Operation): ResponseExample[] {
  const examples = examplesOf(contract.document, operation).flatMap((example) => toValid(contract, operation, example));
  const statuses = declaredStatusesOf(operation);
  const others = statuses.filter((status) => !examples.some((example) => example.status === status));
  const generated = others.map((status) => ({ name: GENERATED, ...generate(contract, operation, status, GENERATED) }));
  return [...examples, ...generated].toSorted((one, other) => one.status - other.status);
}

/** Adapts an example to its schema, which may have changed since; drops it if it stays invalid. */
function toValid(contract: Contract, operation: Operation, example: ResponseExample): ResponseExample[] {
  const declared = findResponse(contract.document, operation, example.status);
  const [mediaType = "", media] = mainContent(declared?.object.content) ?? [];
  if (!declared || !media) return [];
  const headers = { ...toHeaders(contract, declared.object, example.name), ...example.headers };
  if (!isJson(mediaType)) return [{ ...example, headers, mediaType }];
  const type = mediaType === "application/json" ? {} : { mediaType };
  if (isCurrent(contract, operation, example)) return [{ ...example, headers, ...type }];
  const body = adaptValue(contract.document, media.schema, example.body, { path: "", request: example.name });
  return isCurrent(contract, operation, { ...example, body }) ? [{ ...example, headers, ...type, body }] : [];
}

/** A sample of the response of a status, in its main media type. */
function generate(contract: Contract, operation: Operation, status: number, seed: string): HttpResponse {
  const { document } = contract;
  const object: ResponseObject = findResponse(document, operation, status)?.object ?? { description: "" };
  const headers = toHeaders(contract, object, seed);
  const [type, media] = mainContent(object.content) ?? [];
  if (type === undefined || !media || [204, 205, 304].includes(status)) return { status, headers, body: undefined };
  const value = sampleValue(document, media.schema ?? {}, seed);
  if (isJson(type))
    return { status, headers, body: value ?? null, ...(type === "application/json" ? {} : { mediaType: type }) };
  const body = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return { status, headers, body, mediaType: type.replace("*/*", "text/plain").replace("/*", "/plain") };
}

/** The required headers of a response: examples, or samples. */
export function toHeaders(
  { document }: Contract,
  { headers = {} }: ResponseObject,
  seed: string,
): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, place]) => {
    const { required, example, schema } = resolve<HeaderObject>(document, place);
    if (!required || name.toLowerCase() === "content-type") return [];
    const value = example ?? sampleValue(document, schema ?? {}, `${seed}/${name}`);
    return [[name, toHeaderText(value)]];
  });
  return Object.fromEntries(entries);
}

function toHeaderText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value).replaceAll(/[^\t\x20-\x7e]/g, "?");
}
