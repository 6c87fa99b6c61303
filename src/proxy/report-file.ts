// The report as JSON lines, written synchronously: no entry is lost with the process.
import { closeSync, openSync, writeSync } from "node:fs";
import { ConfigError } from "../config.js";
import type { ReportEntry } from "./reporter.js";

/**
 * Appends to an existing report.
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
