// An operation as a whole: the handler decides, then the change becomes durable. Nothing is sent here.
import type { Operation, OperationId, OperationRequest } from "../contract/operations.js";
import type { Plan } from "../domain/plan.js";
import type { Environment } from "../store/environment.js";
import type { Handler, HandlerContext } from "./handler.js";
import type { HttpResponse } from "./http-response.js";
import { type Decide, executeOnce, type IdempotentRequest } from "./idempotency.js";
import { listNotifications } from "./list-notifications.js";
import { updatePreferences } from "./update-preferences.js";

// An operation of the contract without a handler, or with one that returns something else, does not compile.
export const handlers = { updatePreferences, listNotifications } satisfies { [Id in OperationId]: Handler<Id> };

/** A request that has passed the contract. */
export interface ValidRequest {
  path: unknown;
  query: unknown;
  body: unknown;
}

export interface CallContext {
  environment: Environment;
  now: Date;
  plan: Plan;
  /** Set where the request has an idempotency key. */
  idempotent?: IdempotentRequest | undefined;
  /** Is called before anything is stored, and may throw. */
  check?: ((response: HttpResponse) => void) | undefined;
  /** The response to an error, if it is a rejection. */
  toRejection(error: unknown): HttpResponse | undefined;
}

/** Resolves to the response when its change is durable. */
export function callOperation(
  operation: Operation,
  request: ValidRequest,
  context: CallContext,
): HttpResponse | Promise<HttpResponse> {
  const { environment, now, plan, check } = context;
  const decide: Decide = (view) => {
    const decision = callHandler(operation, request, { view, now, plan });
    // Before anything is stored: an invalid response must not leave its change behind, nor be recorded for replay.
    check?.(decision.response);
    return decision;
  };
  const isSafe = operation.method === "get";
  return isSafe ? decide(environment.state).response : executeUpdate(context, decide);
}

async function executeUpdate(
  { environment, idempotent, toRejection }: CallContext,
  decide: Decide,
): Promise<HttpResponse> {
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
      const rejection = toRejection(error);
      if (!rejection) throw error; // an internal error is not recorded: a retry may succeed
      return { response: rejection, changes: [] };
    }
  });
  return { ...response, headers: { ...response.headers, "Idempotency-Key": idempotent.key } };
}

function callHandler(operation: Operation, request: ValidRequest, context: HandlerContext) {
  // The contract has just proven the request to be of the operation's type; the compiler cannot see that proof. Its
  // operations are those of the generated types: handlers.types.ts and the clauses' test hold them together.
  const handle = handlers[operation.id as OperationId] as Handler<OperationId>;
  const { body, changes } = handle(request as OperationRequest<OperationId>, context);
  return { response: { status: 200, headers: {}, body }, changes };
}
