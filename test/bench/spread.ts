// What repeated measurements say: the one in the middle, and how far the others lie.

export interface Spread {
  median: number;
  least: number;
  most: number;
  /** All, in the order in which they were measured. */
  values: readonly number[];
}

export function toSpread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), least: quantile(sorted, 0), most: quantile(sorted, 1), values };
}

/** How one relates to another round by round, so that a machine that is slow for a while is so for both. */
export function toRatio(a: Spread, b: Spread): number {
  return toSpread(a.values.map((value, round) => value / (b.values[round] ?? Number.NaN))).median;
}

/** The value below which that share of an ascending list lies; 0 of an empty one. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
