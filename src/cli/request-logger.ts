// The log of a command: JSON lines, or plain lines on a terminal.

import { writeSync } from "node:fs";
import { styleText } from "node:util";
import type { Logger } from "pino";
import type { LogFields } from "../server/http/record-request.js";
import { isColored } from "./command.js";

const STDERR = 2;

/** @param options.isQuiet logs warnings and errors only. */
export async function createLog({ isQuiet = false } = {}): Promise<Logger> {
  const { default: pino } = await import("pino");
  const { isTTY } = process.stderr;
  const isColoured = isColored(process.stderr);
  const toLine = (json: string) => (isTTY ? toTerminalLine(JSON.parse(json), { isColoured }) : json);
  let isStopped = false; // waits only once for a reader that has stopped
  const write = (json: string) => {
    isStopped = !writeLine(toLine(json), isStopped ? 0 : MAX_RETRIES);
  };
  return pino({ level: isQuiet ? "warn" : "info" }, { write });
}

/** A record of pino: of a request, or any other message. */
export type LogRecord = Partial<LogFields> & {
  time: number;
  level: number;
  msg: string;
  err?: { stack?: string };
};

const [WARN, ERROR] = [40, 50]; // pino's levels
const INDENT = " ".repeat(10); // below the status

/** Formats a request as time, status, method, target and duration, with its reasons below, or any other message behind the time. */
export function toTerminalLine(record: LogRecord, { isColoured }: { isColoured: boolean }): string {
  const { method = "", target, status = 0, ms, mocked, reasons = [], level, err, msg } = record;
  const time = new Date(record.time).toTimeString().slice(0, 8);
  const isRequest = target !== undefined;
  const request = `${String(status).padEnd(3)}  ${method.padEnd(5)}  ${target}${mocked ? " (mocked)" : ""}  ${ms} ms`;
  const isError = level >= ERROR || status === "aborted" || status >= 500;
  const isWarning = level >= WARN || Number(status) >= 400;
  const style = isError ? "red" : isWarning ? "yellow" : "reset";
  const first = `${time}  ${isRequest ? request : msg}`;
  const lines = [isColoured ? styleText(style, first, { validateStream: false }) : first, ...reasons, err?.stack ?? []];
  return `${lines.flat().join("\n").replaceAll("\n", `\n${INDENT}`)}\n`;
}

const RETRY_MS = 10;
const MAX_RETRIES = 100;

/**
 * Writes a line synchronously, so that it is not lost if the process ends. Returns false if it cannot be written, such as on a full
 * disk, since no request should wait for it. pino's own destination would retry for ever at the exit.
 */
function writeLine(line: string, maxRetries: number): boolean {
  let bytes = Buffer.from(line);
  for (let retry = 0; bytes.length > 0; ) {
    try {
      bytes = bytes.subarray(writeSync(STDERR, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || retry === maxRetries) return false;
      retry += 1; // the pipe is full until its reader reads
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
  return true;
}
