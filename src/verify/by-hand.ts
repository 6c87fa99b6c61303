// The list filtered by hand: which values the records have for each filter, and whether the target's filter gives the same.
import { expectSame, NotApplicable } from "./check.js";
import { isMatch, type Notification, openNotificationList, type Query } from "./notification-list.js";
import { createVerdict, flatten } from "./schema.js";
import type { World } from "./world.js";

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

/** Compares a query's records, over all pages, with the snapshot filtered by hand. */
export async function expectByHand(world: World, query: Query): Promise<void> {
  const { records, base } = await world.snapshot();
  const wanted = records.filter((record) => isMatch(record, query));
  const { collect, page } = openNotificationList(world);
  const got = await collect({ ...base, ...query });
  if (JSON.stringify(idsOf(wanted)) === JSON.stringify(idsOf(got))) return;
  const { answer } = await page({ ...base, ...query, limit: 50 });
  expectSame(`records of ${JSON.stringify(query)}`, idsOf(wanted), idsOf(got), answer.request);
}

/** Values of the records that the contract allows in a filter, the most telling first: those that only some have. */
export async function valuesOf(world: World, name: string): Promise<string[]> {
  const { records } = await world.snapshot();
  const isFree = allowed(world, name);
  const values = new Set(records.flatMap((record) => FILTER_VALUES[name]?.of(record) ?? []));
  const found = [...values].filter((value): value is string => value !== undefined && isFree(value));
  if (found.length === 0) throw new NotApplicable(`no record has a value for ${name}`);
  return found;
}

/** Whether the contract lets a value be given for a parameter, or as an item of it. */
export function allowed({ contract, operation }: World, name: string): (value: string) => boolean {
  const parameter = operation("listNotifications").parameters.find((known) => known.name === name);
  if (!parameter) throw new NotApplicable(`the contract has no parameter ${name}`);
  const schema = flatten(contract.document, parameter.schema);
  const { isValid } = createVerdict(contract, flatten(contract.document, schema.items ?? schema));
  return isValid;
}

export function idsOf(records: readonly Notification[]): (string | undefined)[] {
  return records.map(({ _id }) => _id);
}
