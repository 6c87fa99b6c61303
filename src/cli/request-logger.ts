// Where a command writes its log: one JSON line a request where a program reads, a readable one on a terminal.
import type { Logger } from "pino";

export async function createLog(): Promise<Logger> {
  const { default: pino } = await import("pino");
  if (!process.stderr.isTTY) return pino(pino.destination(2));
  const { default: pretty } = await import("pino-pretty");
  const ignore = "pid,hostname,requestId,environment,ms";
  return pino(pretty({ destination: 2, ignore, translateTime: "HH:MM:ss", messageFormat: toMessage }));
}

/** Only a request has a duration. */
export function toMessage({ msg, ms }: Record<string, unknown>): string {
  return ms === undefined ? String(msg) : `${msg} ${ms} ms`;
}
