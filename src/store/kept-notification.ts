// Notifications as they are kept: each the bytes of its line in the file, of which only the start is ever parsed.
import type { Bytes } from "../domain/json-text.js";
import type { KeptNotification, StoredNotification } from "../domain/state.js";

// Between the members that lists are made by, which come first, and the others stands a tab. To JSON it is a blank, and
// no JSON text has one inside a string, so that it is found without parsing.
const TAB = 0x09;

const known = new WeakMap<StoredNotification, KeptNotification>(); // environments of one seed share what is kept

/** Keeps a notification that is given as a value. */
export function keepNotification(stored: StoredNotification): KeptNotification {
  const kept = known.get(stored) ?? keepBytes(Buffer.from(toText(stored)));
  known.set(stored, kept);
  return kept;
}

function toText(stored: StoredNotification): string {
  const { _id, _subscriberId, transactionId, _templateId, createdAt, channels, topics, ...others } = stored;
  const head = JSON.stringify({ _id, _subscriberId, transactionId, _templateId, createdAt, channels, topics });
  const rest = JSON.stringify(others).slice(1);
  return `${head.slice(0, -1)}\t${rest === "}" ? "" : ","}${rest}`;
}

/** Keeps a notification whose bytes, part of others, are those of one that was kept before. */
export function keepBytes(bytes: Buffer, start = 0, end = bytes.length): KeptNotification {
  return new KeptText(bytes, start, end);
}

/** The whole notification as a value. */
export function toStored({ whole: { source, start, end } }: KeptNotification): StoredNotification {
  return JSON.parse(source.toString("utf8", start, end));
}

/** Whether a record is a notification whose JSON is kept, so that it need not be made. */
export function isKept(record: object): record is KeptNotification {
  return record instanceof KeptText;
}

/** A hundred thousand of them have to be small: what many have in common is there once, and the bytes are not copied. */
class KeptText implements KeptNotification {
  readonly _id: string;
  readonly _subscriberId: string;
  readonly transactionId: string;
  readonly _templateId: string | undefined;
  readonly createdAt: string;
  readonly instant: number;
  readonly channels: KeptNotification["channels"];
  readonly topics: KeptNotification["topics"];
  readonly #source: Buffer;
  readonly #start: number;
  readonly #headEnd: number;
  readonly #end: number;

  constructor(source: Buffer, start: number, end: number) {
    this.#source = source;
    this.#start = start;
    this.#headEnd = source.indexOf(TAB, start);
    this.#end = end;
    const text = `${source.toString("utf8", start, this.#headEnd)}}`; // what comes first of it
    const head = JSON.parse(text) as StoredNotification;
    this._id = head._id;
    this._subscriberId = head._subscriberId;
    this.transactionId = head.transactionId;
    this._templateId = head._templateId;
    this.createdAt = head.createdAt;
    this.instant = Date.parse(head.createdAt);
    this.channels = shareChannels(head.channels);
    this.topics = head.topics?.length === 0 ? NO_TOPICS : head.topics;
  }

  get head(): Bytes {
    return { source: this.#source, start: this.#start, end: this.#headEnd };
  }

  get rest(): Bytes {
    return { source: this.#source, start: this.#headEnd + 1, end: this.#end };
  }

  get whole(): Bytes {
    return { source: this.#source, start: this.#start, end: this.#end };
  }
}

const NO_TOPICS: KeptNotification["topics"] = [];
const sharedChannels = new Map<string, KeptNotification["channels"]>(); // there are few combinations

function shareChannels(channels: KeptNotification["channels"]): KeptNotification["channels"] {
  const key = JSON.stringify(channels); // exact also for what a file should not hold
  const known = sharedChannels.get(key) ?? channels;
  sharedChannels.set(key, known);
  return known;
}
