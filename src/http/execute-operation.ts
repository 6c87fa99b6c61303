// How an operation is executed: the step that takes the idempotency key of an update, and the last one, which calls the operation
// and sends its response.
import { createHash } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import type { Adapter } from "../adapt/adapter.js";
import { toMockResponse } from "../adapt/mock-response.js";
import { callOperation } from "../api/call-operation.js";
import type { HttpResponse } from "../api/errors.js";
import { takeKey, toFingerprint } from "../api/idempotency.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import type { Plan } from "../domain/plan.js";
import { toRejection } from "./handle-error.js";
import { contextOf, environmentOf } from "./request-context.js";
import { assertInContract, sendResponse } from "./response.js";

/** Until `sendResponse` releases the key. A file holds keys for a day: of what makes two requests the same, it records a hash. */
export const takeIdempotencyKey: RequestHandler = function takeIdempotencyKey(request, response, next) {
  const key = request.get("idempotency-key");
  if (!key) return next();
  const context = contextOf(response);
  const text = toFingerprint(request.method, request.path, request.body);
  const fingerprint = createHash("sha256").update(text).digest("hex");
  const lease = takeKey(environmentOf(response), { key, fingerprint, now: context.now });
  context.idempotent = lease.request;
  context.releaseKey = lease.release;
  next();
};

export interface ExecuteOptions {
  contract: Contract;
  plan: Plan;
  checkResponses: boolean;
  /** Undefined where the contract is the one that is implemented. */
  adapter?: Adapter | undefined;
}

export function createExecuteOperation(operation: Operation, options: ExecuteOptions): RequestHandler {
  const { contract, plan, checkResponses, adapter } = options;
  const mock = createMockOperation(operation, options);
  return async function executeOperation(request, response) {
    const context = contextOf(response);
    const check = (result: HttpResponse) => assertInContract(contract, operation, response, result);
    const { params: path, query, body } = request;
    const input = adapter ? adapter.toHandled(operation, { path, query, body }) : { path, query, body };
    if (!input) return mock(request, response);
    const result = callOperation(operation, input, {
      environment: environmentOf(response),
      now: context.now,
      plan,
      idempotent: context.idempotent,
      check: checkResponses ? check : undefined,
      toRejection: (error) => toRejection(error, request, context),
    });
    sendResponse(response, await result);
  };
}

/** The last step of an operation that is not implemented. It has no state. */
export function createMockOperation(operation: Operation, { contract, checkResponses }: ExecuteOptions) {
  return function mockOperation(request: Request, response: Response): void {
    const { method, originalUrl: target, body } = request;
    const accepts = (mediaTypes: string[]) => request.accepts(mediaTypes);
    const result = toMockResponse(contract, operation, { method, target, body, accepts });
    contextOf(response).isMocked = true;
    if (checkResponses) assertInContract(contract, operation, response, result);
    sendResponse(response, result);
  };
}
