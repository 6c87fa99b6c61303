// The subscribers of an environment behind their look-ups.
import type { Subscriber } from "../domain/state.js";
import { createPartIndex } from "./part-index.js";

export interface SubscriberIndex {
  readonly all: Iterable<Subscriber>;
  /** The same as they are now. */
  toArray(): Subscriber[];
  byId(id: string): Subscriber | undefined;
  bySubscriberId(subscriberId: string): Subscriber | undefined;
  byEmail(email: string): readonly Subscriber[];
  byPartOfEmail(text: string): ReadonlySet<string>;
  /** Adds a subscriber; one with the same id or subscriberId is replaced. */
  add(subscriber: Subscriber): void;
  remove(subscriberId: string): void;
}

const MOST_REMEMBERED = 200_000; // ids in what was found, some 10 MB

export function createSubscriberIndex(subscribers: readonly Subscriber[]): SubscriberIndex {
  const byId = new Map<string, Subscriber>();
  const bySubscriberId = new Map<string, Subscriber>();
  const byEmail = new Map<string, Subscriber[]>();
  const lowerCasedEmails = createPartIndex(); // by internal id
  const found = new Map<string, ReadonlySet<string>>(); // whoever pages through a search asks for it again and again
  let remembered = 0;

  function add(subscriber: Subscriber): void {
    const { _id, subscriberId, email } = subscriber;
    for (const known of [byId.get(_id), bySubscriberId.get(subscriberId)]) if (known) remove(known.subscriberId);
    byId.set(_id, subscriber);
    bySubscriberId.set(subscriberId, subscriber);
    if (email !== undefined) {
      const same = byEmail.get(email);
      if (same) same.push(subscriber);
      else byEmail.set(email, [subscriber]);
      lowerCasedEmails.set(_id, email.toLowerCase());
    }
    forget();
  }

  function remove(subscriberId: string): void {
    const subscriber = bySubscriberId.get(subscriberId);
    if (!subscriber) return;
    const { _id, email } = subscriber;
    byId.delete(_id);
    bySubscriberId.delete(subscriberId);
    lowerCasedEmails.delete(_id);
    if (email !== undefined) {
      const others = byEmail.get(email)?.filter((other) => other !== subscriber) ?? [];
      if (others.length > 0) byEmail.set(email, others);
      else byEmail.delete(email);
    }
    forget();
  }

  function forget(): void {
    if (remembered === 0) return;
    found.clear();
    remembered = 0;
  }

  function search(text: string): ReadonlySet<string> {
    const lowerCased = text.toLowerCase();
    const known = found.get(lowerCased);
    if (known) return known;
    const matches = lowerCasedEmails.find(lowerCased);
    found.set(lowerCased, matches);
    remembered += matches.size + 1;
    for (const [oldest, its] of found) {
      if (remembered <= MOST_REMEMBERED) break;
      remembered -= its.size + 1;
      found.delete(oldest);
    }
    return matches;
  }

  for (const subscriber of subscribers) add(subscriber);
  return {
    all: { [Symbol.iterator]: () => byId.values() },
    toArray: () => [...byId.values()], // V8 copies a map's own iterator in one go
    byId: (id) => byId.get(id),
    bySubscriberId: (subscriberId) => bySubscriberId.get(subscriberId),
    byEmail: (email) => byEmail.get(email) ?? [],
    byPartOfEmail: search,
    add,
    remove,
  };
}
