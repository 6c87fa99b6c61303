// What a run of the bench is told.

/** The parts of a run. The first two compare servers, the others measure ours alone. */
export const SECTIONS = ["list", "update", "start", "memory", "environment", "compaction", "commands"] as const;

export type Section = (typeof SECTIONS)[number];

/** Connections of a load that is more than a client's and not yet a flood. */
export const BUSY_CONNECTIONS = 32;

export interface Settings {
  sections: readonly Section[];
  /** How many subscribers, and as many notifications, the reference server holds; ascending. */
  sizes: readonly number[];
  connections: readonly number[];
  /** How often each server has its turn; even rounds run in the opposite order. */
  rounds: number;
  /** The length of one turn. */
  seconds: number;
  /** How often what happens once (a start, a new environment) is repeated. */
  repeats: number;
}

/** Of a run without options, which takes about six minutes. */
export const FULL: Settings = {
  sections: SECTIONS,
  sizes: [100, 100_000],
  connections: [1, BUSY_CONNECTIONS],
  rounds: 4,
  seconds: 0.4,
  repeats: 3,
};
