// The notifications of an environment behind their look-ups, each a list with the newest first (D-25).
import type { NotificationKey } from "../../domain/environment-view.js";
import { compareNewest, indexIn } from "../../domain/newest-first.js";
import type { SerializedNotification } from "../../domain/state.js";

type Lists = Map<string, SerializedNotification[]>;

const NONE: readonly SerializedNotification[] = [];

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
