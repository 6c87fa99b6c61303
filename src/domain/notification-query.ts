// Which notifications match a query. A filter names values of a key, and each value has a list. The filter with the shortest
// lists is read, newest first, and the other filters are applied to what it holds.
import type { EnvironmentView } from "./environment-view.js";
import { compareNewest, type Slice, sliceBetween } from "./newest-first.js";
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

const MAX_JOINED = 1000; // of more, a page is found sooner among all notifications than in lists that are put in one order

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
    if (filter.values.size > MAX_JOINED) continue;
    const lists = [...filter.values].map((value) => notifications.by(filter.key, value));
    const candidate = toCandidate(lists, filter);
    const isReadable = lists.length === 1 || filters.length === 1 || candidate.size <= MAX_JOINED;
    if (isReadable && candidate.size < best.size) best = candidate;
  }
  const others = filters.filter((filter) => filter !== best.filter);
  return others.length === 0 ? readPage(best.slices, page) : scan(join(best.slices), others, page);
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
function readPage(slices: readonly Slice[], { skip, count }: Page): SerializedNotification[] {
  const { list, start, end } = join(slices, skip + count);
  return list.slice(Math.min(start + skip, end), Math.min(start + skip + count, end));
}

function scan(
  { list, start, end }: Slice,
  filters: readonly Filter[],
  { skip, count }: Page,
): SerializedNotification[] {
  const matches: SerializedNotification[] = [];
  for (let index = start; index < end && matches.length < skip + count; index += 1) {
    const notification = list[index] as SerializedNotification; // the slice is not at its end
    if (filters.every((filter) => isMatch(notification, filter))) matches.push(notification);
  }
  return matches.slice(skip);
}

function isMatch(notification: SerializedNotification, { key, values }: Filter): boolean {
  return NOTIFICATION_KEYS[key](notification).some((value) => values.has(value));
}

/** Slices as one, of each at most its first notifications. One that is in several of them is there once. */
function join(slices: readonly Slice[], most = Number.POSITIVE_INFINITY): Slice {
  const [only] = slices;
  if (only && slices.length === 1) return only;
  const all = slices.flatMap(({ list, start, end }) => list.slice(start, Math.min(end, start + most)));
  const list = all.sort(compareNewest).filter((notification, index) => notification !== all[index - 1]);
  return { list, start: 0, end: list.length };
}
