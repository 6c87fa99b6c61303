// The entry of this folder: serves a contract that the handlers do not implement. Requests are reduced to what the handlers know, and
// responses adapted to the served contract.
import type { Contract } from "../../contract/contract.js";
import { implementedContract, isImplemented } from "../../contract/implemented.js";
import { memoize } from "../../contract/memoize.js";
import { type OpenApiDocument, resolve, valueAt } from "../../contract/openapi-document.js";
import {
  findResponse,
  isJson,
  mainContent,
  type Operation,
  rejectionStatusOf,
  successStatusOf,
} from "../../contract/operations.js";
import { findErrorSchema, STANDARD_HEADERS } from "../../contract/response-check.js";
import { flatten } from "../../contract/schema-flatten.js";
import { JsonText } from "../../core/domain/notifications.js";
import { isObject } from "../../core/domain/options.js";
import type { HttpResponse } from "../../core/operations/errors.js";
import { adaptValue, type Origin } from "./adapt-value.js";
import { type ImplementationStatus, toImplementationStatus } from "./implementation-status.js";
import { type MockedRequest, responsesOf, toHeaders } from "./mock-response.js";
import { type OperationInput, toHandled } from "./to-handled.js";

export interface AdaptedRequest extends MockedRequest {
  /** The parameters of its path. */
  params: Readonly<Record<string, unknown>>;
}

export type Adapter = ReturnType<typeof createAdapter>;

/** Undefined for the implemented contract. */
export const adapterOf = memoize((served: Contract) => (isImplemented(served) ? undefined : createAdapter(served)));

/** What of a contract is implemented; undefined if all of it is, and all of it is checked. */
export function proposalOf(served: Contract): ImplementationStatus | undefined {
  const isUnchecked = served.unchecked.length > 0;
  return adapterOf(served)?.status ?? (isUnchecked ? toImplementationStatus(served, served) : undefined);
}

function createAdapter(served: Contract) {
  const implemented = implementedContract();
  const { document } = served;
  const errorSchema = valueAt(document, findErrorSchema(document) ?? [""]);
  const headerNames = findHeaderNames(served);
  return {
    status: toImplementationStatus(served, implemented),
    /** The handler's input for a request; undefined if the handler cannot take it. */
    toHandled: (operation: Operation, input: OperationInput) => toHandled({ served, implemented }, operation, input),
    /** Adapts a response. `operation` is undefined for an unknown path. */
    adapt(operation: Operation | undefined, request: AdaptedRequest, response: HttpResponse): HttpResponse {
      if (response.mediaType !== undefined) return response; // made from the served contract
      const origin = { path: Object.values(request.params).join("/"), request: `${request.method} ${request.target}` };
      if (operation) return adaptResponse(served, operation, { response, origin });
      return { ...response, body: adaptValue(document, errorSchema, toJson(response.body), origin) };
    },
    /** True if the response may have a header; for an unknown path, if any response may. */
    isDeclared(operation: Operation | undefined, status: number, name: string): boolean {
      if (!operation) return headerNames.has(name.toLowerCase());
      const { object } = findResponse(document, operation, status) ?? {};
      return object === undefined || toNames(object.headers).has(name.toLowerCase());
    },
  };
}

function findHeaderNames({ document, operations }: Contract): Set<string> {
  const places = operations.flatMap(({ object }) => Object.values(object.responses));
  return toNames(Object.assign({}, ...places.map((place) => resolve(document, place).headers)));
}

function adaptResponse(
  served: Contract,
  operation: Operation,
  { response, origin }: { response: HttpResponse; origin: Origin },
): HttpResponse {
  const { document } = served;
  const status = toServedStatus(document, operation, response.status);
  const declared = findResponse(document, operation, status)?.object;
  if (!declared) return response;
  const [mediaType, media] = mainContent(declared.content) ?? [];
  const samples = toHeaders(served, declared, origin.path || origin.request);
  const names = toNames(declared.headers);
  const sent = Object.entries({ ...samples, ...response.headers }).filter(([name]) => names.has(name.toLowerCase()));
  const headers: HttpResponse["headers"] = Object.fromEntries(sent);
  if (mediaType === undefined) return { status, headers, body: undefined };
  const example = responsesOf(served, operation).find((one) => one.status === status);
  if (!isJson(mediaType)) return { status, headers, mediaType, body: example?.body ?? "" }; // an error
  const body = adaptValue(document, media?.schema, toJson(response.body), origin);
  if (status !== response.status && isObject(body) && "statusCode" in body) {
    const { statusCode } = flatten(document, media?.schema).properties ?? {};
    body.statusCode = flatten(document, statusCode).const ?? status;
  }
  return { status, headers, body, ...(mediaType === "application/json" ? {} : { mediaType }) };
}

/** Uses the served contract's status of a success and of an invalid request. */
function toServedStatus(document: OpenApiDocument, operation: Operation, status: number): number {
  if (status === 200 && findResponse(document, operation, 200) === undefined) return successStatusOf(operation);
  return status === 422 ? rejectionStatusOf(operation) : status;
}

/** The names of declared headers, and of those that need no declaration, in lower case. */
function toNames(declared: object = {}): Set<string> {
  return new Set([...Object.keys(declared).map((name) => name.toLowerCase()), ...STANDARD_HEADERS]);
}

function toJson(body: unknown): unknown {
  if (!(body instanceof JsonText)) return body;
  return JSON.parse(Buffer.concat(body.parts.map((part) => Buffer.from(part as string))).toString());
}
