// Notifications between their two forms: whole values as in files, and JSON with the few members that look-ups need as in memory.
import type {
  EnvironmentContents,
  EnvironmentData,
  SerializedNotification,
  StoredNotification,
} from "../../domain/state.js";

// The members that look-ups need come first; a tab ends them, so that reading 100,000 notifications from a file parses a
// tenth of their text. To JSON it is white space, and no JSON string contains one.
const TAB = 0x09;

const decoder = new TextDecoder();

/** In UTF-8. Node's buffers share memory, which makes 100,000 small ones cheap; a browser has none. */
const encode: (text: string) => Uint8Array =
  typeof Buffer === "undefined" ? (text) => new TextEncoder().encode(text) : (text) => Buffer.from(text);

export function serialize(stored: StoredNotification): SerializedNotification {
  const { _id, _subscriberId, transactionId, _templateId, createdAt, channels, topics, ...others } = stored;
  const first = JSON.stringify({ _id, _subscriberId, transactionId, _templateId, createdAt, channels, topics });
  const rest = JSON.stringify(others).slice(1);
  return readSerialized(encode(`${first.slice(0, -1)}\t${rest === "}" ? "" : ","}${rest}`));
}

/** A notification in the bytes that `serialize` has made of it. */
export function readSerialized(json: Uint8Array): SerializedNotification {
  const first: StoredNotification = JSON.parse(`${decoder.decode(json.subarray(0, json.indexOf(TAB)))}}`);
  return {
    _id: first._id,
    _subscriberId: first._subscriberId,
    transactionId: first.transactionId,
    _templateId: first._templateId,
    instant: Date.parse(first.createdAt),
    channels: first.channels,
    topicKeys: first.topics ? [...new Set(first.topics.map(({ topicKey }) => topicKey))] : NO_TOPICS,
    json,
  };
}

function deserialize({ json }: SerializedNotification): StoredNotification {
  return JSON.parse(decoder.decode(json));
}

const NO_TOPICS: readonly string[] = [];

/** An environment as it is in memory. */
export function toContents(data: EnvironmentData): EnvironmentContents {
  return { ...data, notifications: data.notifications.map(serialize) };
}

/** An environment as it is in files. */
export function toData(contents: EnvironmentContents): EnvironmentData {
  return { ...contents, notifications: contents.notifications.map(deserialize) };
}
