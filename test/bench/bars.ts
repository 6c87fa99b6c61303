// The bars that the bench measures: what is wanted, what was measured, and whether that is enough.
import type { Comparison, Row } from "./compare.js";
import { EXPRESS, MOCK, PRISM, referenceAt } from "./contestants.js";
import type { Report } from "./report.js";
import { UPDATE } from "./scenarios.js";
import { BUSY_CONNECTIONS } from "./settings.js";
import { toRatio } from "./spread.js";
import { NEW_QUERIES } from "./workload.js";

export interface Verdict {
  bar: string;
  wanted: string;
  /** `n/a` where it could not be measured. */
  measured: string;
  /** Where it was measured, the worst place of several. */
  where: string;
  outcome: "met" | "missed" | "not measured";
}

interface Bar {
  title: string;
  atLeast?: number;
  atMost?: number;
  unit: "×" | "ms" | "MB";
  /** One value for each place; the worst counts. */
  find: (report: Report) => Found[];
}

interface Found {
  value: number;
  where: string;
}

/** What a start and the memory may be is said of that many; there may be more. */
const MAX_CHECKED_RECORDS = 100_000;

const SCANS = ["no match", "search"]; // no look-up shortens them
const SHORT_PAGES = ["nothing", "transactionId"]; // no filter, or not ten records

const BARS: readonly Bar[] = [
  rateBar("list 10 of the most records with a filter, to bare Express with the same page", 1, fullPages, EXPRESS),
  rateBar("the same, of queries that are never repeated", 1, newQueries, EXPRESS),
  rateBar("list 10 of the most records, to Prism", 2.5, fullPages, PRISM),
  rateBar("the mock, to bare Express with the same page", 1, fullPages, EXPRESS, MOCK),
  rateBar("the mock, to Prism", 2, fullPages, PRISM, MOCK),
  rateBar("update, durable, to bare Express with the same bytes", 0.7, busyUpdates, EXPRESS),
  rateBar("the same, to Prism", 1.5, busyUpdates, PRISM),
  growthBar("list", "growth of the median time of a list, most records to fewest"),
  growthBar("update", "growth of the median time of an update, most records to fewest"),
  {
    title: "a list that no look-up shortens, most records",
    atMost: 10,
    unit: "ms",
    find: measured("search", "noMatch", "emptyRange"),
  },
  { title: "start to first response, demo seed", atMost: 500, unit: "ms", find: measured("startDemo") },
  { title: "start to first response, mock", atMost: 1_000, unit: "ms", find: measured("startMock") },
  { title: "start to first response, most records", atMost: 3_000, unit: "ms", find: measuredWithin("startLargest") },
  {
    title: "a new environment",
    atMost: 10,
    unit: "ms",
    find: measured("newEnvironment", "newDurableEnvironment"),
  },
  {
    title: "added to an update by writing the demo seed",
    atMost: 20,
    unit: "ms",
    find: measured("updateAddedByWritingDemo"),
  },
  {
    title: "added to an update by writing the most records",
    atMost: 1_000,
    unit: "ms",
    find: measuredWithin("updateAddedByWritingLargest"),
  },
  {
    title: "review of an ordinary change, processor time",
    atMost: 3_000,
    unit: "ms",
    find: measured("reviewProcessor"),
  },
  { title: "verify against the reference server", atMost: 8_000, unit: "ms", find: measured("verify") },
  { title: "memory, demo seed", atMost: 150, unit: "MB", find: measured("memoryDemoStarted", "memoryDemo") },
  {
    title: "memory, most records",
    atMost: 600,
    unit: "MB",
    find: measuredWithin("memoryLargestStarted", "memoryLargest"),
  },
];

type Choose = (report: Report) => Comparison[];

/** How many requests the reference server with the most records, or `ours`, handles for one of another server. */
function rateBar(title: string, atLeast: number, choose: Choose, other: string, ours?: string): Bar {
  const find = (report: Report) =>
    choose(report).flatMap((comparison) =>
      toRateRatio(comparison, ours ?? referenceAt(report.settings.sizes.at(-1) ?? 0), other),
    );
  return { title, atLeast, unit: "×", find };
}

function growthBar(section: Comparison["operation"], title: string): Bar {
  const find = (report: Report) =>
    report.comparisons
      .filter(({ operation, title: list }) => operation === section && !SCANS.includes(list))
      .flatMap(toGrowth(report));
  return { title, atMost: 1.5, unit: "×", find };
}

export function judge(report: Report): Verdict[] {
  return BARS.map((bar) => toVerdict(bar, bar.find(report)));
}

function toVerdict(
  { title, atLeast, atMost = Number.POSITIVE_INFINITY, unit }: Bar,
  results: readonly Found[],
): Verdict {
  const sorted = results.toSorted((a, b) => a.value - b.value);
  const worst = atLeast === undefined ? sorted.at(-1) : sorted[0];
  const wanted = atLeast === undefined ? `≤ ${toText(atMost, unit)}` : `≥ ${toText(atLeast, unit)}`;
  if (!worst) return { bar: title, wanted, measured: "n/a", where: "", outcome: "not measured" };
  const isMet = atLeast === undefined ? worst.value <= atMost : worst.value >= atLeast;
  const measured = toText(worst.value, unit);
  return { bar: title, wanted, measured, where: worst.where, outcome: isMet ? "met" : "missed" };
}

function toText(value: number, unit: Bar["unit"]): string {
  return unit === "×" ? `${value.toFixed(2)} ×` : `${Math.round(value).toLocaleString("en")} ${unit}`;
}

function fullPages({ comparisons }: Report): Comparison[] {
  const apart = [...SHORT_PAGES, ...SCANS, NEW_QUERIES];
  return comparisons.filter(({ operation, title }) => operation === "list" && !apart.includes(title));
}

function newQueries({ comparisons }: Report): Comparison[] {
  return comparisons.filter(({ title }) => title === NEW_QUERIES);
}

function busyUpdates({ comparisons }: Report): Comparison[] {
  return comparisons.filter(({ title, connections }) => title === UPDATE && connections === BUSY_CONNECTIONS);
}

function toRateRatio(comparison: Comparison, server: string, other: string): Found[] {
  const [ours, theirs] = [rowOf(comparison, server), rowOf(comparison, other)];
  if (!ours || !theirs) return [];
  return [{ value: toRatio(ours.perSecond, theirs.perSecond), where: placeOf(comparison) }];
}

function toGrowth({ settings: { sizes } }: Report): (comparison: Comparison) => Found[] {
  return (comparison) => {
    const fewest = rowOf(comparison, referenceAt(sizes[0] ?? 0));
    const most = rowOf(comparison, referenceAt(sizes.at(-1) ?? 0));
    if (!fewest || !most || fewest === most) return [];
    return [{ value: toRatio(most.p50Ms, fewest.p50Ms), where: placeOf(comparison) }];
  };
}

function rowOf({ rows }: Comparison, server: string): Row | undefined {
  return rows.find((row) => row.server === server);
}

export function placeOf({ operation, title, connections }: Comparison): string {
  const what = operation === "list" ? `list by ${title}` : title;
  return `${what}, ${connections} ${connections === 1 ? "connection" : "connections"}`;
}

function measured(...ids: readonly string[]): (report: Report) => Found[] {
  return ({ measurements }) =>
    measurements
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ title, value }) => (value === undefined ? [] : [{ value: value.median, where: title }]));
}

function measuredWithin(...ids: readonly string[]): (report: Report) => Found[] {
  const find = measured(...ids);
  return (report) => ((report.settings.sizes.at(-1) ?? 0) > MAX_CHECKED_RECORDS ? [] : find(report));
}
