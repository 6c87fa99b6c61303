// The operations that this server implements, by method and path: the handler of each decides, then the change becomes durable.
// The last step of a request's path.
import type { Operation } from "../../contract/operations.js";
import type { IdAt, OperationId, OperationRequest, Route, SuccessBody } from "../../contract/schemas.js";
import {
  listNotifications as decidePage,
  type JsonText,
  type NotificationFilter,
  type Plan,
} from "../domain/notifications.js";
import { updatePreferences as decideUpdate } from "../domain/preferences.js";
import type { Change, EnvironmentState } from "../domain/state.js";
import type { Environment, Transaction } from "../state/environment.js";
import { type HttpResponse, toErrorResponse } from "./errors.js";
import type { Exchange, Outcome, RequestInput, Step } from "./exchange.js";
import { executeOnce } from "./idempotency.js";

export interface HandlerContext {
  view: EnvironmentState;
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

/** Document §4.1. */
const updatePreferences: Handler<"updatePreferences"> = ({ path, body }, { view }) => {
  const { channels, workflowId } = body;
  const { stored, preferences } = decideUpdate({ subscriberId: path.subscriberId, channels, workflowId }, view);
  const isChange = Object.keys(channels).length > 0; // D-04
  return { body: preferences, changes: isChange ? [{ type: "preferencesSet", preferences: stored }] : [] };
};

/** Document §4.2. */
const listNotifications: Handler<"listNotifications"> = ({ query }, { view, now, plan }) => {
  const filter: FilterOf<typeof query> = query;
  return { body: decidePage(filter, view, { now: now.getTime(), plan }), changes: [] };
};

/** The filter of a query. A parameter of the contract that `NotificationFilter` lacks does not compile. */
export type FilterOf<Parameters> = NotificationFilter &
  Record<Exclude<keyof Parameters, keyof NotificationFilter>, never>;

export type Handlers = { [Place in Route]: Handler<IdAt<Place>> };

// An operation of the contract without a handler, or with one that returns something else, does not compile.
const HANDLERS = {
  "patch /v2/subscribers/{subscriberId}/preferences": updatePreferences,
  "get /v1/notifications": listNotifications,
} satisfies Handlers;

export interface Implementation {
  method: string;
  /** With the names of its parameters as the handler reads them. */
  path: string;
  handle: Handler<OperationId>;
}

const IMPLEMENTATIONS: ReadonlyMap<string, Implementation> = new Map(
  Object.entries(HANDLERS).map(([route, handler]) => {
    const [method = "", path = ""] = route.split(" ");
    // The contract has proven a request to be of its operation's type before the handler gets it; the compiler cannot see that.
    return [toKey({ method, path }), { method, path, handle: handler as Handler<OperationId> }];
  }),
);

/** The implementation of an operation, if any. The names of its path's parameters do not matter. */
export function implementationOf(operation: Pick<Operation, "method" | "path">): Implementation | undefined {
  return IMPLEMENTATIONS.get(toKey(operation));
}

function toKey({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/{[^}]*}/g, "{}")}`;
}

interface ExecuteOptions {
  plan: Plan;
  /** With another contract served: the handler's input for a request; undefined if the handler cannot do anything with it. */
  toHandled?: ((operation: Operation, input: RequestInput) => RequestInput | undefined) | undefined;
  /** Responds where the handler can do nothing with the request. */
  mock?: Step | undefined;
}

/**
 * Creates the last step of an operation. It responds when the change is durable.
 * @throws Error for an operation that is not implemented: whoever calls it has looked.
 */
export function createExecuteOperation(operation: Operation, { plan, toHandled, mock }: ExecuteOptions): Step {
  const implementation = implementationOf(operation);
  if (!implementation) throw new Error(`${operation.id} is not implemented`);
  return function executeOperation(exchange): Outcome | Promise<Outcome> {
    const { environment, now, check } = exchange;
    if (!environment) throw new Error("the request has not been authenticated");
    const input = toHandled ? toHandled(operation, exchange.input) : exchange.input;
    if (!input) return mock?.(exchange);
    const transaction: Transaction<HttpResponse> = (view) => {
      const request = input as unknown as OperationRequest<OperationId>; // the contract has proven it
      const { body, changes } = implementation.handle(request, { view, now, plan });
      const result = { status: 200, headers: {}, body };
      // Before anything is stored: an invalid response must not leave its change behind, nor be recorded for replay.
      check?.(result);
      return { result, changes };
    };
    if (operation.method === "get") return transaction(environment.state).result;
    return executeUpdate(environment, exchange, transaction);
  };
}

async function executeUpdate(
  environment: Environment,
  { idempotent, showTarget, now }: Exchange,
  transaction: Transaction<HttpResponse>,
): Promise<HttpResponse> {
  if (!idempotent) return environment.transact(transaction);
  const response = await executeOnce(environment, idempotent, (view) => {
    try {
      return transaction(view);
    } catch (error) {
      const result = toErrorResponse(error, { path: showTarget(), now });
      if (!result) throw error; // an internal error is not recorded: a retry may succeed
      return { result, changes: [] };
    }
  });
  return { ...response, headers: { ...response.headers, "Idempotency-Key": idempotent.key } };
}
