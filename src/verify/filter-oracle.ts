// The oracle for filters: what a query has to return, computed from all records in the words of the contract.
import { flatten } from "../contract/schema-flatten.js";
import { FILTER_VALUES, isMatch, type Query } from "../oracle/notifications.js";
import { operationOf } from "./exchange.js";
import { assume, expectSame, idsOf } from "./expectation.js";
import { createValueChecker } from "./schema.js";
import type { TestContext } from "./test-context.js";

/** Compares a query's records, over all pages, with those of the oracle. */
export async function expectFiltered(context: TestContext, query: Query): Promise<void> {
  const { records, base } = await context.snapshot();
  const expected = idsOf(records.filter((record) => isMatch(record, query)));
  const actual = idsOf(await context.collect({ ...base, ...query }));
  if (JSON.stringify(expected) !== JSON.stringify(actual)) await context.page({ ...base, ...query, limit: 50 }); // to show it
  expectSame(`records of ${JSON.stringify(query)}`, expected, actual);
}

/** The values of the records that the contract allows in a filter. */
export async function valuesOf(context: TestContext, name: string): Promise<string[]> {
  const { records } = await context.snapshot();
  const isAllowed = createIsAllowed(context, name);
  const values = new Set(records.flatMap((record) => FILTER_VALUES[name]?.of(record) ?? []));
  const candidates = [...values].filter((value): value is string => value !== undefined && isAllowed(value));
  assume(candidates.length > 0, `no record has a value for ${name}`);
  return candidates;
}

/** Whether the contract allows a value for a parameter, or as an item of it. */
export function createIsAllowed({ contract }: TestContext, name: string): (value: string) => boolean {
  const parameter = operationOf(contract, "listNotifications").parameters.find((candidate) => candidate.name === name);
  assume(parameter !== undefined, `the contract has no parameter ${name}`);
  const schema = flatten(contract.document, parameter.schema);
  return createValueChecker(contract, flatten(contract.document, schema.items ?? schema)).isValid;
}
