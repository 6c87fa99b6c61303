// The oracle for filters: what a query has to return, computed from all records in the words of the contract.
import { expectSame, NotApplicable } from "./expectation.js";
import { FILTER_VALUES, isMatch } from "./filter-match.js";
import { idsOf, type Query } from "./notification.js";
import { openNotificationList } from "./notification-list.js";
import { createValueChecker, flatten } from "./schema.js";
import type { TestContext } from "./test-context.js";

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
