// A log that a test can read and await.
import { PassThrough } from "node:stream";
import pino, { type Logger } from "pino";

export interface LogLines {
  log: Logger;
  /** The messages so far. */
  lines: string[];
  /** Each with its members. */
  records: { msg: string; reasons?: string[] }[];
  /** Resolves with the first matching message, past or future. */
  logged(pattern: RegExp): Promise<string>;
}

export function createLogLines(): LogLines {
  const lines: string[] = [];
  const records: LogLines["records"] = [];
  const waiting = new Set<() => void>();
  const stream = new PassThrough().on("data", (chunk) => {
    const added: LogLines["records"] = String(chunk)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    records.push(...added);
    lines.push(...added.map(({ msg }) => msg));
    for (const look of waiting) look();
  });
  return {
    log: pino(stream),
    lines,
    records,
    logged: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          const match = lines.find((line) => pattern.test(line));
          if (match === undefined) return;
          waiting.delete(look);
          resolve(match);
        };
        waiting.add(look);
        look();
      }),
  };
}
