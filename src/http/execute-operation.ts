// The last step of an operation: calls it and sends its response.
import type { RequestHandler } from "express";
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
}

export function createExecuteOperation(operation: Operation, options: ExecuteOptions): RequestHandler {
  const { contract, plan, checkResponses } = options;
  return async function executeOperation(request, response) {
    const context = contextOf(response);
    const check = (result: HttpResponse) => assertInContract(contract, operation, response, result);
    const { params: path, query, body } = request;
    const result = callOperation(
      operation,
      { path, query, body },
      {
        environment: environmentOf(response),
        now: context.now,
        plan,
        idempotent: context.idempotent,
        check: checkResponses ? check : undefined,
        toRejection: (error) => toRejection(error, request, context),
      },
    );
    sendResponse(response, await result);
  };
}
