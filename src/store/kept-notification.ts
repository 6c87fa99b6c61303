// Notifications as they are kept: each the bytes of its line in the file, of which only the start is ever parsed.
import type { KeptNotification, StoredNotification } from "../domain/state.js";

// Between the members that lists are made by, which come first, and the others stands a tab. To JSON it is a blank, and
// no JSON text has one inside a string, so that it is found without parsing.
const TAB = 0x09;

const known = new WeakMap<StoredNotification, KeptNotification>(); // environments of one seed share what is kept

/** Keeps a notification that is given as a value. */
export function keepNotification(stored: StoredNotification): KeptNotification {
  const { _id, _subscriberId, transactionId, _templateId, createdAt, channels, topics, ...others } = stored;
  const head = JSON.stringify({ _id, _subscriberId, transactionId, _templateId, createdAt, channels, topics });
  const rest = JSON.stringify(others).slice(1);
  const kept = known.get(stored) ?? keepBytes(Buffer.from(`${head.slice(0, -1)}\t${rest === "}" ? "" : ","}${rest}`));
  known.set(stored, kept);
  return kept;
}

/** Keeps a notification whose bytes are those of one that was kept before. */
export function keepBytes(bytes: Buffer): KeptNotification {
  return new KeptText(bytes);
}

/** The whole notification as a value. */
export function toStored({ bytes }: KeptNotification): StoredNotification {
  return JSON.parse(bytes.toString());
}

class KeptText implements KeptNotification {
  readonly _id: string;
  readonly _subscriberId: string;
  readonly transactionId: string;
  readonly _templateId: string | undefined;
  readonly createdAt: string;
  readonly instant: number;
  readonly channels: KeptNotification["channels"];
  readonly topics: KeptNotification["topics"];
  readonly #restAt: number;

  constructor(readonly bytes: Buffer) {
    const headEnd = bytes.indexOf(TAB);
    const head = JSON.parse(`${bytes.toString("utf8", 0, headEnd)}}`) as StoredNotification; // of it: what comes first
    this._id = head._id;
    this._subscriberId = head._subscriberId;
    this.transactionId = head.transactionId;
    this._templateId = head._templateId;
    this.createdAt = head.createdAt;
    this.instant = Date.parse(head.createdAt);
    this.channels = head.channels;
    this.topics = head.topics;
    this.#restAt = headEnd + 1;
  }

  get rest(): string {
    return this.bytes.toString("utf8", this.#restAt);
  }
}
