// Counts what requests and responses have shown of a contract. Counts of several runs add up.
import type { Contract } from "../../contract/contract.js";
import { memoize } from "../../contract/memoize.js";
import type { Operation } from "../../contract/operations.js";
import { toPattern } from "../operations/routes.js";
import { type CoverageItem, type Observation, toItems } from "./items.js";

type Parts = Pick<Contract, "document" | "operations">;

/** An item, and how many observations have shown it. */
export interface CountedItem extends Omit<CoverageItem, "isSeen"> {
  count: number;
}

export interface Coverage {
  items: CountedItem[];
  /** Responses of bursts, which were not looked at: an item that was never seen may be in them. */
  uninspected: number;
}

export type CoverageCounter = ReturnType<typeof createCoverageCounter>;

export function createCoverageCounter() {
  const counts = new Map<string, number>();
  const itemsOf = memoize((contract: Parts) => toItems(contract));
  let uninspected = 0;
  return {
    add(contract: Parts, request: { method: string; target: string }, observation: Observation): void {
      const operations = findOperations(contract, request);
      for (const item of itemsOf(contract)) {
        if (!operations.includes(item.operation) || !item.isSeen(observation)) continue;
        counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
      }
    },
    /** For an observation that was not looked at. */
    skip(): void {
      uninspected += 1;
    },
    /** By the items of that contract. */
    list: (contract: Parts): Coverage => ({
      items: itemsOf(contract).map(({ isSeen: _isSeen, ...item }) => ({
        ...item,
        count: counts.get(keyOf(item)) ?? 0,
      })),
      uninspected,
    }),
  };
}

/** One coverage of several processes: the counts of each item, added up. */
export function mergeCoverage(coverages: readonly Coverage[]): Coverage {
  const items = new Map<string, CountedItem>();
  for (const item of coverages.flatMap((coverage) => coverage.items)) {
    items.set(keyOf(item), { ...item, count: item.count + (items.get(keyOf(item))?.count ?? 0) });
  }
  const uninspected = coverages.reduce((sum, coverage) => sum + coverage.uninspected, 0);
  return { items: [...items.values()], uninspected };
}

const keyOf = ({ operation, group, name }: Omit<CountedItem, "count">) => `${operation} ${group} ${name}`;

/** The operations whose path it is, of that method if there are any: a 401 and a 405 count for them as well. */
function findOperations(
  { operations }: Pick<Contract, "operations">,
  { method, target }: { method: string; target: string },
): readonly string[] {
  const [path = ""] = target.split("?", 1);
  const siblings = operations.filter((operation) => patternOf(operation).test(path));
  const wanted = method === "HEAD" ? "get" : method.toLowerCase();
  const exact = siblings.filter((operation) => operation.method === wanted);
  return (exact.length > 0 ? exact : siblings).map(({ id }) => id);
}

const patternOf = memoize((operation: Operation) => toPattern(operation.path, "[^/]+"));

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // of a malformed body, coverage sees no members
  }
}
