// What of listNotifications needs no state: the order of its dates, and pages. Which notifications there are, Prism says.
import type { Schemas } from "../contract/schemas.js";
import { assertRange, JsonText, type NotificationFilter, toPageHead } from "../domain/notifications.js";
import { toJsonBytes } from "../http/response.js";

type Page = Schemas["NotificationPage"];

const texts = new WeakMap<object, Buffer>(); // an example's notifications are sent again and again

/**
 * The requested page of the given notifications, taken as all there are: a feed that loads more comes to an end.
 * @throws DomainError dateRangeInverted
 */
export function listWithoutState({ page, limit, after, before }: NotificationFilter, { data }: Page): JsonText<Page> {
  assertRange({ after, before });
  const first = Number(page) * limit;
  const head = toPageHead(page, limit, data.length > first + limit);
  const items = data
    .slice(first, first + limit)
    .flatMap((notification, index) => [index > 0 ? "," : "", toText(notification)]);
  return new JsonText([head, ...items, "]}"]);
}

function toText(notification: object): Buffer {
  const text = texts.get(notification) ?? toJsonBytes(notification);
  texts.set(notification, text);
  return text;
}
