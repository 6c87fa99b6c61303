// A report as Markdown. The README beside the bench has the bars, and what only this server is measured by; the comparisons are in
// results.json, and on the terminal.
import type { Report } from "../report.js";
import { type Table, toComparisons, toFacts, toSummary } from "./tables.js";

export const BEGIN = "<!-- what follows is written by `npm run bench -- --save` -->";
export const END = "<!-- end of what the bench has written -->";

export function toMarkdown(report: Report): string {
  return `${toFacts(report)}.\n\n${toSummary(report).map(toText).join("\n\n")}\n`;
}

/** The whole report, for the terminal. */
export function toTerminal(report: Report): string {
  return `${toComparisons(report).map(toText).join("\n\n")}\n\n${toMarkdown(report)}`;
}

/**
 * The text with the part between the marks replaced.
 * @throws where it has no marks.
 */
export function placeBetweenMarks(text: string, part: string): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end === -1)
    throw new Error(`The README has no place for the tables, between ${BEGIN} and ${END}.`);
  return `${text.slice(0, begin + BEGIN.length)}\n\n${part}\n${text.slice(end)}`;
}

function toText({ title, columns, rows }: Table): string {
  const lines = [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `### ${title[0]?.toUpperCase()}${title.slice(1)}\n\n${lines.join("\n")}`;
}
