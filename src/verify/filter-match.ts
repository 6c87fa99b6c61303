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

/** Whether a record matches a query (D-30 to D-40). */
export function isMatch(record: Notification, query: Query): boolean {
  const { channels, templates, emails, subscriberIds, search, transactionId, topicKey, after, before } = query;
  const created = toMs(String(record.createdAt));
  const { subscriber, _templateId } = record;
  const listOf = (values: unknown) => [values ?? []].flat().map(String);
  const isNamed = emails !== undefined || subscriberIds !== undefined || search !== undefined;
  const text = search === undefined ? undefined : String(search);
  const isOfSubscriber =
    subscriber !== undefined &&
    ((subscriber.email !== undefined && listOf(emails).includes(subscriber.email)) ||
      listOf(subscriberIds).includes(subscriber.subscriberId) ||
      subscriber.subscriberId === text ||
      (text !== undefined && subscriber.email?.toLowerCase().includes(text.toLowerCase()) === true));
  return (
    (channels === undefined || listOf(channels).some((channel) => record.channels?.some((own) => own === channel))) &&
    (templates === undefined || listOf(templates).some((id) => id.toLowerCase() === _templateId)) &&
    (!isNamed || isOfSubscriber) &&
    (transactionId === undefined || record.transactionId === transactionId) &&
    (topicKey === undefined || record.topics?.some((topic) => topic.topicKey === topicKey) === true) &&
    (after === undefined || created > toMs(String(after))) &&
    (before === undefined || created < toMs(String(before)))
  );
}

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
