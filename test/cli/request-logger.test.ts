// The log on a terminal: a line for a request, its reasons below.
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { formatLogLine, type LogRecord } from "../../src/cli/request-logger.js";

const time = new Date(2026, 10, 2, 9, 41, 7).getTime();
const request = { time, level: 30, msg: "", requestId: "1", environment: "default", method: "GET", ms: 4.1 };

test.each<[title: string, record: LogRecord, line: string]>([
  ["a request", { ...request, target: "/health", status: 200 }, "09:41:07  200  GET    /health  4.1 ms\n"],
  [
    "each reason on a separate line",
    { ...request, target: "/x?a=…", status: 422, reasons: ["query.a is unknown", "query.limit must be at most 50"] },
    "09:41:07  422  GET    /x?a=…  4.1 ms\n          query.a is unknown\n          query.limit must be at most 50\n",
  ],
  ["no response", { ...request, target: "/", status: "aborted" }, "09:41:07  aborted  GET    /  4.1 ms\n"],
  ["any other message", { time, level: 30, msg: "was reloaded" }, "09:41:07  was reloaded\n"],
  [
    "an error",
    { time, level: 50, msg: "internal error", err: { stack: "Error: x\n  at y" } },
    "09:41:07  internal error\n          Error: x\n            at y\n",
  ],
])("%s", (_title, record, line) => {
  expect(formatLogLine(record, { isColoured: false })).toBe(line);
  expect(stripVTControlCharacters(formatLogLine(record, { isColoured: true }))).toBe(line);
});
