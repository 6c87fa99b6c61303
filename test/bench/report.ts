// What a run found, as data and as tables. The README beside the bench has the bars, and what only this server is measured by; the
// comparisons are in results.json, and on the terminal.
import { judge, placeOf } from "./bars.js";
import type { Comparison, Row } from "./compare.js";
import { EXPRESS } from "./contestants.js";
import type { Measurement } from "./measurements.js";
import type { Settings } from "./settings.js";
import { toRatio } from "./spread.js";

export interface Report {
  /** When it ended, RFC 3339. */
  date: string;
  /** Where it took place, in one line. */
  machine: string;
  settings: Settings;
  comparisons: Comparison[];
  measurements: Measurement[];
}

export const BEGIN = "<!-- what follows is written by `npm run bench -- --save` -->";
export const END = "<!-- end of what the bench has written -->";

/** Requests that did not get 2xx: with any, the figures mean little. */
export function countFailures({ comparisons }: Report): number {
  return comparisons.flatMap(({ rows }) => rows).reduce((sum, { failures }) => sum + failures, 0);
}

/** The whole report. */
export function toTerminal(report: Report): string {
  return `${report.comparisons.map(toComparisonTable).join("\n\n")}\n\n${toMarkdown(report)}`;
}

export function toMarkdown(report: Report): string {
  const { date, machine, settings } = report;
  const bars = judge(report).map(({ title, wanted, measured, outcome, where }) => [
    title,
    wanted,
    measured,
    outcome,
    where,
  ]);
  return [
    `${date.slice(0, 10)}; ${machine}; ${settings.rounds} rounds of ${settings.seconds} s.`,
    toTable("Bars", ["bar", "wanted", "measured", "", "worst at"], bars),
    toTable("This server", ["", "median", "least – most"], report.measurements.map(toMeasurementCells)),
  ].join("\n\n");
}

/**
 * The text with the part between the marks replaced.
 * @throws where it has no marks.
 */
export function placeBetweenMarks(text: string, part: string): string {
  const [before = "", rest] = text.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (after === undefined) throw new Error(`The README has no place for the tables, between ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n\n${part}\n\n${END}${after}`;
}

function toComparisonTable(comparison: Comparison): string {
  const { rows } = comparison;
  const express = rows.find(({ server }) => server === EXPRESS);
  const columns = ["server", "requests/s", "least – most", "to Express", "p50", "p99", "processor", "bytes", "not 2xx"];
  const title = placeOf(comparison);
  return toTable(
    title,
    columns,
    rows.map((row) => toCells(row, express)),
  );
}

function toCells(row: Row, express: Row | undefined): string[] {
  const { server, perSecond, p50Ms, p99Ms, processorUs, bytes, failures } = row;
  const ratio = express ? `${toRatio(perSecond, express.perSecond).toFixed(2)} ×` : "";
  const range = `${toNumber(perSecond.least)} – ${toNumber(perSecond.most)}`;
  const processor = processorUs ? `${toNumber(processorUs.median)} µs` : "";
  const times = [p50Ms, p99Ms].map(({ median }) => `${toNumber(median)} ms`);
  return [server, toNumber(perSecond.median), range, ratio, ...times, processor, toNumber(bytes), toNumber(failures)];
}

function toMeasurementCells({ title, unit, value }: Measurement): string[] {
  if (value === undefined) return [title, "n/a", ""];
  const { median, least, most } = value;
  return [title, `${toNumber(median)} ${unit}`, least === most ? "" : `${toNumber(least)} – ${toNumber(most)}`];
}

function toTable(title: string, columns: string[], rows: string[][]): string {
  const lines = [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `### ${title[0]?.toUpperCase()}${title.slice(1)}\n\n${lines.join("\n")}`;
}

/** Three digits are all that a bench can promise. */
function toNumber(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: Math.max(3, Math.floor(Math.log10(value || 1)) + 1) });
}
