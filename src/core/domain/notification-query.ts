// Which notifications match a query. The newest come first, and they are walked until the page is full: with the filters
// `channels=email`, of the page { skip: 10, count: 11 }, the first ten that have an email are passed over, and the eleven
// behind them are the result. Only `after` and `before` need no walk: the list is searched by halving.
import { rangeBetween } from "./newest-first.js";
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
