// Compiled by `npm run check`, never run: handlers that miss the contract do not compile. An unused expectation fails.

import type { FilterOf, Handler } from "../../src/api/handlers.js";
import type { OperationId, OperationRequest } from "../../src/contract/operations.js";

type Handlers = { [Id in OperationId]: Handler<Id> };
declare const handlers: Handlers;
declare const updatePreferences: Handlers["updatePreferences"];
declare const listNotifications: Handlers["listNotifications"];

export const all: Handlers = { updatePreferences, listNotifications };

// @ts-expect-error an operation without a handler
export const missing: Handlers = { updatePreferences };

// @ts-expect-error a handler without an operation
export const surplus: Handlers = { ...handlers, deletePreferences: updatePreferences };

// @ts-expect-error a handler of another operation
export const swapped: Handlers = { updatePreferences: listNotifications, listNotifications: updatePreferences };

export const parameter: Handlers["updatePreferences"] = ({ path }) => {
  // @ts-expect-error a parameter that the contract does not have
  void path.subscriber;
  throw new Error("never run");
};

export const page: Handlers["listNotifications"] = ({ query }) => ({
  body: { page: query.page, pageSize: query.limit, hasMore: false, data: [] },
  changes: [],
});

export const response: Handlers["listNotifications"] = ({ query }) => ({
  // @ts-expect-error a response without one of its members
  body: { page: query.page, pageSize: query.limit, data: [] },
  changes: [],
});

export const channel: Handlers["updatePreferences"] = () => ({
  // @ts-expect-error a channel that the contract does not have
  body: { global: { enabled: true, channels: { fax: true } }, workflows: [] },
  changes: [],
});

type Query = OperationRequest<"listNotifications">["query"];
declare const query: Query & { colour?: string };

export const filter: FilterOf<Query> = query;

// @ts-expect-error a query parameter of the contract without a filter
export const unfiltered: FilterOf<typeof query> = query;
