// An operation as a whole: the handler decides, then the change becomes durable. Nothing is sent here.
import type { Operation, OperationId, OperationRequest } from "../contract/operations.js";
import type { Plan } from "../domain/plan.js";
import type { Environment, Transaction } from "../store/environment.js";
import type { HttpResponse } from "./errors.js";
import { implementationOf } from "./handlers.js";
import { executeOnce, type IdempotentRequest } from "./idempotency.js";

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

/**
 * Resolves to the response when its change is durable.
 * @throws Error for an operation that is not implemented: whoever calls it has looked.
 */
export function callOperation(
  operation: Operation,
  request: ValidRequest,
  context: CallContext,
): HttpResponse | Promise<HttpResponse> {
  const { environment, now, plan, check } = context;
  const implementation = implementationOf(operation);
  if (!implementation) throw new Error(`${operation.id} is not implemented`);
  const transaction: Transaction<HttpResponse> = (view) => {
    const { body, changes } = implementation.handle(request as OperationRequest<OperationId>, { view, now, plan });
    const result = { status: 200, headers: {}, body };
    // Before anything is stored: an invalid response must not leave its change behind, nor be recorded for replay.
    check?.(result);
    return { result, changes };
  };
  const isSafe = operation.method === "get";
  return isSafe ? transaction(environment.state).result : executeUpdate(context, transaction);
}

async function executeUpdate(
  { environment, idempotent, toRejection }: CallContext,
  transaction: Transaction<HttpResponse>,
): Promise<HttpResponse> {
  if (!idempotent) return environment.transact(transaction);
  const response = await executeOnce(environment, idempotent, (view) => {
    try {
      return transaction(view);
    } catch (error) {
      const result = toRejection(error);
      if (!result) throw error; // an internal error is not recorded: a retry may succeed
      return { result, changes: [] };
    }
  });
  return { ...response, headers: { ...response.headers, "Idempotency-Key": idempotent.key } };
}
