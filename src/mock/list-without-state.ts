// What of listNotifications needs no state: the order of its dates, and pages. Which notifications there are, Prism says.
import type { Schemas } from "../contract/schemas.js";
import { assertRange, type NotificationFilter } from "../domain/notifications.js";

type NotificationPage = Schemas["NotificationPage"];

/**
 * The requested page of the given notifications, taken as all there are: a feed that loads more comes to an end.
 * @throws DomainError dateRangeInverted
 */
export function listWithoutState(filter: NotificationFilter, { data }: NotificationPage): NotificationPage {
  const { page, limit, after, before } = filter;
  assertRange({ after, before });
  const first = page * limit;
  return { page, pageSize: limit, hasMore: data.length > first + limit, data: data.slice(first, first + limit) };
}
