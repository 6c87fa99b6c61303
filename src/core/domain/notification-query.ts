// Which notifications match a query. The newest come first, and they are walked until the page is full: with the filters
// `channels=email`, of the page { skip: 10, count: 11 }, the first ten that have an email are passed over, and the eleven
// behind them are the result. Only `after` and `before` need no walk: the list is searched by halving.
import type { EnvironmentState, SerializedNotification } from "./state.js";

export interface NotificationQuery {
  channels?: readonly string[];
  templates?: readonly string[];
  /** Internal ids. Undefined: any subscriber. */
  subscribers: ReadonlySet<string> | undefined;
  transactionId?: string;
  topicKey?: string;
  /** Milliseconds since 1970, excluded. */
  after: number;
  before: number;
}

/** The part of the matches that is read: `count` of them behind the first `skip`. */
export interface Page {
  skip: number;
  count: number;
}

type Filter = (notification: SerializedNotification) => boolean;

export function findNotifications(
  query: NotificationQuery,
  { notifications }: EnvironmentState,
  { skip, count }: Page,
): SerializedNotification[] {
  const { start, end } = rangeBetween(notifications, query.after, query.before);
  const filters = toFilters(query);
  if (filters.length === 0) {
    const first = Math.min(start + skip, end); // however deep the page is, it costs the same
    return notifications.slice(first, Math.min(first + count, end));
  }
  const page: SerializedNotification[] = [];
  let matches = 0;
  for (let index = start; index < end && page.length < count; index += 1) {
    const notification = notifications[index] as SerializedNotification; // the range is inside the list
    if (!filters.every((matchesFilter) => matchesFilter(notification))) continue;
    matches += 1;
    if (matches > skip) page.push(notification);
  }
  return page;
}

function toFilters(query: NotificationQuery): Filter[] {
  const { channels, subscribers, transactionId, topicKey } = query;
  const templates = query.templates?.map((id) => id.toLowerCase());
  const filters: Filter[] = [];
  if (transactionId !== undefined) filters.push((notification) => notification.transactionId === transactionId);
  if (subscribers) filters.push(({ _subscriberId }) => subscribers.has(_subscriberId));
  if (templates) filters.push(({ _templateId }) => _templateId !== undefined && templates.includes(_templateId));
  if (topicKey !== undefined) filters.push(({ topicKeys }) => topicKeys.includes(topicKey));
  if (channels) filters.push((notification) => notification.channels.some((channel) => channels.includes(channel)));
  return filters;
}

export interface SubscriberQuery {
  emails?: readonly string[];
  search?: string;
  subscriberIds?: readonly string[];
}

/**
 * The internal ids of any subscriber that `subscriberIds`, `emails` or the deprecated `search` names (D-35). Undefined where the
 * query has none of them.
 */
export function findSubscribers(
  { emails, search, subscriberIds }: SubscriberQuery,
  environment: EnvironmentState,
): ReadonlySet<string> | undefined {
  if (!emails && !subscriberIds && search === undefined) return undefined;
  const ids = new Set<string>();
  for (const subscriberId of [...(subscriberIds ?? []), ...(search === undefined ? [] : [search])]) {
    const subscriber = environment.subscriberBySubscriberId(subscriberId);
    if (subscriber) ids.add(subscriber._id);
  }
  for (const email of emails ?? []) {
    for (const { _id } of environment.subscribersByEmail(email)) ids.add(_id);
  }
  if (search === undefined) return ids;
  const text = search.toLowerCase();
  for (const { _id, email } of environment.subscribers()) {
    if (email?.toLowerCase().includes(text)) ids.add(_id);
  }
  return ids;
}

// Notifications are listed newest first, ties by greater id (D-25). A list in this order is searched by halving.

type Position = Pick<SerializedNotification, "instant" | "_id">;

export function compareNewest(a: Position, b: Position): number {
  return b.instant - a.instant || (a._id < b._id ? 1 : a._id > b._id ? -1 : 0);
}

/** The index in a list at which a notification is, or would be inserted. */
export function indexIn(list: readonly SerializedNotification[], notification: Position): number {
  return findFirst(list, (other) => compareNewest(other, notification) >= 0);
}

/** The notifications between two instants, both excluded: from `start` up to, not including, `end`. */
export function rangeBetween(list: readonly SerializedNotification[], after: number, before: number) {
  const start = findFirst(list, ({ instant }) => instant < before);
  const end = findFirst(list, ({ instant }) => instant <= after);
  return { start, end: Math.max(start, end) };
}

/** The first index from which on every notification of a list meets a condition. */
function findFirst(
  list: readonly SerializedNotification[],
  isMet: (notification: SerializedNotification) => boolean,
): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isMet(list[middle] as SerializedNotification)) high = middle;
    else low = middle + 1;
  }
  return low;
}
