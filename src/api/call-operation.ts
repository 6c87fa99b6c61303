// The operations that this server implements, by method and path: the handler of each decides, then the change becomes durable.
// Nothing is sent here.
import type { IdAt, Operation, OperationId, OperationRequest, Route, SuccessBody } from "../contract/operations.js";
import type { Change } from "../domain/change.js";
import { listNotifications as decidePage, type JsonText, type NotificationFilter } from "../domain/notifications.js";
import type { Plan } from "../domain/plan.js";
import { updatePreferences as decideUpdate } from "../domain/preferences.js";
import type { EnvironmentView } from "../domain/state.js";
import type { Environment, Transaction } from "../store/environment.js";
import type { HttpResponse } from "./errors.js";
import { executeOnce, type IdempotentRequest } from "./idempotency.js";

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

/** Document §4.1. */
const updatePreferences: Handler<"updatePreferences"> = ({ path, body }, { view }) => {
  const { channels, workflowId } = body;
  const { stored, preferences } = decideUpdate({ subscriberId: path.subscriberId, channels, workflowId }, view);
  const isChange = Object.keys(channels).length > 0; // D-04
  return { body: preferences, changes: isChange ? [{ type: "preferencesSet", preferences: stored }] : [] };
};

/** Document §4.2. */
const listNotifications: Handler<"listNotifications"> = ({ query }, { view, now, plan }) => ({
  body: decidePage(toFilter(query), view, { now: now.getTime(), plan }),
  changes: [],
});

type Query = OperationRequest<"listNotifications">["query"];

/** What a query is filtered by. A parameter that the filter does not have does not compile in `toFilter`. */
export type FilterOf<Parameters> = NotificationFilter &
  Record<Exclude<keyof Parameters, keyof NotificationFilter>, never>;

function toFilter(query: Query): FilterOf<Query> {
  return query;
}

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

/** What implements an operation; undefined where nothing does. The names of its path's parameters do not matter. */
export function implementationOf(operation: Pick<Operation, "method" | "path">): Implementation | undefined {
  return IMPLEMENTATIONS.get(toKey(operation));
}

function toKey({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/{[^}]*}/g, "{}")}`;
}

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
