// The log of a command: JSON lines, or plain lines on a terminal.
import { writeSync } from "node:fs";
import { styleText } from "node:util";
import type { Logger } from "pino";
import type { LogFields } from "../server/http/record-request.js";
import { isColored } from "./command.js";

const STDERR = 2;

let finish: (() => void) | undefined;

/** @param options.isQuiet logs warnings and errors only. */
export async function createLog({ isQuiet = false } = {}): Promise<Logger> {
  const { default: pino } = await import("pino");
  const { isTTY } = process.stderr;
  const isColoured = isColored(process.stderr);
  const formatLine = (json: string) =>
    isTTY ? formatLogLine(JSON.parse(json), { isColoured, columns: process.stderr.columns }) : json;
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
const REASONS = 10; // the column of the status
const TARGET = 22; // the column of the target
const USUAL_COLUMNS = 80;

/** Formats a request, with its reasons below it, or any other message behind the time. Wraps under the columns. */
export function formatLogLine(record: LogRecord, { isColoured, columns = USUAL_COLUMNS }: LineOptions): string {
  const { method = "", target, status = 0, ms, mocked, reasons = [], level, err, msg } = record;
  const time = new Date(record.time).toTimeString().slice(0, 8);
  const request = `${String(status).padEnd(3)}  ${method.padEnd(5)}  ${decode(target ?? "")}${mocked ? " (mocked)" : ""}  ${ms} ms`;
  const isError = level >= ERROR || status === "aborted" || status >= 500;
  const isWarning = level >= WARN || Number(status) >= 400;
  const style = isError ? "red" : isWarning ? "yellow" : "reset";
  const first = wrap(
    `${time}  ${target === undefined ? msg : request}`,
    columns,
    target === undefined ? REASONS : TARGET,
  );
  const reasonLines = reasons.map((reason) => wrap(" ".repeat(REASONS) + reason.replaceAll("`", ""), columns, REASONS));
  const stack = err?.stack?.replaceAll(/^/gm, " ".repeat(REASONS)) ?? [];
  return `${[isColoured ? styleText(style, first, { validateStream: false }) : first, ...reasonLines, stack].flat().join("\n")}\n`;
}

interface LineOptions {
  isColoured: boolean;
  /** Of the terminal. */
  columns?: number | undefined;
}

/** As a person writes it: `注文` for `%E6%B3%A8%E6%96%87`. */
function decode(target: string): string {
  try {
    return decodeURI(target).replaceAll(/\p{C}/gu, "�");
  } catch {
    return target;
  }
}

/** Breaks at blanks, and before the parts of an address. */
function wrap(text: string, columns: number, indent: number): string {
  const lines = [""];
  for (const part of text.split(/(?<= )|(?=[/&?])/)) {
    const line = lines.at(-1) ?? "";
    if (line.trim() !== "" && line.length + part.trimEnd().length > columns) lines.push(" ".repeat(indent) + part);
    else lines[lines.length - 1] = line + part;
  }
  return lines.map((line) => line.trimEnd()).join("\n");
}

const WRITE_MS = 10;
const MAX_WAITING_BYTES = 1_000_000;
const MAX_RETRIES_AT_EXIT = 100;

export interface LineWriterOptions {
  /** Writes the first bytes, and returns how many; throws EAGAIN while the reader does not read. */
  writeBytes: (bytes: Buffer) => number;
  /** The line that tells how many lines were dropped. */
  toDroppedLine: (count: number) => string;
}

interface Line {
  bytes: Buffer;
  /** How many lines of the log it stands for. */
  count: number;
}

/**
 * Writes lines of a log, those of some milliseconds together, and never waits for their reader. What a full pipe does
 * not take is kept for a while; what is more than that, or cannot be written, as on a full disk, is counted. The next
 * line written is the count.
 */
export function createLineWriter({ writeBytes, toDroppedLine }: LineWriterOptions) {
  const waiting: Line[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let isTorn = false; // the last line was written in part
  let timer: NodeJS.Timeout | undefined;

  function enqueue(text: string, count: number): void {
    const bytes = Buffer.from(isTorn && waiting.length === 0 ? `\n${text}` : text);
    waiting.push({ bytes, count });
    waitingBytes += bytes.length;
  }

  function announceDropped(): void {
    if (dropped === 0) return;
    enqueue(toDroppedLine(dropped), dropped);
    dropped = 0;
  }

  function writeAll(): void {
    let written = writeBytes(Buffer.concat(waiting.map(({ bytes }) => bytes)));
    waitingBytes -= written;
    for (let [line] = waiting; line && written >= line.bytes.length; [line] = waiting) {
      written -= line.bytes.length;
      waiting.shift();
    }
    isTorn = written > 0;
    const [torn] = waiting;
    if (torn) torn.bytes = torn.bytes.subarray(written);
  }

  function flush(): void {
    timer = undefined;
    try {
      while (waiting.length > 0) {
        writeAll();
        if (waiting.length === 0) announceDropped();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") {
        timer = setTimeout(flush, WRITE_MS).unref();
        return;
      }
      for (const { count } of waiting.splice(0)) dropped += count;
      waitingBytes = 0;
    }
  }

  return {
    write(text: string): void {
      const isFull = waitingBytes >= MAX_WAITING_BYTES || (dropped > 0 && waiting.length > 0);
      if (isFull) dropped += 1;
      else {
        announceDropped();
        enqueue(text, 1);
      }
      if (timer === undefined) timer = setTimeout(flush, WRITE_MS).unref();
    },
    /** Writes what waits, for up to a second: the process ends. pino's own destination would retry for ever. */
    finish(): void {
      for (let retry = 0; waiting.length > 0 && retry < MAX_RETRIES_AT_EXIT; retry += 1) {
        flush();
        if (waiting.length > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITE_MS);
      }
    },
  };
}
