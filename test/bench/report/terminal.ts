// A report for the terminal: columns that line up, numbers to the right.
import type { Report } from "../report.js";
import { type Table, toFacts, toTables } from "./tables.js";

export function toTerminal(report: Report): string {
  return `\n${[...toTables(report).map(toText), toFacts(report).replaceAll("; ", "\n")].join("\n\n")}\n`;
}

function toText({ title, columns, rows }: Table): string {
  const widths = columns.map((column, index) =>
    Math.max(...[column, ...rows.map((row) => row[index] ?? "")].map(lengthOf)),
  );
  const lines = [columns, ...rows].map((cells) =>
    cells
      .map((cell, index) => pad(cell, widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${title}\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

function pad(cell: string, width: number): string {
  return /^[\d≥≤]/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}

function lengthOf(text: string): number {
  return text.length;
}
