// The entry: how the handlers of this server serve a contract that is not the one they implement. Requests are reduced to what
// the handlers know, and their responses brought into the form that the served contract asks for.
import type { HttpResponse } from "../api/errors.js";
import type { Contract } from "../contract/contract.js";
import { implementedContract, isImplemented } from "../contract/implemented.js";
import { valueAt } from "../contract/openapi-document.js";
import { isJson, mainContent, type Operation } from "../contract/operations.js";
import { findErrorSchema, STANDARD_HEADERS } from "../contract/response-check.js";
import { findResponse, successStatusOf } from "../contract/responses.js";
import { JsonText } from "../domain/notifications.js";
import { adaptValue } from "./adapt-value.js";
import { type ImplementationStatus, toImplementationStatus } from "./implementation-status.js";
import { type MockedRequest, toHeaders, toMockResponse } from "./mock-response.js";
import { type OperationInput, toHandled } from "./to-handled.js";

/** A request, as far as adapting depends on it. */
export interface AdaptedRequest extends MockedRequest {
  /** The parameters of its path. */
  params: Readonly<Record<string, unknown>>;
}

export interface Adapter {
  status: ImplementationStatus;
  /** What a handler gets of a request; undefined where it cannot do anything with it. */
  toHandled(operation: Operation, input: OperationInput): OperationInput | undefined;
  /** A response as the served contract wants it. `operation` is undefined for a path that it does not have. */
  adapt(operation: Operation | undefined, request: AdaptedRequest, response: HttpResponse): HttpResponse;
  /** Whether a header may be sent. */
  isDeclared(operation: Operation, status: number, name: string): boolean;
}

const adapters = new WeakMap<Contract, Adapter>();

/** Undefined for the contract that is implemented: there is nothing to adapt. */
export function adapterOf(served: Contract): Adapter | undefined {
  if (isImplemented(served)) return undefined;
  const adapter = adapters.get(served) ?? createAdapter(served);
  adapters.set(served, adapter);
  return adapter;
}

function createAdapter(served: Contract): Adapter {
  const implemented = implementedContract();
  const { document } = served;
  const errorSchema = findErrorSchema(document);

  return {
    status: toImplementationStatus(served, implemented),
    toHandled: (operation, input) => toHandled(implemented, operation, input),
    adapt(operation, request, response) {
      if (response.mediaType !== undefined) return response; // of the contract itself
      const origin = { path: Object.values(request.params).join("/"), request: `${request.method} ${request.target}` };
      if (!operation) {
        const schema = errorSchema && valueAt(document, errorSchema);
        return { ...response, body: adaptValue(document, schema, toValue(response.body), origin) };
      }
      const isSuccess = response.status === 200 && findResponse(document, operation, 200) === undefined;
      const status = isSuccess ? successStatusOf(operation) : response.status;
      const declared = findResponse(document, operation, status);
      if (!declared) return response;
      const [mediaType, media] = mainContent(declared.object.content) ?? [];
      const kept = toDeclared(declared.object.headers, {
        ...toHeaders(served, declared.object, origin.path || origin.request),
        ...response.headers,
      });
      if (mediaType === undefined) return { status, headers: kept, body: undefined };
      if (!isJson(mediaType)) return toMockResponse(served, operation, request);
      const body = adaptValue(document, media?.schema, toValue(response.body), origin);
      return { status, headers: kept, body, ...(mediaType === "application/json" ? {} : { mediaType }) };
    },
    isDeclared(operation, status, name) {
      const { object } = findResponse(document, operation, status) ?? {};
      return object === undefined || name in toDeclared(object.headers, { [name]: "" });
    },
  };
}

/** The headers that a response declares, and those that none has to. */
function toDeclared(declared: object = {}, headers: HttpResponse["headers"]): Record<string, string> {
  const names = new Set([...Object.keys(declared).map((name) => name.toLowerCase()), ...STANDARD_HEADERS]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.has(name.toLowerCase())));
}

function toValue(body: unknown): unknown {
  if (!(body instanceof JsonText)) return body;
  return JSON.parse(Buffer.concat(body.parts.map((part) => Buffer.from(part as string))).toString());
}
