// What a run found, as data. JSON, table, Markdown and chart are made from it.
import type { Comparison } from "./compare.js";
import type { Machine } from "./machine.js";
import type { Measurement } from "./measure/measurement.js";
import type { Settings } from "./settings.js";

export interface Report {
  /** When it ended, RFC 3339. */
  date: string;
  machine: Machine;
  settings: Settings;
  comparisons: Comparison[];
  measurements: Measurement[];
}

/** Requests that did not get 2xx: with any, the figures mean little. */
export function countFailures({ comparisons }: Report): number {
  const rows = comparisons.flatMap((comparison) => comparison.rows);
  return rows.reduce((sum, { failures }) => sum + failures, 0);
}
