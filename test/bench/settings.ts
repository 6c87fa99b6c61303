// How much a run of the bench measures, and the one figure that repeated measurements yield.

/** The parts of a run. The first two compare servers; the others measure ours alone. */
export const SECTIONS = ["list", "update", "start", "memory", "environment", "compaction", "commands"] as const;

export type Section = (typeof SECTIONS)[number];

/** A load that is more than a client's and not yet a flood. */
export const CONNECTIONS = 32;

export interface Settings {
  sections: readonly Section[];
  /**
   * How many subscribers, and as many notifications, the reference servers hold. Lists are compared at the middle size.
   */
  sizes: readonly [fewest: number, listed: number, most: number];
  /** How often each server has its turn; even rounds run in the opposite order. */
  rounds: number;
  /** The length of one turn: in shorter ones, V8 has hardly compiled what runs. */
  seconds: number;
  /** How often what happens once (a start, a new environment) is repeated. */
  repeats: number;
  /** What `verify` is limited to. */
  only: readonly string[];
}

/** Takes about ten minutes. */
export const FULL: Settings = {
  sections: SECTIONS,
  sizes: [100, 10_000, 100_000],
  rounds: 4,
  seconds: 1,
  repeats: 3,
  only: [],
};

export const TINY: Settings = {
  ...FULL,
  sizes: [60, 90, 120],
  rounds: 1,
  seconds: 0.05,
  repeats: 1,
  only: ["--only", "D-24"],
};

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The ratio of each round, and of these the median: a machine that is slow for a while is slow for both. */
export function toRatio(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}
