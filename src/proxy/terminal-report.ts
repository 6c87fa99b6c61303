// The report for people: one block for each entry, and the summary.
import { styleText } from "node:util";
import type { ReportEntry, Summary } from "./reporter.js";

export function toBlock(entry: ReportEntry, { isColoured }: { isColoured: boolean }): string {
  const { kind, exchange, direction, operation, method, target, status, location, message } = entry;
  const basis = entry.clause ?? entry.decision;
  const paint = (style: "red" | "yellow" | "bold" | "dim", text: string) =>
    isColoured ? styleText(style, text) : text;
  const title = kind === "violation" ? paint("red", `✗ ${direction}`) : paint("yellow", `? ${direction}`);
  const request = `${method} ${target}${status === undefined ? "" : ` → ${status}`}`;
  const lines = [
    `${title}  ${operation ?? "no operation"}  ${paint("dim", `#${exchange}`)}`,
    `  ${toVisible(request)}`,
    `  ${paint("bold", toVisible(location))}  ${toVisible(message)}`,
    ...(basis === undefined ? [] : [paint("dim", `  by ${basis}`)]),
  ];
  return `${lines.join("\n")}\n\n`;
}

export function toSummaryText({ requests, violations, notChecked, internalErrors }: Summary): string {
  const lines = [
    `${count(requests, "request")}: ${count(violations.request, "violation")} in requests, ${violations.response} in responses.`,
    ...(notChecked > 0 ? [`Not checked: ${count(notChecked, "response")}.`] : []),
    ...(internalErrors > 0 ? [`Internal errors: ${internalErrors}. See the messages above.`] : []),
    ...(requests === 0 ? ["No request was received, so nothing was checked."] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function count(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : `${noun}s`}`;
}

/** Names of members come from the other side: nothing in them may control the terminal. */
function toVisible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
