// The report as JSON lines, written synchronously: no entry is lost with the process.
import { closeSync, openSync, writeSync } from "node:fs";
import { ConfigError } from "../config.js";
import type { ReportEntry } from "./report-entry.js";

export interface ReportFile {
  append(entry: ReportEntry): void;
  close(): void;
}

/**
 * Appends to an existing report.
 * @throws ConfigError when it cannot be written.
 */
export function openReportFile(path: string): ReportFile {
  const file = open(path);
  return {
    append: (entry) => void writeSync(file, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(file),
  };
}

function open(path: string): number {
  try {
    return openSync(path, "a");
  } catch (error) {
    throw new ConfigError(`The report cannot be written: ${(error as Error).message}. Use another file for --report.`);
  }
}
