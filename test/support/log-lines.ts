// A log that a test can read and await.
import { PassThrough } from "node:stream";
import pino, { type Logger } from "pino";

export interface LogLines {
  log: Logger;
  /** The messages so far. */
  lines: string[];
  /** Resolves with the first matching message, past or future. */
  logged(pattern: RegExp): Promise<string>;
}

export function createLogLines(): LogLines {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const stream = new PassThrough().on("data", (chunk) => {
    const records = String(chunk).trimEnd().split("\n");
    lines.push(...records.map((record) => JSON.parse(record).msg));
    for (const look of waiting) look();
  });
  return {
    log: pino(stream),
    lines,
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
