// The records of an environment behind their look-ups. The records themselves are never changed, so that environments and
// snapshots share them.
import { compareNewest, indexIn } from "../../domain/newest-first.js";
import type { NotificationKey, SerializedNotification, Subscriber, Workflow } from "../../domain/state.js";

type Lists = Map<string, SerializedNotification[]>;

const NONE: readonly SerializedNotification[] = [];

/** The notifications, in lists that have the newest first (D-25). */
export function createNotificationIndex(notifications: readonly SerializedNotification[]) {
  const newestFirst: SerializedNotification[] = [];
  const byId = new Map<string, SerializedNotification>();
  const lists: Record<NotificationKey, Lists> = {
    channel: new Map(),
    subscriber: new Map(),
    template: new Map(),
    topic: new Map(),
    transaction: new Map(),
  };

  function* placesOf(notification: SerializedNotification): Generator<[Lists, string]> {
    yield [lists.subscriber, notification._subscriberId];
    yield [lists.transaction, notification.transactionId];
    if (notification._templateId !== undefined) yield [lists.template, notification._templateId];
    for (const topicKey of notification.topicKeys) yield [lists.topic, topicKey];
    for (const channel of new Set(notification.channels)) yield [lists.channel, channel];
  }

  /** Has `insert` put a notification into each list that it belongs to. */
  function put(notification: SerializedNotification, insert: (list: SerializedNotification[]) => void): void {
    byId.set(notification._id, notification);
    insert(newestFirst);
    for (const [map, value] of placesOf(notification)) {
      const list = map.get(value) ?? [];
      if (list.length === 0) map.set(value, list);
      insert(list);
    }
  }

  function remove(id: string): void {
    const notification = byId.get(id);
    if (!notification) return;
    byId.delete(id);
    newestFirst.splice(indexIn(newestFirst, notification), 1);
    for (const [map, value] of placesOf(notification)) {
      const list = map.get(value) ?? [];
      list.splice(indexIn(list, notification), 1);
      if (list.length === 0) map.delete(value);
    }
  }

  for (const notification of notifications.toSorted(compareNewest))
    put(notification, (list) => list.push(notification));
  return {
    newestFirst: newestFirst as readonly SerializedNotification[],
    byId: (id: string) => byId.get(id),
    by: (key: NotificationKey, value: string) => lists[key].get(value) ?? NONE,
    /** Adds a notification; one with the same id is replaced. */
    add(notification: SerializedNotification) {
      remove(notification._id);
      put(notification, (list) => list.splice(indexIn(list, notification), 0, notification));
    },
    remove,
  };
}

export function createSubscriberIndex(subscribers: readonly Subscriber[]) {
  const byId = new Map<string, Subscriber>();
  const bySubscriberId = new Map<string, Subscriber>();
  const byEmail = new Map<string, Subscriber[]>();

  /** One with the same id or subscriberId is replaced. */
  function add(subscriber: Subscriber): void {
    const { _id, subscriberId, email } = subscriber;
    for (const former of [byId.get(_id), bySubscriberId.get(subscriberId)]) if (former) remove(former.subscriberId);
    byId.set(_id, subscriber);
    bySubscriberId.set(subscriberId, subscriber);
    if (email === undefined) return;
    const others = byEmail.get(email);
    if (others) others.push(subscriber);
    else byEmail.set(email, [subscriber]);
  }

  function remove(subscriberId: string): void {
    const subscriber = bySubscriberId.get(subscriberId);
    if (!subscriber) return;
    const { _id, email } = subscriber;
    byId.delete(_id);
    bySubscriberId.delete(subscriberId);
    if (email === undefined) return;
    const others = byEmail.get(email)?.filter((other) => other !== subscriber) ?? [];
    if (others.length > 0) byEmail.set(email, others);
    else byEmail.delete(email);
  }

  for (const subscriber of subscribers) add(subscriber);
  return {
    all: () => byId.values(),
    byId: (id: string) => byId.get(id),
    bySubscriberId: (subscriberId: string) => bySubscriberId.get(subscriberId),
    byEmail: (email: string): readonly Subscriber[] => byEmail.get(email) ?? [],
    add,
    remove,
  };
}

/** The workflows. They are few: a change makes a new index. */
export function createWorkflowIndex(workflows: readonly Workflow[]) {
  return {
    /** Oldest first, ties by id (D-10). */
    all: workflows.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a._id, b._id)),
    byId: new Map(workflows.map((workflow) => [workflow._id, workflow])),
    byIdentifier: new Map(workflows.map((workflow) => [workflow.identifier, workflow])),
  };
}

/** Order of ASCII texts of one form: timestamps and ids. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
