// Compiled by `npm run check`, never run: handlers that miss the contract do not compile. An unused expectation fails.

import type { OperationRequest } from "../../src/contract/contract-types.js";
import type { FilterOf, Handlers } from "../../src/core/request/handlers.js";

type Update = Exclude<Handlers["patch /v2/subscribers/{subscriberId}/preferences"], "mocked">;
type List = Exclude<Handlers["get /v1/notifications"], "mocked">;
declare const handlers: Handlers;
declare const updatePreferences: Update;
declare const listNotifications: List;

export const all: Handlers = {
  ...handlers, // of further operations
  "patch /v2/subscribers/{subscriberId}/preferences": updatePreferences,
  "get /v1/notifications": listNotifications,
};

// On purpose: its contract is merged before its code.
export const mocked: Handlers = { ...handlers, "get /v1/notifications": "mocked" };

// @ts-expect-error an operation without a handler
export const missing: Handlers = { "patch /v2/subscribers/{subscriberId}/preferences": updatePreferences };

// @ts-expect-error a handler without an operation
export const surplus: Handlers = { ...handlers, "delete /v1/notifications": updatePreferences };

export const swapped: Handlers = {
  ...handlers,
  // @ts-expect-error a handler of another operation
  "get /v1/notifications": updatePreferences,
};

export const parameter: Update = ({ path }) => {
  // @ts-expect-error a parameter that the contract does not have
  void path.subscriber;
  throw new Error("never run");
};

export const page: List = ({ query }) => ({
  body: { page: query.page, pageSize: query.limit, hasMore: false, data: [] },
  changes: [],
});

export const response: List = ({ query }) => ({
  // @ts-expect-error a response without one of its members
  body: { page: query.page, pageSize: query.limit, data: [] },
  changes: [],
});

export const channel: Update = () => ({
  // @ts-expect-error a channel that the contract does not have
  body: { global: { enabled: true, channels: { fax: true } }, workflows: [] },
  changes: [],
});

type Query = OperationRequest<"listNotifications">["query"];
declare const query: Query & { colour?: string };

export const filter: FilterOf<Query> = query;

// @ts-expect-error a query parameter of the contract without a filter
export const unfiltered: FilterOf<typeof query> = query;
