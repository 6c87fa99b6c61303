// The oracle for filters: what a query has to return, computed from all records in the words of the contract.
import { expectSame, NotApplicable } from "./expectation.js";
import { idsOf, type Notification, type Query } from "./notification.js";
import { openNotificationList } from "./notification-list.js";
import { createValueChecker, flatten } from "./schema.js";
import type { TestContext } from "./test-context.js";

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

/** Compares a query's records, over all pages, with those of the oracle. */
export async function expectFiltered(context: TestContext, query: Query): Promise<void> {
  context.restart();
  const { records, base } = await context.snapshot();
  const expected = idsOf(records.filter((record) => isMatch(record, query)));
  const { collect, page } = openNotificationList(context);
  const actual = idsOf(await collect({ ...base, ...query }));
  if (JSON.stringify(expected) === JSON.stringify(actual)) return;
  const { response } = await page({ ...base, ...query, limit: 50 });
  expectSame(`records of ${JSON.stringify(query)}`, expected, actual, response.request);
}

/** The values of the records that the contract allows in a filter. */
export async function valuesOf(context: TestContext, name: string): Promise<string[]> {
  const { records } = await context.snapshot();
  const isAllowed = createIsAllowed(context, name);
  const values = new Set(records.flatMap((record) => FILTER_VALUES[name]?.of(record) ?? []));
  const allowed = [...values].filter((value): value is string => value !== undefined && isAllowed(value));
  if (allowed.length === 0) throw new NotApplicable(`no record has a value for ${name}`);
  return allowed;
}

/** Whether the contract allows a value for a parameter, or as an item of it. */
export function createIsAllowed({ contract, operation }: TestContext, name: string): (value: string) => boolean {
  const parameter = operation("listNotifications").parameters.find((one) => one.name === name);
  if (!parameter) throw new NotApplicable(`the contract has no parameter ${name}`);
  const schema = flatten(contract.document, parameter.schema);
  return createValueChecker(contract, flatten(contract.document, schema.items ?? schema)).isValid;
}

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

/** Milliseconds since 1970, with what is below a millisecond as a fraction. */
export function toMs(text: string): number {
  const [, seconds = "", fraction = "", offset = ""] = /^(.{19})(\.\d+)?(.*)$/.exec(text) ?? [];
  return Date.parse(`${seconds}${offset}`.toUpperCase()) + Number(`0${fraction}`) * 1000;
}
