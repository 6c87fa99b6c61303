// Lists, as the language lacks them.

/** One value, or several, as a list. */
export function toList<Item>(value: Item | readonly Item[]): Item[] {
  return Array.isArray(value) ? [...value] : [value as Item];
}

/** Maps items, and leaves out those that map to undefined. */
export function mapDefined<Item, Result>(
  items: readonly Item[],
  toResult: (item: Item, index: number) => Result | undefined,
): Result[] {
  return items.map(toResult).filter((result) => result !== undefined);
}

/** Groups items by a key, in the order of each group's first item. Map.groupBy needs Node 21. */
export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string | number): [Item, ...Item[]][] {
  const groups = new Map<string | number, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
