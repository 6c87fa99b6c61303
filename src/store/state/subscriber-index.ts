// The subscribers of an environment behind their look-ups.
import type { Subscriber } from "../../domain/state.js";

export function createSubscriberIndex(subscribers: readonly Subscriber[]) {
  const byId = new Map<string, Subscriber>();
  const bySubscriberId = new Map<string, Subscriber>();
  const byEmail = new Map<string, Subscriber[]>();

  /** One with the same id or subscriberId is replaced. */
  function add(subscriber: Subscriber): void {
    const { _id, subscriberId, email } = subscriber;
    for (const former of [byId.get(_id), bySubscriberId.get(subscriberId)]) if (former) remove(former.subscriberId);
    byId.set(_id, subscriber);
    bySubscriberId.set(subscriberId, subscriber);
    if (email === undefined) return;
    const others = byEmail.get(email);
    if (others) others.push(subscriber);
    else byEmail.set(email, [subscriber]);
  }

  function remove(subscriberId: string): void {
    const subscriber = bySubscriberId.get(subscriberId);
    if (!subscriber) return;
    const { _id, email } = subscriber;
    byId.delete(_id);
    bySubscriberId.delete(subscriberId);
    if (email === undefined) return;
    const others = byEmail.get(email)?.filter((other) => other !== subscriber) ?? [];
    if (others.length > 0) byEmail.set(email, others);
    else byEmail.delete(email);
  }

  for (const subscriber of subscribers) add(subscriber);
  return {
    all: () => byId.values(),
    byId: (id: string) => byId.get(id),
    bySubscriberId: (subscriberId: string) => bySubscriberId.get(subscriberId),
    byEmail: (email: string): readonly Subscriber[] => byEmail.get(email) ?? [],
    add,
    remove,
  };
}
