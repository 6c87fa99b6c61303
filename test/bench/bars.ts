// The bars that the bench measures: what is wanted, what was measured, and whether that is enough.
import type { Comparison } from "./compare.js";
import { EXPRESS, MOCK, PRISM, referenceAt } from "./contestants.js";
import type { Report } from "./report.js";
import { BUSY_CONNECTIONS } from "./settings.js";
import { toRatio } from "./spread.js";
import { NEW_QUERIES, UNFILTERED } from "./workload.js";

export interface Verdict {
  title: string;
  wanted: string;
  /** `n/a` where it could not be measured. */
  measured: string;
  /** Where it was measured, the worst place of several. */
  where: string;
  outcome: "met" | "missed" | "not measured";
}

/** A value and where it was measured. Of several the worst counts. */
type Found = [value: number, where: string];

type Bar = [
  title: string,
  wanted: "≥" | "≤",
  limit: number,
  unit: "×" | "ms" | "MB",
  find: (report: Report) => Found[],
];

const SCANS = ["no match", "search"]; // they read all records, and have bars of their own
const SHORT_PAGES = ["transactionId"]; // not ten records

const BARS: readonly Bar[] = [
  ["list 10 of 10,000 records, to bare Express with the same page", "≥", 1, "×", toRates(isFullPage, EXPRESS)],
  ["the same, of queries that are never repeated", "≥", 1, "×", toRates(isNewQuery, EXPRESS)],
  ["list 10 of 10,000 records, to Prism", "≥", 2.5, "×", toRates(isFullPage, PRISM)],
  ["the mock, to bare Express with the same page", "≥", 1, "×", toRates(isFullPage, EXPRESS, MOCK)],
  ["the mock, to Prism", "≥", 2, "×", toRates(isFullPage, PRISM, MOCK)],
  ["update, durable, to bare Express with the same bytes", "≥", 0.7, "×", toRates(isBusyUpdate, EXPRESS)],
  ["the same, to Prism", "≥", 1.5, "×", toRates(isBusyUpdate, PRISM)],
  ["growth of the median time of an unfiltered list, most records to fewest", "≤", 1.5, "×", toGrowth(UNFILTERED)],
  ["growth of the median time of an update, most records to fewest", "≤", 1.5, "×", toGrowth("update")],
  ["a filter that matches nothing, most records", "≤", 10, "ms", measured("noMatch")],
  ["a search, which reads all subscribers, most records", "≤", 15, "ms", measured("search")],
  ["start to first response, demo seed", "≤", 800, "ms", measured("startDemo")],
  ["start to first response, mock", "≤", 1_300, "ms", measured("startMock")],
  ["start to first response, most records", "≤", 4_000, "ms", measured("startLargest")],
  ["a new environment", "≤", 10, "ms", measured("newEnvironment", "newDurableEnvironment")],
  ["added to an update by writing the demo seed", "≤", 20, "ms", measured("updateAddedByWritingDemo")],
  ["added to an update by writing the most records", "≤", 1_000, "ms", measured("updateAddedByWritingLargest")],
  ["review of an ordinary change, processor time", "≤", 3_000, "ms", measured("reviewProcessor")],
  ["verify against the reference server", "≤", 8_000, "ms", measured("verify")],
  ["memory, demo seed", "≤", 150, "MB", measured("memoryDemoStarted", "memoryDemo")],
  ["memory, most records", "≤", 600, "MB", measured("memoryLargestStarted", "memoryLargest")],
];

export function judge(report: Report): Verdict[] {
  return BARS.map(([title, comparator, limit, unit, find]) => {
    const sorted = find(report).toSorted(([a], [b]) => a - b);
    const [value, where = ""] = (comparator === "≥" ? sorted[0] : sorted.at(-1)) ?? [];
    const wanted = `${comparator} ${toText(limit, unit)}`;
    if (value === undefined) return { title, wanted, measured: "n/a", where, outcome: "not measured" };
    const isMet = comparator === "≥" ? value >= limit : value <= limit;
    return { title, wanted, measured: toText(value, unit), where, outcome: isMet ? "met" : "missed" };
  });
}

export function placeOf({ operation, title, connections }: Comparison): string {
  const what = operation === "list" ? `list by ${title}` : title;
  return `${what}, ${connections} ${connections === 1 ? "connection" : "connections"}`;
}

function toText(value: number, unit: string): string {
  return unit === "×" ? `${value.toFixed(2)} ×` : `${Math.round(value).toLocaleString("en")} ${unit}`;
}

function isFullPage({ operation, title }: Comparison): boolean {
  return operation === "list" && ![...SHORT_PAGES, ...SCANS, NEW_QUERIES].includes(title);
}

function isNewQuery({ title }: Comparison): boolean {
  return title === NEW_QUERIES;
}

function isBusyUpdate({ operation, connections }: Comparison): boolean {
  return operation === "update" && connections === BUSY_CONNECTIONS;
}

/** How many requests `ours`, or else a reference server, handles for one of another server. */
function toRates(isMeant: (comparison: Comparison) => boolean, other: string, ours?: string) {
  return ({ comparisons, settings: { sizes } }: Report): Found[] =>
    comparisons.filter(isMeant).flatMap((comparison): Found[] => {
      const [, listed, most] = sizes;
      const reference = referenceAt(comparison.operation === "list" ? listed : most);
      const [one, two] = rowsOf(comparison, ours ?? reference, other);
      return one && two ? [[toRatio(one.perSecond, two.perSecond), placeOf(comparison)]] : [];
    });
}

/** How many times as long the median request takes with the most records as with the fewest. */
function toGrowth(compared: string) {
  return ({ comparisons, settings: { sizes } }: Report): Found[] =>
    comparisons
      .filter(({ title }) => title === compared)
      .flatMap((comparison): Found[] => {
        const [fewest, , most] = rowsOf(comparison, ...sizes.map(referenceAt));
        return fewest && most ? [[toRatio(most.p50Ms, fewest.p50Ms), placeOf(comparison)]] : [];
      });
}

function rowsOf({ rows }: Comparison, ...servers: string[]) {
  return servers.map((name) => rows.find(({ server }) => server === name));
}

function measured(...ids: readonly string[]) {
  return ({ measurements }: Report): Found[] =>
    measurements
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ title, value }): Found[] => (value ? [[value.median, title]] : []));
}
