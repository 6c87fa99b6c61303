// The notifications of an environment behind their look-ups, each a list with the newest first (D-25).
import { compareNewest, indexIn } from "../../domain/newest-first.js";
import { NOTIFICATION_KEYS, type NotificationKey } from "../../domain/notification-keys.js";
import type { SerializedNotification } from "../../domain/state.js";

const KEYS = Object.keys(NOTIFICATION_KEYS) as NotificationKey[];
const NONE: readonly SerializedNotification[] = [];

export function createNotificationIndex(notifications: readonly SerializedNotification[]) {
  const newestFirst: SerializedNotification[] = [];
  const byId = new Map<string, SerializedNotification>();
  const lists = new Map(KEYS.map((key) => [key, new Map<string, SerializedNotification[]>()]));

  function* placesOf(notification: SerializedNotification) {
    for (const [key, byValue] of lists) {
      for (const value of NOTIFICATION_KEYS[key](notification)) yield { byValue, value };
    }
  }

  /** Has `insert` put a notification into each list that it belongs to. */
  function put(notification: SerializedNotification, insert: (list: SerializedNotification[]) => void): void {
    byId.set(notification._id, notification);
    insert(newestFirst);
    for (const { byValue, value } of placesOf(notification)) {
      const list = byValue.get(value) ?? [];
      if (list.length === 0) byValue.set(value, list);
      insert(list);
    }
  }

  function remove(id: string): void {
    const notification = byId.get(id);
    if (!notification) return;
    byId.delete(id);
    newestFirst.splice(indexIn(newestFirst, notification), 1);
    for (const { byValue, value } of placesOf(notification)) {
      const list = byValue.get(value) ?? [];
      list.splice(indexIn(list, notification), 1);
      if (list.length === 0) byValue.delete(value);
    }
  }

  for (const notification of notifications.toSorted(compareNewest))
    put(notification, (list) => list.push(notification));
  return {
    newestFirst: newestFirst as readonly SerializedNotification[],
    byId: (id: string) => byId.get(id),
    by: (key: NotificationKey, value: string) => lists.get(key)?.get(value) ?? NONE,
    /** Adds a notification; one with the same id is replaced. */
    add(notification: SerializedNotification) {
      remove(notification._id);
      put(notification, (list) => list.splice(indexIn(list, notification), 0, notification));
    },
    remove,
  };
}
