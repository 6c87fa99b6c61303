// The report as it is written: for people one block for each entry, and the summary; for programs JSON lines.
import { closeSync, openSync, writeSync } from "node:fs";
import { styleText } from "node:util";
import { ConfigError } from "../config.js";
import { toPrintable } from "../report/blocks.js";
import type { ReportEntry, Summary } from "./reporter.js";

export function toBlock(entry: ReportEntry, { isColoured }: { isColoured: boolean }): string {
  const { kind, exchange, direction, operation, method, target, status, location, message } = entry;
  const basis = entry.clause ?? entry.decision;
  const paint = (style: "red" | "yellow" | "bold" | "dim", text: string) =>
    isColoured ? styleText(style, text) : text;
  const marks = { violation: ["red", "✗"], notChecked: ["yellow", "?"], standIn: ["yellow", "⇄"] } as const;
  const [color, mark] = marks[kind];
  const title = paint(color, `${mark} ${direction}`);
  const request = `${method} ${target}${status === undefined ? "" : ` → ${status}`}`;
  const lines = [
    `${title}  ${operation ?? "no operation"}  ${paint("dim", `#${exchange}`)}`,
    `  ${toLine(request)}`,
    `  ${paint("bold", toLine(location))}  ${toLine(message)}`,
    ...(basis === undefined ? [] : [paint("dim", `  by ${basis}`)]),
  ];
  return `${lines.join("\n")}\n\n`;
}

export function toSummaryText({ requests, violations, notChecked, standIns, internalErrors }: Summary): string {
  const lines = [
    `${count(requests, "request")}: ${count(violations.request, "violation")} in requests, ${violations.response} in responses.`,
    ...(notChecked > 0 ? [`Not checked: ${count(notChecked, "response")}.`] : []),
    ...Object.entries(standIns).map(
      ([reason, times]) => `By the proxy instead of the upstream (${reason}): ${count(times, "response")}.`,
    ),
    ...(internalErrors > 0 ? [`Internal errors: ${internalErrors}. See the messages above.`] : []),
    ...(requests === 0 ? ["No request was received, so nothing was checked."] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function count(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : `${noun}s`}`;
}

/** Names of members come from the other side: nothing in them may control the terminal, or look like another entry. */
function toLine(text: string): string {
  return toPrintable(text).replaceAll("\n", "\\n");
}

/**
 * The report as JSON lines, written at once: no entry is lost with the process. Appends to an existing report.
 * @throws ConfigError when it cannot be written.
 */
export function openReportFile(path: string): { append(entry: ReportEntry): void; close(): void } {
  try {
    const file = openSync(path, "a");
    return {
      append: (entry) => void writeSync(file, `${JSON.stringify(entry)}\n`),
      close: () => closeSync(file),
    };
  } catch (error) {
    throw new ConfigError(`The report cannot be written: ${(error as Error).message}. Use another file for --report.`);
  }
}
