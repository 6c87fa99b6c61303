// A notification as a value, as in files, and as JSON beside the members that queries read, as in memory: a hundred
// thousand take little more memory than their text, and a page is sent without parsing or serializing it.
import type { Notification } from "../../contract/schemas.js";

/** A notification without environment, subscriber and workflow, which are joined when it is read. */
export type StoredNotification = Omit<
  Notification,
  "_environmentId" | "_organizationId" | "subscriber" | "template" | "_id" | "createdAt" | "channels"
> &
  Required<Pick<Notification, "_id" | "createdAt" | "channels">>;

export type SerializedNotification = Readonly<ReturnType<typeof serialize>>;

const decoder = new TextDecoder();
const NO_TOPICS: readonly string[] = [];

/** Node's buffers share memory, which makes 100,000 small ones cheap. Browsers lack them. */
const encode: (text: string) => Uint8Array =
  typeof Buffer === "undefined" ? (text) => new TextEncoder().encode(text) : (text) => Buffer.from(text);

/** @param json the notification in UTF-8, without line breaks, if already known. */
export function serialize(stored: StoredNotification, json = encode(JSON.stringify(stored))) {
  const { _id, _subscriberId, transactionId, _templateId, createdAt, channels, topics } = stored;
  const instant = Date.parse(createdAt);
  const topicKeys = topics ? topics.map(({ topicKey }) => topicKey) : NO_TOPICS;
  const channelSet = channelSetOf(channels);
  return { _id, _subscriberId, transactionId, _templateId, instant, channelSet, topicKeys, json };
}

/** The distinct sets of channels, which are few: a deep page looks up a number for each record before it. */
const channelSets = new Map<string, { index: number; channels: readonly string[] }>();

function channelSetOf(channels: readonly string[]): number {
  const key = JSON.stringify([...new Set(channels)].sort());
  const known = channelSets.get(key);
  if (known) return known.index;
  const index = channelSets.size;
  channelSets.set(key, { index, channels });
  return index;
}

/** Tells for each `channelSet` whether it has one of these channels. */
export function matchChannelSets(channels: readonly string[]): readonly boolean[] {
  return Array.from(channelSets.values(), (set) => set.channels.some((channel) => channels.includes(channel)));
}

/** Converts an environment to its form in memory. */
export function toMemory<T extends { notifications: readonly StoredNotification[] }>(data: T) {
  return { ...data, notifications: data.notifications.map((stored) => serialize(stored)) };
}

/** Converts an environment to its form in files. */
export function toPlain<T extends { notifications: readonly SerializedNotification[] }>(data: T) {
  const notifications = data.notifications.map(({ json }): StoredNotification => JSON.parse(decoder.decode(json)));
  return { ...data, notifications };
}
