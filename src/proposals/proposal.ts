// The entry of this folder: prepares a server for a contract that the handlers do not implement. Requests are reduced
// to what the handlers know, and responses adapted to the served contract.
import { type Contract, implementedContract, isImplemented } from "../contract/contract.js";
import { isObject } from "../contract/json.js";
import { mapDefined } from "../contract/lists.js";
import { hasJson, negotiate } from "../contract/media-type.js";
import { memoize } from "../contract/memoize.js";
import type { DeclaredResponse, Header, Operation } from "../contract/model.js";
import { findResponse, mainMedia, rejectionStatusOf, successOf } from "../contract/operation.js";
import { readHeader } from "../contract/parameter-text.js";
import { isStandard } from "../contract/response-check.js";
import {
  createHeaders,
  createMockResponse,
  type MockedRequest,
  responsesOf,
  typeOf,
} from "../contract/sample/message.js";
import { fitValue, type SampleSource } from "../contract/sample/sample.js";
import { JsonText } from "../core/domain/notifications.js";
import { codeOf, isOfHandler } from "../core/request/errors.js";
import type { Exchange, HttpResponse, LastStep, ResponseAdapter } from "../core/request/exchange.js";
import { createExecute } from "../core/request/handlers.js";
import type { Serving } from "../server/serving.js";
import { compareContracts } from "./compare-contracts.js";
import { findInvalidValues } from "./find-invalid-values.js";
import { recordContractOf } from "./record-contract.js";
import { adaptError, nearestStatus } from "./response.js";
import { counterpartOf, reduceInput } from "./to-handled.js";

/** What a server does with any contract, the implemented one included. */
export const prepareProposal = memoize((served: Contract): Serving => {
  const own = isImplemented(served) ? served : implementedContract();
  const { status, isReal } = compareContracts(served, own);
  const adapter = own === served ? undefined : createResponseAdapter(served, own);
  const serving: Serving = {
    records: recordContractOf(served),
    status,
    createLastStep(operation, plan) {
      const mock = createMockOperation(operation);
      if (!isReal(operation)) return mock;
      const execute = createExecute(operation, plan);
      if (!adapter) return execute;
      const counterpart = counterpartOf(operation, own) as Operation; // a real operation has one
      return (exchange) => {
        const input = reduceInput(operation, counterpart, exchange.input, exchange.headers);
        return input && takesMainMedia(operation, exchange) ? execute(exchange, input) : mock(exchange);
      };
    },
    responsesOf,
    ...(adapter && { adapter }),
    findInvalidValues: (environments) => (adapter ? findInvalidValues(served, serving, environments) : []),
  };
  return serving;
});

/** Creates the last step of an operation without a handler. */
function createMockOperation(operation: Operation): LastStep {
  return function mockOperation(exchange): HttpResponse {
    const response = createMockResponse(operation, toMockedRequest(exchange));
    exchange.isMocked = true;
    exchange.assertValid?.(response);
    return response;
  };
}

export function toMockedRequest({ method, target, headers, input }: Exchange): MockedRequest {
  return { method, target, body: input.body, accept: headers.accept?.toString() };
}

/** False if the client prefers another media type of the success than the one that handlers and Prism make. */
export function takesMainMedia(operation: Operation, { headers }: Pick<Exchange, "headers">): boolean {
  const declared = successOf(operation);
  return !declared || negotiate(declared.content, headers.accept?.toString()) === mainMedia(declared);
}

function createResponseAdapter(served: Contract, own: Contract): ResponseAdapter {
  const { operations } = served;
  const headerNames = namesOf(operations.flatMap(({ responses }) => responses.flatMap(({ headers }) => headers)));
  return {
    adapt(operation, exchange, response) {
      if (response.mediaType !== undefined || exchange.isMocked) return response; // made from the served contract
      const source = sourceOf(exchange);
      if (response.status >= 400) return adaptErrorResponse(served, operation, { response, exchange, source });
      if (!operation) return response;
      const counterpart = counterpartOf(operation, own);
      const schema = counterpart && mainMedia(successOf(counterpart))?.schema;
      return adaptSuccess(operation, response, { ...source, own: schema });
    },
    isDeclared(operation, status, name) {
      const declared = operation && findResponse(operation, status);
      const names = declared ? namesOf(declared.headers) : headerNames;
      return names.has(name.toLowerCase()) || isStandard(name.toLowerCase(), status);
    },
  };
}

/** HEAD has the headers of GET. */
function sourceOf({ input, method, target }: Pick<Exchange, "input" | "method" | "target">): SampleSource {
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  return { path: Object.values(input.path).join("/"), request: `${name} ${target}` };
}

function adaptSuccess(operation: Operation, response: HttpResponse, source: SampleSource): HttpResponse {
  const declared = findResponse(operation, response.status) ?? successOf(operation);
  if (!declared) return response;
  const headers = headersOf(declared, response, source);
  const status = findResponse(operation, response.status) ? response.status : declared.status;
  const media = mainMedia(declared);
  if (!media) return { status, headers, body: undefined };
  const body = response.body instanceof JsonText ? JSON.parse(String(response.body)) : response.body;
  return { status, headers, body: media.schema ? fitValue(media.schema, body, source) : body, ...typeOf(media.type) };
}

interface FailedExchange {
  response: HttpResponse;
  exchange: Exchange;
  source: SampleSource;
}

function adaptErrorResponse(
  served: Contract,
  operation: Operation | undefined,
  { response, exchange, source }: FailedExchange,
): HttpResponse {
  const status = operation ? statusFor(operation, response) : response.status;
  const declared = operation && findResponse(operation, status);
  const media = mainMedia(declared);
  const headers = declared ? headersOf(declared, response, source) : response.headers;
  if (declared && !media) return { status, headers, body: undefined };
  const schema = media?.schema ?? served.errorBody;
  if (media && !hasJson(media.type) && operation) {
    const example = responsesOf(operation).find((one) => one.status === status);
    return { status, headers, mediaType: media.type, body: example?.body ?? "" };
  }
  const { body } = response;
  if (!schema || !isObject(body)) return { ...response, status, headers };
  const { message = "", path = "", timestamp = exchange.now.toISOString() } = body as Record<string, string>;
  const error = { statusCode: status, message, path, timestamp, code: codeOf(response) };
  const adapted = adaptError(schema, "statusCode" in body ? { ...body, statusCode: status } : body, error);
  return { status, headers, body: adapted, ...typeOf(media?.type ?? served.errorTypes[0]) };
}

/** What the handler decides becomes the nearest declared status of its class; what HTTP and validation decide stays. */
function statusFor(operation: Operation, response: HttpResponse): number {
  const { status } = response;
  if (findResponse(operation, status)) return status;
  if (status === 422) return rejectionStatusOf(operation);
  return isOfHandler(response) ? (nearestStatus(operation, status) ?? status) : status;
}

/** The headers that the response has and may have, where they are valid, and samples of those that it needs. */
function headersOf(declared: DeclaredResponse, response: HttpResponse, source: SampleSource): HttpResponse["headers"] {
  const samples = createHeaders(declared, source.path || source.request);
  const own = new Map(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  const kept = mapDefined(declared.headers, ({ name, schema, ...header }): [string, string] | undefined => {
    const sent = own.get(name.toLowerCase());
    own.delete(name.toLowerCase());
    const isValid = sent && (!schema || schema.allows(readHeader({ name, schema, ...header }, sent.value)));
    if (isValid) return [name, sent.value];
    const sample = samples[name];
    return sample === undefined ? undefined : [name, sample];
  });
  const standard = [...own.values()].filter(({ name }) => isStandard(name.toLowerCase(), response.status));
  return Object.fromEntries([...kept, ...standard.map(({ name, value }) => [name, value])]);
}

function namesOf(declared: readonly Header[]): Set<string> {
  return new Set(declared.map(({ name }) => name.toLowerCase()));
}
