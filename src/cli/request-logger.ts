// The log of a command: JSON lines, or plain lines on a terminal.

import { writeSync } from "node:fs";
import { styleText } from "node:util";
import type { Logger } from "pino";
import type { LogFields } from "../server/http/record-request.js";
import { isColored } from "./command.js";
import { createLineWriter } from "./line-writer.js";

const STDERR = 2;

let finish: (() => void) | undefined;

/** @param options.isQuiet logs warnings and errors only. */
export async function createLog({ isQuiet = false } = {}): Promise<Logger> {
  const { default: pino } = await import("pino");
  const { isTTY } = process.stderr;
  const isColoured = isColored(process.stderr);
  const formatLine = (json: string) => (isTTY ? formatLogLine(JSON.parse(json), { isColoured }) : json);
  const writer = createLineWriter({
    writeBytes: (bytes) => writeSync(STDERR, bytes),
    toDroppedLine(count) {
      const msg = `${count} lines of the log could not be written, and are missing here`;
      return formatLine(`${JSON.stringify({ level: WARN, time: Date.now(), pid: process.pid, msg })}\n`);
    },
  });
  if (finish) process.off("exit", finish); // of an earlier log in this process
  finish = writer.finish;
  process.once("exit", finish);
  return pino({ level: isQuiet ? "warn" : "info" }, { write: (json: string) => writer.write(formatLine(json)) });
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

/** Formats a request, with its reasons below it, or any other message behind the time. */
export function formatLogLine(record: LogRecord, { isColoured }: { isColoured: boolean }): string {
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
