// What of listNotifications needs no state: the order of its dates, and pages. Who is listed stays the example's matter.
import type { Operation } from "../contract/operations.js";
import type { Schemas } from "../contract/schemas.js";
import { assertRange } from "../domain/notifications.js";
import type { Query } from "../http/query.js";

type NotificationPage = Schemas["NotificationPage"];

/**
 * The page asked for, of the example's notifications taken as all there are: a feed that loads more comes to an end.
 * @throws DomainError dateRangeInverted
 */
export function listWithoutState(
  operation: Operation,
  { values }: Query,
  { data }: NotificationPage,
): NotificationPage {
  const { after, before } = values as Record<string, string | undefined>; // the contract has let one of each through
  assertRange({ after, before });
  const [page = 0, limit = 0] = ["page", "limit"].map((name) => {
    const parameter = operation.parameters.find((known) => known.name === name);
    return Number(values[name] ?? parameter?.schema.default);
  });
  const first = page * limit;
  return { page, pageSize: limit, hasMore: data.length > first + limit, data: data.slice(first, first + limit) };
}
