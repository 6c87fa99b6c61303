// Which records match a query, in the words of the contract. Pure: `verify` and the proxy judge by it.
import type { Notification, Query } from "./notification.js";

/** Each filter, the decision on how it matches, and the values that the records have for it. */
export const FILTER_VALUES: Record<string, { cite: string; of: (record: Notification) => (string | undefined)[] }> = {
  channels: { cite: "D-30", of: ({ channels = [] }) => channels },
  templates: { cite: "D-31", of: ({ _templateId }) => [_templateId] },
  emails: { cite: "D-32", of: ({ subscriber }) => [subscriber?.email] },
  subscriberIds: { cite: "D-33", of: ({ subscriber }) => [subscriber?.subscriberId] },
  search: { cite: "D-34", of: ({ subscriber }) => [subscriber?.email, subscriber?.subscriberId] },
  transactionId: { cite: "D-37", of: ({ transactionId }) => [transactionId] },
  topicKey: { cite: "D-38", of: ({ topics = [] }) => topics.map(({ topicKey }) => topicKey) },
};

/** Together they select one set of subscribers (D-35). */
export const SUBSCRIBER_FILTERS = ["emails", "subscriberIds", "search"];

/** Whether a record matches a query (D-30 to D-40). */
export function isMatch(record: Notification, query: Query): boolean {
  const { search, after, before } = query;
  const created = toMs(String(record.createdAt));
  const has = (name: string) => {
    const own = FILTER_VALUES[name]?.of(record) ?? [];
    const sought = [query[name] ?? []].flat().map(String);
    return sought.some((value) => own.includes(name === "templates" ? value.toLowerCase() : value));
  };
  const email = record.subscriber?.email?.toLowerCase();
  const isInEmail = search !== undefined && email?.includes(String(search).toLowerCase());
  const isNamed = SUBSCRIBER_FILTERS.some((name) => query[name] !== undefined);
  return (
    OTHER_FILTERS.every((name) => query[name] === undefined || has(name)) &&
    (!isNamed || SUBSCRIBER_FILTERS.some(has) || isInEmail === true) &&
    (after === undefined || created > toMs(String(after))) &&
    (before === undefined || created < toMs(String(before)))
  );
}

const OTHER_FILTERS = Object.keys(FILTER_VALUES).filter((name) => !SUBSCRIBER_FILTERS.includes(name));

/** Whether a query asks for what is after a time and before an earlier one (D-41). */
export function isInverted({ after, before }: Query): boolean {
  return after !== undefined && before !== undefined && toMs(String(after)) > toMs(String(before));
}

/** Milliseconds since 1970, with what is below a millisecond as a fraction. */
function toMs(text: string): number {
  const [, seconds = "", fraction = "", offset = ""] = /^(.{19})(\.\d+)?(.*)$/.exec(text) ?? [];
  const [whole, leap] = seconds.endsWith(":60") ? [`${seconds.slice(0, -2)}59`, 1000] : [seconds, 0];
  return Date.parse(`${whole}${offset}`.toUpperCase()) + leap + Number(`0${fraction}`) * 1000;
}
