// Which notifications match a query. A filter names values of a key, and each value has a list. The filter with the shortest
// lists is read, newest first, and the other filters are applied to what it holds.
import type { EnvironmentView } from "./environment-view.js";
import { readNewest, type Slice, sliceBetween } from "./newest-first.js";
import { NOTIFICATION_KEYS, type NotificationKey } from "./notification-keys.js";
import type { SerializedNotification } from "./state.js";

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

/** What is read of the matches: `count` of them behind the first `skip`. */
export interface Page {
  skip: number;
  count: number;
}

/** A notification matches with any of the values. */
interface Filter {
  key: NotificationKey;
  values: ReadonlySet<string>;
}

interface Candidate {
  /** Applied by reading the slices; undefined for all notifications. */
  filter?: Filter;
  slices: readonly Slice[];
  size: number;
}

const MAX_LISTS = 100; // of more, a page is found sooner among all notifications

export function findNotifications(
  query: NotificationQuery,
  { notifications }: EnvironmentView,
  page: Page,
): SerializedNotification[] {
  const filters = toFilters(query);

  function toCandidate(lists: (readonly SerializedNotification[])[], filter?: Filter): Candidate {
    const slices = lists.map((list) => sliceBetween(list, query.after, query.before));
    const size = slices.reduce((sum, { start, end }) => sum + end - start, 0);
    return { slices, size, ...(filter && { filter }) };
  }

  let best = toCandidate([notifications.newestFirst]);
  for (const filter of filters) {
    if (filter.values.size > MAX_LISTS) continue;
    const lists = [...filter.values].map((value) => notifications.by(filter.key, value));
    const candidate = toCandidate(lists, filter);
    if (candidate.size < best.size) best = candidate;
  }
  const others = filters.filter((filter) => filter !== best.filter);
  const [only, ...more] = best.slices;
  return only && more.length === 0 && others.length === 0 ? readPage(only, page) : scan(best.slices, others, page);
}

function toFilters({ channels, subscribers, templates, topicKey, transactionId }: NotificationQuery): Filter[] {
  const values: Record<NotificationKey, Iterable<string> | undefined> = {
    channel: channels,
    subscriber: subscribers,
    template: templates?.map((id) => id.toLowerCase()),
    topic: topicKey === undefined ? undefined : [topicKey],
    transaction: transactionId === undefined ? undefined : [transactionId],
  };
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : { key: key as NotificationKey, values: new Set(value) },
  );
}

/** However deep it is, a page of one list costs the same. */
function readPage({ list, start, end }: Slice, { skip, count }: Page): SerializedNotification[] {
  return list.slice(Math.min(start + skip, end), Math.min(start + skip + count, end));
}

function scan(slices: readonly Slice[], filters: readonly Filter[], { skip, count }: Page): SerializedNotification[] {
  const notifications: SerializedNotification[] = [];
  let matches = 0;
  for (const notification of readNewest(slices)) {
    if (!filters.every((filter) => isMatch(notification, filter))) continue;
    matches += 1;
    if (matches > skip && notifications.push(notification) === count) break;
  }
  return notifications;
}

function isMatch(notification: SerializedNotification, { key, values }: Filter): boolean {
  return NOTIFICATION_KEYS[key](notification).some((value) => values.has(value));
}
