// The handlers of the operations, found by method and path. A handler decides; its change becomes durable.
// An operation without one is mocked.
import type { IdAt, OperationId, OperationRequest, Route, SuccessBody } from "../../contract/contract-types.js";
import { memoize } from "../../contract/memoize.js";
import type { Operation } from "../../contract/model.js";
import { successOf } from "../../contract/operation.js";
import { createMockResponse, type MockedRequest } from "../../contract/sample/message.js";
import { listNotifications as decidePage, type JsonText, type Plan } from "../domain/notifications.js";
import { updatePreferences as decideUpdate } from "../domain/preferences.js";
import type { NotificationFilter } from "../domain/query.js";
import type { Change, EnvironmentState } from "../domain/state.js";
import type { Environment, Transaction } from "../state/environment.js";
import { createErrorResponse } from "./errors.js";
import { type Exchange, type HttpResponse, type LastStep, rejectedOf, timeOf } from "./exchange.js";
import { executeOnce } from "./idempotency.js";

export interface HandlerContext {
  state: EnvironmentState;
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
const updatePreferences: Handler<"updatePreferences"> = ({ path, body }, { state }) => {
  const { channels, workflowId } = body;
  const { stored, preferences } = decideUpdate({ subscriberId: path.subscriberId, channels, workflowId }, state);
  const isChange = Object.keys(channels).length > 0; // D-04
  return { body: preferences, changes: isChange ? [{ type: "preferencesSet", preferences: stored }] : [] };
};

/** Document §4.2. */
const listNotifications: Handler<"listNotifications"> = ({ query }, { state, now, plan }) => {
  const filter: FilterOf<typeof query> = query;
  return { body: decidePage(filter, state, { now: now.getTime(), plan }), changes: [] };
};

/** The filter of a query. A parameter of the contract that `NotificationFilter` lacks does not compile. */
export type FilterOf<Parameters> = NotificationFilter &
  Record<Exclude<keyof Parameters, keyof NotificationFilter>, never>;

/** In the place of a handler: the operation is mocked on purpose, since its contract is merged before its code. */
const MOCKED = "mocked";

export type Handlers = { [Place in Route]: Handler<IdAt<Place>> | typeof MOCKED };

// An operation of the contract without a handler, or with one that returns something else, does not compile.
const HANDLERS = {
  "patch /v2/subscribers/{subscriberId}/preferences": updatePreferences,
  "get /v1/notifications": listNotifications,
} satisfies Handlers;

export interface HandlerEntry {
  /** Has the parameter names that the handler reads. */
  path: string;
  handle: Handler<OperationId>;
}

const ENTRIES: ReadonlyMap<string, HandlerEntry | typeof MOCKED> = new Map(
  Object.entries<Handlers[Route]>(HANDLERS).map(([route, handler]) => {
    const [method = "", path = ""] = route.split(" ");
    // Validation ensures that a handler gets requests of its own operation only, which the compiler cannot know.
    const entry = handler === MOCKED ? MOCKED : { path, handle: handler as Handler<OperationId> };
    return [keyOf({ method, path }), entry];
  }),
);

/** Finds the handler of an operation, whatever its path's parameters are called. */
export function handlerOf(operation: Pick<Operation, "method" | "path">): HandlerEntry | undefined {
  const entry = ENTRIES.get(keyOf(operation));
  return entry === MOCKED ? undefined : entry;
}

/** True for an operation that the table of handlers leaves to the mock. */
export function isMockedOnPurpose(operation: Pick<Operation, "method" | "path">): boolean {
  return ENTRIES.get(keyOf(operation)) === MOCKED;
}

/** True for an operation that changes state. */
export const changesState = memoize(
  (operation: Operation): boolean => operation.method !== "get" && handlerOf(operation) !== undefined,
);

function keyOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/{[^}]*}/g, "{}")}`;
}

/**
 * Creates the last step of an implemented operation, which responds once the change is durable. For a proposal, it gets
 * the input that the handler knows.
 */
export function createExecute(operation: Operation, plan: Plan) {
  const implementation = handlerOf(operation);
  if (!implementation) throw new Error(`${operation.id} is not implemented`);
  const status = successOf(operation)?.status ?? 200;

  return function execute(exchange: Exchange, input = exchange.input): HttpResponse | Promise<HttpResponse> {
    const { environment, assertValid } = exchange;
    const now = timeOf(exchange);
    if (!environment) throw new Error("the request has not been authenticated");
    const transaction: Transaction<HttpResponse> = (state) => {
      const request = input as unknown as OperationRequest<OperationId>; // validated
      const { body, changes } = implementation.handle(request, { state, now, plan });
      const result = { status, headers: {}, body };
      assertValid?.(result); // before storing: neither the change of an invalid response is kept, nor the response
      return { result, changes };
    };
    if (operation.method === "get") return transaction(environment.state).result;
    return executeUpdate(environment, exchange, transaction);
  };
}

async function executeUpdate(
  environment: Environment,
  exchange: Exchange,
  transaction: Transaction<HttpResponse>,
): Promise<HttpResponse> {
  const { idempotent } = exchange;
  if (!idempotent) return environment.transact(transaction);
  const response = await executeOnce(environment, idempotent, (state) => {
    try {
      return transaction(state);
    } catch (error) {
      const result = createErrorResponse(error, rejectedOf(exchange));
      if (!result) throw error; // an internal error is not recorded: a retry may succeed
      return { result, changes: [] };
    }
  });
  return { ...response, headers: { ...response.headers, "Idempotency-Key": idempotent.key } };
}

/** Places read `GET /v1/notifications 200 body.data[].priority`. */
export interface Implementation {
  /** Operations with state. */
  implemented: string[];
  /** Operations that respond with an example or a sample. */
  mocked: string[];
  /** Why an operation with a handler is mocked, with the member that decides, or in which media type. */
  reasons: string[];
  /** Members and headers of responses that no handler sets: samples. */
  added: string[];
  /** Members and headers of responses that the contract lacks. */
  removed: string[];
  /** Parameters and members of requests that are validated and then ignored. An update that sends one is mocked. */
  withoutEffect: string[];
  /** Statuses of errors that are replaced, or sent although the contract lacks them. */
  errors: string[];
  /** Places that no tool of this project checks, with file and line. */
  unchecked: string[];
  /** Values that are sent although the contract forbids them. */
  cannotBeShown: string[];
}

export function createMockOperation(operation: Operation): LastStep {
  return function mockOperation(exchange): HttpResponse {
    const response = createMockResponse(operation, toMockedRequest(exchange));
    exchange.isMocked = true;
    exchange.assertValid?.(response);
    return response;
  };
}

export function toMockedRequest({ method, target, headers, input }: Exchange): MockedRequest {
  return { method, target, body: input.body, accept: headers.accept?.toString() };
}
