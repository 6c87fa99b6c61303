// Finds the notifications that match a query. It scans them, newest first, until the page is full: for `channels=email`
// and the page { skip: 10, count: 11 }, it skips the first ten notifications with an email and returns the next eleven.
// `after` and `before` need no scan, but a binary search.
import { type EnvironmentState, matchChannelSets, type SerializedNotification } from "./state.js";

/** The operation's query, with the contract's defaults of `page` and `limit`. */
export interface NotificationFilter {
  channels?: readonly string[];
  templates?: readonly string[];
  emails?: readonly string[];
  search?: string;
  subscriberIds?: readonly string[];
  page: number;
  limit: number;
  transactionId?: string;
  topicKey?: string;
  after?: string;
  before?: string;
}

interface NotificationQuery extends Omit<NotificationFilter, "after" | "before"> {
  /** Internal ids. Undefined: any subscriber. */
  subscribers: ReadonlySet<string> | undefined;
  /** In milliseconds since 1970, exclusive; so is `before`. */
  after: number;
  before: number;
}

/** Returns a part of the matches: `count` of them behind the first `skip`. */
export function findNotifications(
  query: NotificationQuery,
  { notifications }: EnvironmentState,
  { skip, count }: { skip: number; count: number },
): SerializedNotification[] {
  const start = findFirst(notifications, ({ instant }) => instant < query.before);
  const end = findFirst(notifications, ({ instant }) => instant <= query.after);
  const isMatch = createMatch(query);
  if (!isMatch) {
    const first = Math.min(start + skip, end); // a deep page costs the same as the first
    return notifications.slice(first, Math.min(first + count, end));
  }
  const page: SerializedNotification[] = [];
  let matches = 0;
  for (let index = start; index < end && page.length < count; index += 1) {
    const notification = notifications[index] as SerializedNotification; // within the list
    if (!isMatch(notification)) continue;
    matches += 1;
    if (matches > skip) page.push(notification);
  }
  return page;
}

/**
 * Creates a function for each query: reading the filters from an object takes three times as long. Returns undefined if
 * the query has no filter.
 */
function createMatch({ channels, templates, subscribers, transactionId, topicKey }: NotificationQuery) {
  const filters = [channels, templates, subscribers, transactionId, topicKey];
  if (filters.every((filter) => filter === undefined)) return undefined;
  const templateIds = templates?.map((id) => id.toLowerCase());
  const isOfChannels = channels && matchChannelSets(channels);
  return (notification: SerializedNotification): boolean => {
    if (transactionId !== undefined && notification.transactionId !== transactionId) return false;
    if (subscribers && !subscribers.has(notification._subscriberId)) return false;
    if (templateIds && !templateIds.includes(notification._templateId ?? "")) return false;
    if (topicKey !== undefined && !notification.topicKeys.includes(topicKey)) return false;
    return !isOfChannels || isOfChannels[notification.channelSet] === true;
  };
}

/**
 * Returns the internal ids of the subscribers that `subscriberIds`, `emails` or the deprecated `search` name (D-35), or
 * undefined if the query has none of these.
 */
export function findSubscribers(
  { emails, search, subscriberIds }: NotificationFilter,
  state: EnvironmentState,
): ReadonlySet<string> | undefined {
  if (!emails && !subscriberIds && search === undefined) return undefined;
  const ids = new Set<string>();
  for (const subscriberId of [...(subscriberIds ?? []), ...(search === undefined ? [] : [search])]) {
    const subscriber = state.subscriberBySubscriberId(subscriberId);
    if (subscriber) ids.add(subscriber._id);
  }
  for (const email of emails ?? []) {
    for (const { _id } of state.subscribersByEmail(email)) ids.add(_id);
  }
  if (search === undefined) return ids;
  const text = search.toLowerCase();
  for (const { _id, email } of state.subscribers()) {
    if (email?.toLowerCase().includes(text)) ids.add(_id);
  }
  return ids;
}

type Position = Pick<SerializedNotification, "instant" | "_id">;

/** Orders notifications newest first, ties by greater id (D-25). */
export function compareNewest(a: Position, b: Position): number {
  return b.instant - a.instant || (a._id < b._id ? 1 : a._id > b._id ? -1 : 0);
}

/** Finds the index at which a notification is, or belongs, in a list ordered by `compareNewest`. */
export function indexIn(list: readonly SerializedNotification[], notification: Position): number {
  return findFirst(list, (other) => compareNewest(other, notification) >= 0);
}

/** Finds, by binary search, the first index from which on every notification meets a condition. */
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
