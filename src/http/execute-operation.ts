// The last step of an operation: the handler decides, the change becomes durable, then the response is sent.
import type { Request, RequestHandler } from "express";
import type { Contract } from "../contract/contract.js";
import { ContractError } from "../contract/contract-file.js";
import type { Operation, OperationId, OperationRequest } from "../contract/operations.js";
import type { Plan } from "../domain/plan.js";
import type { Environment } from "../store/environment.js";
import { toErrorResponse } from "./errors.js";
import type { Handler, HandlerContext } from "./handler.js";
import { type Decide, executeOnce } from "./idempotency.js";
import { listNotifications } from "./list-notifications.js";
import { contextOf, environmentOf, type RequestContext } from "./request-context.js";
import { assertInContract, type HttpResponse, sendResponse } from "./response.js";
import { updatePreferences } from "./update-preferences.js";

// An operation of the contract without a handler, or with one that returns something else, does not compile.
export const handlers = { updatePreferences, listNotifications } satisfies { [Id in OperationId]: Handler<Id> };

export interface ExecuteOptions {
  contract: Contract;
  plan: Plan;
  checkResponses: boolean;
}

/** @throws ContractError for an operation without a handler: one of another contract. */
export function createExecuteOperation(operation: Operation, options: ExecuteOptions): RequestHandler {
  const { file } = options.contract;
  if (!Object.hasOwn(handlers, operation.id)) {
    const line = file.lineOf(["paths", operation.path, operation.method, "operationId"]);
    const known = Object.keys(handlers).join(" and ");
    throw new ContractError(file.path, line, `the server has no operation ${operation.id}; it has ${known}`);
  }
  return async function executeOperation(request, response) {
    const context = contextOf(response);
    const environment = environmentOf(response);
    const decide: Decide = (view) => {
      const decision = callHandler(operation, request, { ...context, view, plan: options.plan });
      // Before anything is stored: an invalid response must not leave its change behind, nor be recorded for replay.
      if (options.checkResponses) assertInContract(options.contract, operation, response, decision.response);
      return decision;
    };
    const isSafe = operation.method === "get";
    sendResponse(
      response,
      isSafe ? decide(environment.state).response : await executeUpdate(request, context, environment, decide),
    );
  };
}

async function executeUpdate(
  request: Request,
  context: RequestContext,
  environment: Environment,
  decide: Decide,
): Promise<HttpResponse> {
  const { idempotent } = context;
  if (!idempotent) {
    return environment.transact((view) => {
      const { response, changes } = decide(view);
      return { result: response, changes };
    });
  }
  const response = await executeOnce(environment, idempotent, (view) => {
    try {
      return decide(view);
    } catch (error) {
      const rejection = toErrorResponse(error, request, context);
      if (!rejection) throw error; // an internal error is not recorded: a retry may succeed
      return { response: rejection, changes: [] };
    }
  });
  return { ...response, headers: { ...response.headers, "Idempotency-Key": idempotent.key } };
}

function callHandler(operation: Operation, request: Request, context: HandlerContext) {
  // The contract has just proven the request to be of the operation's type; the compiler cannot see that proof. Its
  // operations are those of the generated types: handlers.types.ts and the clauses' test hold them together.
  const handle = handlers[operation.id as OperationId] as Handler<OperationId>;
  const { body, changes } = handle(
    { path: request.params, query: request.query, body: request.body } as unknown as OperationRequest<OperationId>,
    context,
  );
  return { response: { status: 200, headers: {}, body }, changes };
}
