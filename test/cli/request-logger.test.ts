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
  [
    "an address decoded, and wrapped under its column",
    {
      ...request,
      target: "/v1/%E6%B3%A8%E6%96%87?search=a%20b&subscriberIds=ada-lovelace&transactionId=0123456789",
      status: 200,
    },
    "09:41:07  200  GET    /v1/注文?search=a b&subscriberIds=ada-lovelace\n                      &transactionId=0123456789  4.1 ms\n",
  ],
  [
    "a malformed address as it was sent",
    { ...request, target: "/%ZZ", status: 400 },
    "09:41:07  400  GET    /%ZZ  4.1 ms\n",
  ],
  [
    "a long reason under its column, without backticks",
    {
      ...request,
      target: "/",
      status: 405,
      reasons: ["GET is not allowed at this path. To add notifications, use `addNotifications` of it."],
    },
    "09:41:07  405  GET    /  4.1 ms\n          GET is not allowed at this path. To add notifications, use\n          addNotifications of it.\n",
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
