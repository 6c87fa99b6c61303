// Which notifications match a query. Each filter has a look-up; the shortest is read, newest first, and the other filters
// are applied to what it holds.
import { readNewest, type Slice, sliceBetween } from "./newest-first.js";
import type { EnvironmentView, SerializedNotification, Subscriber } from "./state.js";

export interface NotificationQuery {
  channels?: readonly string[];
  templates?: readonly string[];
  /** Undefined: any subscriber. */
  subscribers: SubscriberFilter | undefined;
  transactionId?: string;
  topicKey?: string;
  /** Milliseconds since 1970, excluded. */
  after: number;
  before: number;
}

interface Filter {
  matches(notification: SerializedNotification): boolean;
  /** Everything that it matches, a list for each value; undefined where these are too many. */
  lists: (readonly SerializedNotification[])[] | undefined;
}

/** What is read of the matches: `count` of them behind the first `skip`. */
export interface Page {
  skip: number;
  count: number;
}

export function findNotifications(
  query: NotificationQuery,
  environment: EnvironmentView,
  page: Page,
): SerializedNotification[] {
  const filters = toFilters(query, environment);
  const everything: Filter = { matches: () => true, lists: [environment.notifications] };
  const candidates = [everything, ...filters].flatMap((filter) => {
    const slices = filter.lists?.map((list) => sliceBetween(list, query.after, query.before));
    return slices ? [{ filter, slices, size: slices.reduce((sum, { start, end }) => sum + end - start, 0) }] : [];
  });
  const { filter, slices } = candidates.reduce((best, candidate) => (candidate.size < best.size ? candidate : best));
  const others = filters.filter((other) => other !== filter);
  const [only, ...more] = slices;
  return only && more.length === 0 && others.length === 0 ? readPage(only, page) : scan(slices, others, page);
}

/** However deep it is, a page of one list costs the same. */
function readPage({ list, start, end }: Slice, { skip, count }: Page): SerializedNotification[] {
  return list.slice(Math.min(start + skip, end), Math.min(start + skip + count, end));
}

function scan(slices: readonly Slice[], filters: readonly Filter[], { skip, count }: Page): SerializedNotification[] {
  const notifications: SerializedNotification[] = [];
  let matches = 0;
  for (const notification of readNewest(slices)) {
    if (!filters.every((filter) => filter.matches(notification))) continue;
    matches += 1;
    if (matches > skip && notifications.push(notification) === count) break;
  }
  return notifications;
}

function toFilters(query: NotificationQuery, { notificationsBy }: EnvironmentView): Filter[] {
  const { channels, subscribers, transactionId, topicKey } = query;
  const templates = query.templates?.map((id) => id.toLowerCase());
  const filters: (Filter | undefined)[] = [
    channels && {
      lists: distinct(channels).map((channel) => notificationsBy("channel", channel)),
      matches: (notification) => notification.channels.some((channel) => channels.includes(channel)),
    },
    templates && {
      lists: distinct(templates).map((id) => notificationsBy("template", id)),
      matches: ({ _templateId }) => _templateId !== undefined && templates.includes(_templateId),
    },
    subscribers && {
      lists: subscribers.ids && [...subscribers.ids].map((id) => notificationsBy("subscriber", id)),
      matches: ({ _subscriberId }) => subscribers.has(_subscriberId),
    },
    transactionId === undefined
      ? undefined
      : {
          lists: [notificationsBy("transaction", transactionId)],
          matches: (notification) => notification.transactionId === transactionId,
        },
    topicKey === undefined
      ? undefined
      : {
          lists: [notificationsBy("topic", topicKey)],
          matches: ({ topicKeys }) => topicKeys.includes(topicKey),
        },
  ];
  return filters.filter((filter) => filter !== undefined);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** Any subscriber that `subscriberIds`, `emails` or the deprecated `search` names (D-35). */
export interface SubscriberFilter {
  /** The internal ids of all of them; undefined where they are too many to look each of them up. */
  ids: ReadonlySet<string> | undefined;
  has(id: string): boolean;
}

export interface SubscriberQuery {
  emails?: readonly string[];
  search?: string;
  subscriberIds?: readonly string[];
}

const MAX_IDS = 100; // of more subscribers a scan of all notifications finds a page sooner than their lists do

/** Undefined where the query names none. */
export function toSubscriberFilter(query: SubscriberQuery, environment: EnvironmentView): SubscriberFilter | undefined {
  const { emails, subscriberIds, search } = query;
  if (!emails && !subscriberIds && search === undefined) return undefined;
  const names = [...(subscriberIds ?? []), ...(search === undefined ? [] : [search])];
  const subscribers = [
    ...names.map((subscriberId) => environment.subscriberBySubscriberId(subscriberId)),
    ...(emails ?? []).flatMap((email) => environment.subscribersByEmail(email)),
  ];
  const ids = new Set(subscribers.flatMap((subscriber) => subscriber?._id ?? []));
  if (search !== undefined) {
    const text = search.toLowerCase();
    const contains = ({ email }: Subscriber) => email?.toLowerCase().includes(text) ?? false;
    for (const subscriber of environment.subscribers()) {
      if (contains(subscriber)) ids.add(subscriber._id);
      if (ids.size > MAX_IDS) return { ids: undefined, has: (id) => ids.has(id) || isAny(id, contains, environment) };
    }
  }
  return { ids: ids.size > MAX_IDS ? undefined : ids, has: (id) => ids.has(id) };
}

function isAny(id: string, contains: (subscriber: Subscriber) => boolean, environment: EnvironmentView): boolean {
  const subscriber = environment.subscriberById(id);
  return subscriber !== undefined && contains(subscriber);
}
