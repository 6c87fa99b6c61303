// Which subscribers a list is filtered by: any that `subscriberIds`, `emails` or the deprecated `search` names (D-35).
import type { EnvironmentView } from "./environment-view.js";
import type { Subscriber } from "./state.js";

export interface SubscriberFilter {
  /** The internal ids of all of them; undefined where they are too many to look each of them up. */
  ids: ReadonlySet<string> | undefined;
  has(id: string): boolean;
}

export interface SubscriberQuery {
  emails?: readonly string[];
  search?: string;
  subscriberIds?: readonly string[];
}

const MAX_IDS = 100; // of more subscribers a scan of all notifications finds a page sooner than their lists do

/** Undefined where the query names none. */
export function toSubscriberFilter(query: SubscriberQuery, environment: EnvironmentView): SubscriberFilter | undefined {
  const { emails, subscriberIds, search } = query;
  if (!emails && !subscriberIds && search === undefined) return undefined;
  const names = [...(subscriberIds ?? []), ...(search === undefined ? [] : [search])];
  const subscribers = [
    ...names.map((subscriberId) => environment.subscriberBySubscriberId(subscriberId)),
    ...(emails ?? []).flatMap((email) => environment.subscribersByEmail(email)),
  ];
  const ids = new Set(subscribers.flatMap((subscriber) => subscriber?._id ?? []));
  if (search !== undefined) {
    const text = search.toLowerCase();
    const contains = ({ email }: Subscriber) => email?.toLowerCase().includes(text) ?? false;
    for (const subscriber of environment.subscribers()) {
      if (contains(subscriber)) ids.add(subscriber._id);
      if (ids.size > MAX_IDS) return { ids: undefined, has: (id) => ids.has(id) || isAny(id, contains, environment) };
    }
  }
  return { ids: ids.size > MAX_IDS ? undefined : ids, has: (id) => ids.has(id) };
}

function isAny(id: string, contains: (subscriber: Subscriber) => boolean, environment: EnvironmentView): boolean {
  const subscriber = environment.subscriberById(id);
  return subscriber !== undefined && contains(subscriber);
}
