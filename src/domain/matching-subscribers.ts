// Which subscribers a list is filtered by: any that `subscriberIds`, `emails` or the deprecated `search` names (D-35).
import type { EnvironmentView } from "./environment-view.js";

export interface SubscriberQuery {
  emails?: readonly string[];
  search?: string;
  subscriberIds?: readonly string[];
}

/** Their internal ids; undefined where the query names none. */
export function findSubscriberIds(
  { emails, search, subscriberIds }: SubscriberQuery,
  { subscribers }: EnvironmentView,
): ReadonlySet<string> | undefined {
  if (!emails && !subscriberIds && search === undefined) return undefined;
  const names = [...(subscriberIds ?? []), ...(search === undefined ? [] : [search])];
  const matches = [
    ...names.map((name) => subscribers.bySubscriberId(name)),
    ...(emails ?? []).flatMap((email) => subscribers.byEmail(email)),
  ];
  if (search !== undefined) {
    const text = search.toLowerCase();
    for (const subscriber of subscribers.all()) {
      if (subscriber.email?.toLowerCase().includes(text)) matches.push(subscriber);
    }
  }
  return new Set(matches.flatMap((subscriber) => subscriber?._id ?? []));
}
