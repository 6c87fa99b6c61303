// Counts which parts of a contract requests and responses have shown. Counts of several runs can be merged.
import { operationFor } from "../../contract/find-operation.js";
import { memoize } from "../../contract/memoize.js";
import type { ContractModel } from "../../contract/model.js";
import { splitTarget } from "../../contract/target.js";
import { type CoverageItem, findItems, type Observation } from "./items.js";

type Parts = Pick<ContractModel, "findPath" | "operations">;

/** An item with the number of observations that showed it. */
export interface CountedItem extends Omit<CoverageItem, "isSeen"> {
  count: number;
}

export interface Coverage {
  items: CountedItem[];
  /** The number of responses in bursts that were not inspected. They may contain items that count as never seen. */
  uninspected: number;
}

export type CoverageCounter = ReturnType<typeof createCoverageCounter>;

export function createCoverageCounter() {
  const counts = new Map<string, number>();
  const itemsOf = memoize(findItems);
  let uninspected = 0;
  return {
    add(contract: Parts, request: { method: string; target: string }, observation: Observation): void {
      const operations = findOperations(contract, request);
      for (const item of itemsOf(contract)) {
        if (!operations.includes(item.operation) || !item.isSeen(observation)) continue;
        counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
      }
    },
    skip(): void {
      uninspected += 1;
    },
    /** Returns the counts for the items of this contract. */
    list: (contract: Parts): Coverage => ({
      items: itemsOf(contract).map(({ isSeen: _isSeen, ...item }) => ({
        ...item,
        count: counts.get(keyOf(item)) ?? 0,
      })),
      uninspected,
    }),
  };
}

/** Adds up the counts of several processes. */
export function mergeCoverage(coverages: readonly Coverage[]): Coverage {
  const items = new Map<string, CountedItem>();
  for (const item of coverages.flatMap((coverage) => coverage.items)) {
    items.set(keyOf(item), { ...item, count: item.count + (items.get(keyOf(item))?.count ?? 0) });
  }
  const uninspected = coverages.reduce((sum, coverage) => sum + coverage.uninspected, 0);
  return { items: [...items.values()], uninspected };
}

const keyOf = ({ operation, group, name }: Omit<CountedItem, "count">) => `${operation} ${group} ${name}`;

/** Finds the operations of a path: those of the method, or else all of them, since a 401 and a 405 count for each. */
function findOperations(
  { findPath }: Pick<Parts, "findPath">,
  { method, target }: { method: string; target: string },
): readonly string[] {
  const match = findPath(splitTarget(target).path);
  const exact = operationFor(match, method);
  return (exact ? [exact] : (match?.operations ?? [])).map(({ id }) => id);
}
