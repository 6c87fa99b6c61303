// The report for people: one block for each entry, and the summary. In colour on a terminal only.
import { styleText } from "node:util";
import type { ReportEntry } from "./report-entry.js";
import type { Summary } from "./reporter.js";

export interface TerminalReport {
  toBlock(entry: ReportEntry): string;
  toSummary(summary: Summary): string;
}

type Style = Parameters<typeof styleText>[0];

export function createTerminalReport({ isColoured }: { isColoured: boolean }): TerminalReport {
  const paint = (style: Style, text: string) => (isColoured ? styleText(style, text) : text);
  return {
    toBlock({ kind, exchange, direction, operation, method, target, status, location, message, clause, decision }) {
      const [mark, style]: [string, Style] = kind === "violation" ? ["✗", "red"] : ["?", "yellow"];
      const request = `${method} ${target}${status === undefined ? "" : ` → ${status}`}`;
      const basis = clause ?? decision;
      const lines = [
        `${paint(style, `${mark} ${direction}`)}  ${operation ?? "no operation"}  ${paint("dim", `#${exchange}`)}`,
        `  ${toVisible(request)}`,
        `  ${paint("bold", toVisible(location))}  ${toVisible(message)}`,
        ...(basis === undefined ? [] : [paint("dim", `  by ${basis}`)]),
      ];
      return `${lines.join("\n")}\n\n`;
    },
    toSummary({ requests, violations, notChecked, internalErrors }) {
      const lines = [
        `${count(requests, "request")}: ${count(violations.request, "violation")} in requests, ${violations.response} in responses.`,
        ...(notChecked > 0 ? [`Not checked: ${count(notChecked, "response")}.`] : []),
        ...(internalErrors > 0 ? [`Internal errors: ${internalErrors}. See the messages above.`] : []),
        ...(requests === 0 ? ["No request was received, so nothing was checked."] : []),
      ];
      return `${lines.join("\n")}\n`;
    },
  };
}

function count(number: number, one: string): string {
  return `${number} ${number === 1 ? one : `${one}s`}`;
}

/** Names of members come from the other side: nothing in them may control the terminal. */
function toVisible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
