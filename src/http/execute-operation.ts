// The last step of an operation: calls it and sends its response.
import type { Request, RequestHandler, Response } from "express";
import type { Adapter } from "../adapt/adapter.js";
import { toMockResponse } from "../adapt/mock-response.js";
import { callOperation } from "../api/call-operation.js";
import type { HttpResponse } from "../api/errors.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import type { Plan } from "../domain/plan.js";
import { toRejection } from "./handle-error.js";
import { contextOf, environmentOf } from "./request-context.js";
import { assertInContract, sendResponse } from "./response.js";

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
