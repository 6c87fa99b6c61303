// The entry of this folder: serves a contract that the handlers do not implement. Requests are reduced to what the handlers know, and
// responses adapted to the served contract.
import type { Contract } from "../../contract/contract.js";
import { implementedContract, isImplemented } from "../../contract/implemented.js";
import { isJson } from "../../contract/media-type.js";
import { memoize } from "../../contract/memoize.js";
import type { Header, Operation } from "../../contract/model.js";
import { findResponse, mainMedia, rejectionStatusOf, successOf } from "../../contract/operation-responses.js";
import { STANDARD_HEADERS } from "../../contract/response-check.js";
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
  const { errorBody } = served.model;
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
      return errorBody ? { ...response, body: adaptValue(errorBody, toJson(response.body), origin) } : response;
    },
    /** True if the response may have a header; for an unknown path, if any response may. */
    isDeclared(operation: Operation | undefined, status: number, name: string): boolean {
      if (!operation) return headerNames.has(name.toLowerCase());
      const declared = findResponse(operation, status);
      return declared === undefined || toNames(declared.headers).has(name.toLowerCase());
    },
  };
}

function findHeaderNames({ model: { operations } }: Contract): Set<string> {
  return toNames(operations.flatMap(({ responses }) => responses.flatMap(({ headers }) => headers)));
}

function adaptResponse(
  served: Contract,
  operation: Operation,
  { response, origin }: { response: HttpResponse; origin: Origin },
): HttpResponse {
  const status = toServedStatus(operation, response.status);
  const declared = findResponse(operation, status);
  if (!declared) return response;
  const media = mainMedia(declared);
  const samples = toHeaders(declared, origin.path || origin.request);
  const names = toNames(declared.headers);
  const sent = Object.entries({ ...samples, ...response.headers }).filter(([name]) => names.has(name.toLowerCase()));
  const headers: HttpResponse["headers"] = Object.fromEntries(sent);
  if (!media) return { status, headers, body: undefined };
  const example = responsesOf(served, operation).find((one) => one.status === status);
  if (!isJson(media.type)) return { status, headers, mediaType: media.type, body: example?.body ?? "" }; // an error
  const body = media.schema ? adaptValue(media.schema, toJson(response.body), origin) : toJson(response.body);
  if (status !== response.status && isObject(body) && "statusCode" in body) {
    body.statusCode = media.schema?.member("statusCode")?.flat.const ?? status;
  }
  return { status, headers, body, ...(media.type === "application/json" ? {} : { mediaType: media.type }) };
}

/** Uses the served contract's status of a success and of an invalid request. */
function toServedStatus(operation: Operation, status: number): number {
  if (status === 200 && findResponse(operation, 200) === undefined) return successOf(operation)?.status ?? 200;
  return status === 422 ? rejectionStatusOf(operation) : status;
}

/** The names of declared headers, and of those that need no declaration, in lower case. */
function toNames(declared: readonly Header[]): Set<string> {
  return new Set([...declared.map(({ name }) => name.toLowerCase()), ...STANDARD_HEADERS]);
}

function toJson(body: unknown): unknown {
  if (!(body instanceof JsonText)) return body;
  return JSON.parse(Buffer.concat(body.parts.map((part) => Buffer.from(part as string))).toString());
}
