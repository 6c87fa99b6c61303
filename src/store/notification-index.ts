// The notifications of an environment behind the look-ups that lists are made of, each list newest first (D-25).
import type { EnvironmentView } from "../domain/environment-view.js";
import { compareNewest, placeOf } from "../domain/newest-first.js";
import type { KeptNotification } from "../domain/state.js";

export interface NotificationIndex {
  readonly newestFirst: readonly KeptNotification[];
  byId(id: string): KeptNotification | undefined;
  of: EnvironmentView["notificationsOf"];
  groups: EnvironmentView["notificationGroups"];
  /** Adds a notification; one with the same id is replaced. */
  add(notification: KeptNotification): void;
  remove(id: string): void;
}

type Lists = Map<string, KeptNotification[]>;

const NONE: readonly KeptNotification[] = [];

export function createNotificationIndex(notifications: readonly KeptNotification[]): NotificationIndex {
  const newestFirst = notifications.toSorted(compareNewest);
  const byId = new Map<string, KeptNotification>();
  const lists = { subscriber: new Map() as Lists, transaction: new Map() as Lists };
  const groups: Lists = new Map();
  const groupsOfTopics = new Map<string, Lists>();

  /** The lists that hold a notification, but for the one of all. */
  function placesOf({ _subscriberId, transactionId, _templateId, channels, topics }: KeptNotification) {
    const group = `${_templateId} ${channels.join()}`;
    const places: [Lists, string][] = [
      [lists.subscriber, _subscriberId],
      [lists.transaction, transactionId],
      [groups, group],
    ];
    for (const topicKey of new Set(topics?.map((topic) => topic.topicKey))) {
      const groupsOfTopic = groupsOfTopics.get(topicKey) ?? new Map();
      groupsOfTopics.set(topicKey, groupsOfTopic);
      places.push([groupsOfTopic, group]);
    }
    return places;
  }

  function remove(id: string): void {
    const notification = byId.get(id);
    if (!notification) return;
    byId.delete(id);
    newestFirst.splice(placeOf(newestFirst, notification), 1);
    for (const [map, key] of placesOf(notification)) {
      const list = map.get(key) ?? [];
      list.splice(placeOf(list, notification), 1);
      if (list.length === 0) map.delete(key);
    }
  }

  for (const notification of newestFirst) {
    byId.set(notification._id, notification);
    for (const [map, key] of placesOf(notification)) {
      const list = map.get(key);
      if (list) list.push(notification);
      else map.set(key, [notification]); // takes a tenth of the room of an empty list that is added to
    }
  }
  return {
    newestFirst,
    byId: (id) => byId.get(id),
    of: (member, key) => lists[member].get(key) ?? NONE,
    groups: (topicKey) => (topicKey === undefined ? groups : groupsOfTopics.get(topicKey))?.values() ?? [],
    add(notification) {
      remove(notification._id);
      byId.set(notification._id, notification);
      newestFirst.splice(placeOf(newestFirst, notification), 0, notification);
      for (const [map, key] of placesOf(notification)) {
        const list = map.get(key) ?? [];
        list.splice(placeOf(list, notification), 0, notification);
        map.set(key, list);
      }
    },
    remove,
  };
}
