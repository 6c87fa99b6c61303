// The log of a command: one JSON line per record if a program reads it, columns on a terminal.
import { writeSync } from "node:fs";
import { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Logger } from "pino";
import type { LoggedRequest } from "../server/http/record-request.js";

const STDERR = 2;

/** @param options.isQuiet leaves out everything below a warning, such as requests. */
export async function createLog({ isQuiet = false } = {}): Promise<Logger> {
  const { default: pino } = await import("pino");
  const { isTTY, columns } = process.stderr;
  const toLine = (json: string) => toTerminalLine(JSON.parse(json), { columns, isColoured: !process.env.NO_COLOR });
  const reportDropped = (lines: number) => log.warn(`${lines} lines of this log could not be written before this one`);
  const options = { level: isQuiet ? "warn" : "info" };
  const log: Logger = pino(options, createLineWriter(STDERR, isTTY ? toLine : undefined, reportDropped));
  return log;
}

/** A record of the log as pino writes it: of a request, or any other message. */
export type LogRecord = Partial<LoggedRequest> & {
  time: number;
  level: number;
  msg: string;
  err?: { stack?: string };
};

export interface TerminalOptions {
  /** How wide the terminal is. */
  columns?: number;
  isColoured: boolean;
}

type Style = Parameters<typeof styleText>[0];

const WIDEST = 120; // of a wider terminal, durations would be too far from what took them
const MIN_TARGET = 20;
const [WARN, ERROR] = [40, 50]; // pino's levels

/** A request as time, status, method, target and duration in columns, with its reasons below; any other message behind the time. */
export function toTerminalLine(record: LogRecord, { columns = 80, isColoured }: TerminalOptions): string {
  const paint = (style: Style, text: string) => (isColoured ? styleText(style, text, { validateStream: false }) : text);
  const time = paint("dim", new Date(record.time).toTimeString().slice(0, 8));
  const { method, target, status, ms, mocked, reasons = [] } = record;
  if (method === undefined || target === undefined || status === undefined || ms === undefined) {
    const style = record.level >= ERROR ? "red" : record.level >= WARN ? "yellow" : "reset";
    const [stack] = record.err?.stack === undefined ? [] : [`\n${record.err.stack.replaceAll(/^/gm, INDENT)}`];
    return `${time}  ${paint(style, record.msg)}${stack ?? ""}\n`;
  }
  const duration = `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  const width = Math.max(MIN_TARGET, Math.min(columns, WIDEST) - 24 - duration.length);
  const line = [
    time,
    paint(styleOf(status), String(status).padEnd(3)),
    paint("bold", method.padEnd(5)),
    `${(mocked ? `${target} (mocked)` : target).padEnd(width)} ${paint("dim", duration)}`,
  ];
  return [line.join("  "), ...reasons.map((reason) => `${INDENT}${paint("yellow", reason)}`)].join("\n").concat("\n");
}

const INDENT = " ".repeat(10); // below the status

function styleOf(status: LoggedRequest["status"]): Style {
  if (status === "aborted" || status >= 500) return "red";
  return status >= 400 ? "yellow" : "green";
}

const RETRY_MS = 10;
const MAX_RETRIES = 100;

/**
 * Writes lines at once, so that none is lost with the process. Those that cannot be written, as on a full disk, are dropped:
 * no request waits for them. pino's own destination would try again for ever at the exit.
 */
function createLineWriter(
  fd: number,
  toLine: (json: string) => string = (json) => json,
  reportDropped: (lines: number) => void,
): Writable {
  let dropped = 0;
  return new Writable({
    decodeStrings: false,
    write(json: string, _encoding, done) {
      const retries = dropped === 0 ? MAX_RETRIES : 0; // once only for a pipe whose reader has stopped
      const isWritten = writeLine(fd, toLine(json), retries);
      const before = dropped;
      dropped = isWritten ? 0 : dropped + 1;
      done();
      if (isWritten && before > 0) reportDropped(before);
    },
  });
}

function writeLine(fd: number, line: string, retries: number): boolean {
  let bytes = Buffer.from(line);
  for (let retry = 0; bytes.length > 0; ) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || retry === retries) return false;
      retry += 1; // a pipe takes more once its reader has read
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
  return true;
}
