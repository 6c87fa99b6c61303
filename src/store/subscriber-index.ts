// The subscribers of an environment behind their look-ups.
import type { Subscriber } from "../domain/state.js";

export interface SubscriberIndex {
  readonly all: Iterable<Subscriber>;
  byId(id: string): Subscriber | undefined;
  bySubscriberId(subscriberId: string): Subscriber | undefined;
  byEmail(email: string): readonly Subscriber[];
  byPartOfEmail(text: string): ReadonlySet<string>;
  /** Adds a subscriber; one with the same id or subscriberId is replaced. */
  add(subscriber: Subscriber): void;
  remove(subscriberId: string): void;
}

const MOST_REMEMBERED = 100;

export function createSubscriberIndex(subscribers: readonly Subscriber[]): SubscriberIndex {
  const byId = new Map<string, Subscriber>();
  const bySubscriberId = new Map<string, Subscriber>();
  const byEmail = new Map<string, Subscriber[]>();
  const lowerCasedEmails = new Map<string, string>(); // by internal id
  const found = new Map<string, ReadonlySet<string>>(); // whoever pages through a search asks for it again and again

  function add(subscriber: Subscriber): void {
    const { _id, subscriberId, email } = subscriber;
    for (const known of [byId.get(_id), bySubscriberId.get(subscriberId)]) if (known) remove(known.subscriberId);
    byId.set(_id, subscriber);
    bySubscriberId.set(subscriberId, subscriber);
    if (email !== undefined) {
      byEmail.set(email, [...(byEmail.get(email) ?? []), subscriber]);
      lowerCasedEmails.set(_id, email.toLowerCase());
    }
    found.clear();
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
    found.clear();
  }

  function search(text: string): ReadonlySet<string> {
    const lowerCased = text.toLowerCase();
    const known = found.get(lowerCased);
    if (known) return known;
    const matches = new Set<string>();
    for (const [id, email] of lowerCasedEmails) if (email.includes(lowerCased)) matches.add(id);
    for (const oldest of found.keys()) if (found.size >= MOST_REMEMBERED) found.delete(oldest);
    found.set(lowerCased, matches);
    return matches;
  }

  for (const subscriber of subscribers) add(subscriber);
  return {
    all: { [Symbol.iterator]: () => byId.values() },
    byId: (id) => byId.get(id),
    bySubscriberId: (subscriberId) => bySubscriberId.get(subscriberId),
    byEmail: (email) => byEmail.get(email) ?? [],
    byPartOfEmail: search,
    add,
    remove,
  };
}
