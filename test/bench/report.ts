// The bars, and what a run found as tables. The README beside the bench has the bars.
import type { Comparison, Row } from "./compare.js";
import type { Measurement } from "./measurements.js";
import { EXPRESS, IN_MEMORY, MOCK, PRISM, referenceAt } from "./servers.js";
import { median, type Settings, toRatio } from "./settings.js";
import { DEEP_PAGE, UNFILTERED } from "./workload.js";

export interface Report {
  /** RFC 3339. */
  date: string;
  /** In one line. */
  machine: string;
  settings: Settings;
  comparisons: Comparison[];
  measurements: Measurement[];
}

/** A value and where it was measured. Of several, the worst counts. */
type Found = [value: number, where: string];

type Bar = [title: string, wanted: "≥" | "≤", limit: number, unit: string, find: (report: Report) => Found[]];

const isUpdate = ({ title }: Comparison) => title === "update";
const isList = (comparison: Comparison) => !isUpdate(comparison);
const isDeepPage = ({ title }: Comparison) => title === DEEP_PAGE;
const isUsualList = (comparison: Comparison) => isList(comparison) && !isDeepPage(comparison);
const placeOf = (comparison: Comparison) => (isUpdate(comparison) ? "update" : `list by ${comparison.title}`);

const BARS: readonly Bar[] = [
  ["list 10 of 10,000 records, to bare Express with the same page", "≥", 1.4, "×", ratios(ofRate, isUsualList)],
  ["the same of a deep page", "≥", 1, "×", ratios(ofRate, isDeepPage)],
  ["list 10 of 10,000 records, to Prism", "≥", 5, "×", ratios(ofRate, isList, { other: PRISM })],
  ["list of the mock, to bare Express with the same page", "≥", 1.6, "×", ratios(ofRate, isList, { ours: MOCK })],
  ["the same, processor time", "≥", 1.6, "×", ratios(ofProcessorTime, isList, { ours: MOCK })],
  ["list of the mock, to Prism", "≥", 5, "×", ratios(ofRate, isList, { other: PRISM, ours: MOCK })],
  [
    "update of the mock, processor time, to bare Express",
    "≥",
    1.6,
    "×",
    ratios(ofProcessorTime, isUpdate, { ours: MOCK }),
  ],
  ["update, durable, to bare Express with the same bytes", "≥", 1.2, "×", ratios(ofRate, isUpdate)],
  ["the same, processor time, with what is written later", "≥", 1.2, "×", ratios(ofProcessorTime, isUpdate)],
  ["update, in memory, to durable", "≥", 1, "×", inMemoryToDurable],
  ["update, durable, to Prism", "≥", 1.5, "×", ratios(ofRate, isUpdate, { other: PRISM })],
  ["growth of the median time of an unfiltered list, most records to fewest", "≤", 1.5, "×", growth(UNFILTERED)],
  ["growth of the median time of an update, most records to fewest", "≤", 1.5, "×", growth("update")],
  ["a list that reads all of the most records", "≤", 15, "ms", measured("scan")],
  ["start to first response, demo seed", "≤", 450, "ms", measured("startDemo")],
  ["start to first response, mock", "≤", 700, "ms", measured("startMock")],
  ["start to first response, most records", "≤", 3_000, "ms", measured("startLargest")],
  ["a new environment", "≤", 10, "ms", measured("newEnvironment")],
  ["added to an update by writing the demo seed", "≤", 20, "ms", measured("updateAddedByWritingDemo")],
  ["added to an update by writing the most records", "≤", 1_000, "ms", measured("updateAddedByWritingLargest")],
  ["review of an ordinary change, processor time", "≤", 2_500, "ms", measured("review")],
  ["verify against the reference server", "≤", 5_000, "ms", measured("verify")],
  ["memory, demo seed", "≤", 120, "MB", measured("memoryDemo")],
  ["memory, most records", "≤", 500, "MB", measured("memoryLargest")],
];

function toBarCells([title, comparator, limit, unit, find]: Bar, report: Report): string[] {
  const sorted = find(report).toSorted(([a], [b]) => a - b);
  const [value = Number.NaN, where = ""] = (comparator === "≥" ? sorted[0] : sorted.at(-1)) ?? [];
  const wanted = `${comparator} ${toText(limit, unit)}`;
  if (Number.isNaN(value)) return [title, wanted, "n/a", "not measured", where];
  const isMet = comparator === "≥" ? value >= limit : value <= limit;
  return [title, wanted, toText(value, unit), isMet ? "met" : "missed", where];
}

function toText(value: number, unit: string): string {
  return unit === "×" ? `${value.toFixed(2)} ×` : `${Math.round(value).toLocaleString("en")} ${unit}`;
}

/** How many requests a server handles for one of another. */
function ofRate(one: Row, other: Row): number {
  return toRatio(one.perSecond, other.perSecond);
}

/** How much processor time another server spends for what this one spends on a request. */
function ofProcessorTime(one: Row, other: Row): number {
  return toRatio(other.processorUs, one.processorUs);
}

/** Ratios of `ours`, or else of a reference server, to another server. */
function ratios(
  toValue: typeof ofRate,
  isMeant: (comparison: Comparison) => boolean,
  { other = EXPRESS, ours }: { other?: string; ours?: string } = {},
) {
  return ({ comparisons, settings: { sizes } }: Report): Found[] =>
    comparisons.filter(isMeant).flatMap((comparison): Found[] => {
      const [one, two] = rowsOf(comparison, ours ?? referenceAt(sizes[1]), other);
      return one && two ? [[toValue(one, two), placeOf(comparison)]] : [];
    });
}

/** Both with the fewest records, as test runs have them. */
function inMemoryToDurable(report: Report): Found[] {
  return ratios(ofRate, isUpdate, { ours: IN_MEMORY, other: referenceAt(report.settings.sizes[0]) })(report);
}

/** How many times as long the median request takes with the most records as with the fewest. */
function growth(compared: string) {
  return ({ comparisons, settings: { sizes } }: Report): Found[] =>
    comparisons
      .filter(({ title }) => title === compared)
      .flatMap((comparison): Found[] => {
        const [fewest, , most] = rowsOf(comparison, ...sizes.map(referenceAt));
        return fewest && most ? [[toRatio(most.p50Ms, fewest.p50Ms), placeOf(comparison)]] : [];
      });
}

function rowsOf({ rows }: Comparison, ...servers: string[]): (Row | undefined)[] {
  return servers.map((name) => rows.find(({ server }) => server === name));
}

function measured(wanted: string) {
  return ({ measurements }: Report): Found[] =>
    measurements.filter(({ id }) => id === wanted).map(({ title, values }): Found => [median(values), title]);
}

/** All tables, as Markdown. */
export function toMarkdown(report: Report): string {
  const { date, machine, settings, comparisons } = report;
  const columns = ["bar", "wanted", "measured", "", "worst at"];
  const bars = BARS.map((bar) => toBarCells(bar, report));
  return [
    ...comparisons.map(toComparisonTable),
    `${date.slice(0, 10)}; ${machine}; ${settings.rounds} rounds of ${settings.seconds} s.`,
    toTable("Bars", columns, bars),
  ].join("\n\n");
}

function toComparisonTable(comparison: Comparison): string {
  const [express] = rowsOf(comparison, EXPRESS);
  const cells = comparison.rows.map(({ server, perSecond, p50Ms, processorUs, failures }) => [
    server,
    toNumber(median(perSecond)),
    express ? `${toRatio(perSecond, express.perSecond).toFixed(2)} ×` : "",
    `${toNumber(median(p50Ms))} ms`,
    `${toNumber(median(processorUs))} µs`,
    toNumber(failures),
  ]);
  return toTable(
    placeOf(comparison),
    ["server", "requests/s", "to Express", "p50", "processor time", "not 2xx"],
    cells,
  );
}

function toTable(title: string, columns: string[], rows: string[][]): string {
  const lines = [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `### ${title}\n\n${lines.join("\n")}`;
}

/** Three digits are all that a bench can promise. */
function toNumber(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: Math.max(3, Math.floor(Math.log10(value || 1)) + 1) });
}
