// What notifications are looked up by, and the values of each notification.
import type { SerializedNotification } from "./state.js";

export type NotificationKey = "channel" | "subscriber" | "template" | "topic" | "transaction";

/** Subscribers and templates are named by their internal ids. */
export const NOTIFICATION_KEYS: Record<NotificationKey, (notification: SerializedNotification) => readonly string[]> = {
  channel: ({ channels }) => channels,
  subscriber: ({ _subscriberId }) => [_subscriberId],
  template: ({ _templateId }) => (_templateId === undefined ? [] : [_templateId]),
  topic: ({ topicKeys }) => topicKeys,
  transaction: ({ transactionId }) => [transactionId],
};
