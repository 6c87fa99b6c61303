// Converts notifications between values, as in files, and JSON with the members that queries read, as in memory.
import type { EnvironmentData, SerializedNotification, StoredNotification } from "../domain/state.js";

const decoder = new TextDecoder();
const NO_TOPICS: readonly string[] = [];

/** Node's buffers share memory, which makes 100,000 small ones cheap. Browsers lack them. */
const encode: (text: string) => Uint8Array =
  typeof Buffer === "undefined" ? (text) => new TextEncoder().encode(text) : (text) => Buffer.from(text);

/** @param json the notification's JSON, if already known. */
export function serialize(stored: StoredNotification, json = encode(JSON.stringify(stored))): SerializedNotification {
  const { _id, _subscriberId, transactionId, _templateId, createdAt, channels, topics } = stored;
  return {
    _id,
    _subscriberId,
    transactionId,
    _templateId,
    instant: Date.parse(createdAt),
    channels,
    topicKeys: topics ? topics.map(({ topicKey }) => topicKey) : NO_TOPICS,
    json,
  };
}

/** Converts an environment to its form in memory. */
export function toMemory<T extends EnvironmentData>(data: T) {
  return { ...data, notifications: data.notifications.map((stored) => serialize(stored)) };
}

/** Converts an environment to its form in files. */
export function toPlain(data: EnvironmentData<SerializedNotification>): EnvironmentData {
  return { ...data, notifications: data.notifications.map(({ json }) => JSON.parse(decoder.decode(json))) };
}
