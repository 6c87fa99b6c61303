// A report as Markdown: for a pull request, and for the README beside the bench.
import { readFile, writeFile } from "node:fs/promises";
import type { Report } from "../report.js";
import { type Table, toFacts, toTables } from "./tables.js";

export const BEGIN = "<!-- what follows is written by `npm run bench -- --markdown` -->";
export const END = "<!-- end of what the bench has written -->";

export function toMarkdown(report: Report): string {
  return `${toFacts(report)}.\n\n${toTables(report).map(toText).join("\n\n")}\n`;
}

/** Writes a report into a file: between the marks where it has them, else as the whole of it. */
export async function writeMarkdown(path: string, report: Report): Promise<void> {
  await writeFile(path, placeBetweenMarks(await readIfThere(path), toMarkdown(report)));
}

/** The text with the part between the marks replaced; without marks, the part alone. */
export function placeBetweenMarks(text: string, part: string): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end === -1) return part;
  return `${text.slice(0, begin + BEGIN.length)}\n\n${part}\n${text.slice(end)}`;
}

function toText({ title, columns, rows }: Table): string {
  const lines = [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `### ${title[0]?.toUpperCase()}${title.slice(1)}\n\n${lines.join("\n")}`;
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
