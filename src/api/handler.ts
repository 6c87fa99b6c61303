// What a handler is: the function that turns a valid request of one operation into the body of its success and its changes.
import type { OperationId, OperationRequest, SuccessBody } from "../contract/operations.js";
import type { Change } from "../domain/change.js";
import type { EnvironmentView } from "../domain/environment-view.js";
import type { JsonText } from "../domain/json-text.js";
import type { Plan } from "../domain/plan.js";

export interface HandlerContext {
  view: EnvironmentView;
  now: Date;
  plan: Plan;
}

/**
 * Handles one operation.
 * @throws DomainError when the operation rejects the request.
 */
export type Handler<Id extends OperationId> = (
  request: OperationRequest<Id>,
  context: HandlerContext,
) => { body: SuccessBody<Id> | JsonText<SuccessBody<Id>>; changes: readonly Change[] };
