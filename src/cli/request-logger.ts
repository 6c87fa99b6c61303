// Where a command writes its log: one JSON line a request where a program reads, a readable one on a terminal.
import { writeSync } from "node:fs";
import { Writable } from "node:stream";
import type { Logger } from "pino";

export async function createLog(fd = 2): Promise<Logger> {
  const { default: pino } = await import("pino");
  let log: Logger;
  const reportDropped = (lines: number) => log.warn(`${lines} lines of this log could not be written before this one`);
  const destination = createLineWriter(fd, reportDropped);
  if (!process.stderr.isTTY) {
    log = pino(destination);
    return log;
  }
  const { default: pretty } = await import("pino-pretty");
  const ignore = "pid,hostname,requestId,environment,ms";
  log = pino(pretty({ destination, ignore, translateTime: "HH:MM:ss", messageFormat: toMessage }));
  return log;
}

/** Only a request has a duration. */
export function toMessage({ msg, ms }: Record<string, unknown>): string {
  return ms === undefined ? String(msg) : `${msg} ${ms} ms`;
}

const RETRY_MS = 10;
const MAX_RETRIES = 100;

/**
 * Writes lines at once, so that none is lost with the process. Those that cannot be written, as on a full disk, are dropped:
 * no request waits for them. pino's own destination would try again for ever at the exit.
 */
function createLineWriter(fd: number, reportDropped: (lines: number) => void): Writable {
  let dropped = 0;
  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      const retries = dropped === 0 ? MAX_RETRIES : 0; // once only for a pipe whose reader has stopped
      const isWritten = writeLine(fd, line, retries);
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
