// A report as tables of text. The terminal and Markdown draw them, each in its way.
import { judge, placeOf } from "../bars.js";
import type { Comparison, Row } from "../compare.js";
import { EXPRESS } from "../contestants.js";
import type { Measurement } from "../measure/measurement.js";
import type { Report } from "../report.js";
import { type Spread, toRatio } from "../spread.js";

export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** One for each comparison. */
export function toComparisons({ comparisons }: Report): Table[] {
  return comparisons.map(comparisonTable);
}

/** The bars, and what only the reference server is measured by. */
export function toSummary(report: Report): Table[] {
  return [barTable(report), measurementTable(report)].filter(({ rows }) => rows.length > 0);
}

/** Where and how a run took place, in one line. */
export function toFacts({ date, machine, settings }: Report): string {
  const { rounds, seconds } = settings;
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`);
  return [
    date.slice(0, 10),
    `${machine.processor}, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}`,
    `load average ${machine.loadAverage} when it began`,
    versions.join(", "),
    `${rounds} rounds of ${seconds} s`,
  ].join("; ");
}

function barTable(report: Report): Table {
  const rows = judge(report).map(({ bar, wanted, measured, outcome, where }) => [
    bar,
    wanted,
    measured,
    outcome,
    where,
  ]);
  return { title: "Bars", columns: ["bar", "wanted", "measured", "", "worst at"], rows };
}

function comparisonTable(comparison: Comparison): Table {
  const express = comparison.rows.find(({ server }) => server === EXPRESS);
  const columns = ["server", "requests/s", "least – most", "to Express", "p50", "p99", "processor", "bytes", "not 2xx"];
  return { title: placeOf(comparison), columns, rows: comparison.rows.map((row) => toCells(row, express)) };
}

function toCells(row: Row, express: Row | undefined): string[] {
  const { server, perSecond, p50Ms, p99Ms, processorUs, bytes, failures } = row;
  const ratio = express ? `${toRatio(perSecond, express.perSecond).toFixed(2)} ×` : "";
  const range = `${toNumber(perSecond.least)} – ${toNumber(perSecond.most)}`;
  const processor = processorUs ? `${toNumber(processorUs.median)} µs` : "";
  const times = [p50Ms, p99Ms].map(({ median }) => `${toNumber(median)} ms`);
  return [server, toNumber(perSecond.median), range, ratio, ...times, processor, toNumber(bytes), toNumber(failures)];
}

function measurementTable({ measurements }: Report): Table {
  return { title: "This server", columns: ["", "median", "least – most"], rows: measurements.map(toMeasurementCells) };
}

function toMeasurementCells({ title, unit, value, note }: Measurement): string[] {
  return value === undefined
    ? [title, "n/a", note ?? ""]
    : [title, `${toNumber(value.median)} ${unit}`, toRange(value)];
}

function toRange({ least, most }: Spread): string {
  return least === most ? "" : `${toNumber(least)} – ${toNumber(most)}`;
}

/** Three digits are all that a bench can promise. */
function toNumber(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: Math.max(3, Math.floor(Math.log10(value || 1)) + 1) });
}
