// listNotifications as the contract has it: from a request to the domain and back. Document §4.2.
import type { OperationRequest } from "../contract/operations.js";
import { listNotifications as decidePage, type NotificationFilter } from "../domain/notifications.js";
import type { Handler } from "./handler.js";

export const listNotifications: Handler<"listNotifications"> = ({ query }, { view, now, plan }) => ({
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
