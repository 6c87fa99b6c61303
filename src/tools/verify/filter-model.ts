// Compares the target's lists with those of the reference model, computed from all of its records.
import { isDeepStrictEqual } from "node:util";
import type { Notification, NotificationPage } from "../../contract/contract-types.js";
import { mapDefined } from "../../contract/lists.js";
import { findDifference } from "../difference.js";
import { createIsMatch, FILTERS, filterValuesOf, isSearchable, type Query } from "../model/notifications.js";
import { assume, type Expectation, ExpectationError, idOf, idsOf, toReceived } from "./expectation.js";
import { limitTo, PAGE_SIZE, type TestContext } from "./test-context.js";
import { operationOf } from "./test-request.js";

/**
 * Compares a query's records with those of the reference model, page by page, so that a failure shows the page that
 * differs.
 * @param raw the query as it is sent, where its spelling matters.
 */
export async function expectFiltered(context: TestContext, query: Query, raw?: string): Promise<void> {
  const snapshot = await context.snapshot();
  const limited = limitTo(snapshot, query);
  const expected = await findExpected(context, query);
  for (let page = 0; ; page++) {
    const rest = { ...(raw === undefined ? limited : snapshot.base), page, limit: PAGE_SIZE };
    const pairs = Object.entries(rest).map(([name, value]) => formatPair(name, value as string | number));
    const received = await context.page(raw === undefined ? rest : [raw, ...pairs].join("&"));
    const expectedPage = expected.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
    const [ids, shown] = [expectedPage, received.data].map(idsOf);
    const difference = findDifference(ids, shown, "body.data");
    if (difference) {
      const { place, path: _path, ...values } = difference;
      const unfiltered = snapshot.records.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
      const described = describeList(query, { expected, expectedPage, received, unfiltered });
      throw new ExpectationError({ what: place, ...values, ...described, parameters: Object.keys(query) });
    }
    const isLast = !received.hasMore && (page + 1) * PAGE_SIZE >= expected.length;
    if (received.data.length === 0 || isLast) return;
  }
}

interface Lists {
  /** All records that match, and those of them that belong on the page. */
  expected: readonly Notification[];
  expectedPage: readonly Notification[];
  received: NotificationPage;
  /** The same page without the query. */
  unfiltered: readonly Notification[];
}

/**
 * Names the first record that a list should not have, or lacks, with what the query compares; the title goes without.
 */
function describeList(query: Query, { expected, expectedPage, received, unfiltered }: Lists): Partial<Expectation> {
  const { data } = received;
  const lacks = (list: readonly Notification[]) => (record: Notification) => !idsOf(list).includes(idOf(record));
  const [index, missing] = [data.findIndex(lacks(expected)), expectedPage.find(lacks(data))];
  const foreign = data[index];
  const formatCompared = (record: Notification) => {
    const values = Object.keys(query).map((name) => {
      const compared = name in FILTERS ? filterValuesOf(record, name) : record.createdAt;
      return `${name in FILTERS ? name : "createdAt"}: ${JSON.stringify(compared)}`;
    });
    return values.join(", ");
  };
  const subject = JSON.stringify(query);
  const [name = "", ...further] = Object.keys(query);
  const title = [name, ...further].map((each) => `\`${each}\``).join(", ");
  if (foreign) {
    const path = ["body", "data", String(index)];
    const shown = {
      violation: { location: path.join("."), path, message: `does not match ${subject} (${formatCompared(foreign)})` },
      received: toReceived({ status: 200, text: JSON.stringify(received) }, { path }),
      sentence: `${subject} lists ${idOf(foreign)} (${formatCompared(foreign)}), which does not match.`,
      kind: "foreign",
    } as const;
    if (further.length === 0 && isDeepStrictEqual(idsOf(data), idsOf(unfiltered)))
      return { ...shown, title: `${title} is ignored: the list is the same without it.`, kind: "ignored" };
    return { ...shown, title: `${title} ${further.length > 0 ? "return" : "returns"} records that do not match.` };
  }
  if (missing) {
    const sentence = `${subject} does not list ${idOf(missing)} (${formatCompared(missing)}), which matches.`;
    const shown = { expected: missing, actual: "a page without it", sentence, kind: "missing" } as const;
    return { ...shown, title: `${title} ${further.length > 0 ? "leave" : "leaves"} out records that match.` };
  }
  return {
    kind: "order",
    title: `${title} ${further.length > 0 ? "return" : "returns"} records in another order.`,
    sentence: `${subject} lists its records in another order.`,
  };
}

/** The records of the snapshot that match. Where a record does not show what a filter compares, the target decides. */
export async function findExpected(context: TestContext, filters: Query): Promise<Notification[]> {
  const snapshot = await context.snapshot();
  const { records, sent } = snapshot;
  const query = limitTo(snapshot, filters);
  const verdicts = records.map(createIsMatch(query, sent));
  if (!verdicts.includes(undefined)) return records.filter((_record, index) => verdicts[index]);
  const received = await context.collect(query);
  if (records.some(({ _id }) => _id === undefined)) return received; // only its pages can be compared
  const shown = new Set(idsOf(received));
  return records.filter((record, index) => verdicts[index] ?? shown.has(idOf(record)));
}

/** Requests the page of a record, so that it is the last request that a failure shows. */
export async function showRecord(context: TestContext, index: number): Promise<void> {
  await context.page({ page: Math.floor(index / PAGE_SIZE), limit: PAGE_SIZE });
}

/** A pair of a query as it is sent. */
export const formatPair = (name: string, value: string | number) => `${name}=${encodeURIComponent(value)}`;

/** The records' values that the contract allows in a filter. */
export async function listedValues(context: TestContext, name: string): Promise<string[]> {
  const { records } = await context.snapshot();
  const isAllowed = createIsAllowed(context, name);
  const values = new Set(records.flatMap((record) => filterValuesOf(record, name)));
  const candidates = [...values].filter(isAllowed);
  assume(candidates.length > 0, `no record has a value for ${name}`);
  return candidates;
}

/** A query by each filter, with a value that some record has, and none of the others if there is one. */
export function createFilters(
  context: TestContext,
  records: readonly Notification[],
  avoided: readonly Notification[] = [],
): Query[] {
  return mapDefined(Object.keys(FILTERS), (name) => {
    const isAllowed = createIsAllowed(context, name);
    const values = records.flatMap((record) => filterValuesOf(record, name)).filter((text) => text && isAllowed(text));
    const known = new Set(avoided.flatMap((record) => filterValuesOf(record, name)));
    const value = values.find((text) => !known.has(text)) ?? values[0];
    return value === undefined ? undefined : { [name]: value };
  });
}

/** Creates a check that the contract allows a value for a parameter, or as its item, and defines its meaning. */
export function createIsAllowed({ contract }: TestContext, name: string): (value: string) => boolean {
  const parameter = operationOf(contract, "listNotifications").parameters.find((candidate) => candidate.name === name);
  assume(parameter !== undefined, `the contract has no parameter ${name}`);
  const { schema } = parameter;
  const single = schema.flat.items ? schema.items : schema;
  return (value) => single.allows(value) && (name !== "search" || isSearchable(value));
}
