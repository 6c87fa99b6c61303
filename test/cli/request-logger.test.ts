// The log on a terminal: columns for a request, its reasons below.
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { wrapHelp } from "../../src/cli/command.js";
import { toTerminalLine } from "../../src/cli/request-logger.js";

const time = new Date(2026, 10, 2, 9, 41, 7).getTime();
const request = { time, level: 30, msg: "", requestId: "1", environment: "default", method: "GET", ms: 4.04 };

test.each([
  [
    "a request",
    { ...request, target: "/health", status: 200 },
    `09:41:07  200  GET    /health${" ".repeat(44)}4.0 ms\n`,
  ],
  [
    "each reason on a line of its own",
    {
      ...request,
      target: "/x?a=…",
      status: 422,
      ms: 12.3,
      reasons: ["query.a is unknown", "query.limit must be <= 50"],
    },
    `09:41:07  422  GET    /x?a=…${" ".repeat(46)}12 ms\n          query.a is unknown\n          query.limit must be <= 50\n`,
  ],
  [
    "one that has no response",
    { ...request, target: "/", status: "aborted" as const },
    /^09:41:07 {2}aborted {2}GET {4}\/ +4\.0 ms\n$/,
  ],
  ["a target that is too long", { ...request, target: `/${"x".repeat(99)}`, status: 200 }, /x{99} 4\.0 ms\n$/],
  [
    "any other message",
    { time, level: 30, msg: "openapi.yaml was loaded again" },
    "09:41:07  openapi.yaml was loaded again\n",
  ],
  [
    "an error",
    { time, level: 50, msg: "internal error", err: { stack: "Error: x\n  at y" } },
    /internal error\n {10}Error: x\n {12}at y\n$/,
  ],
])("%s", (_title, record, line) => {
  const plain = toTerminalLine(record, { columns: 80, isColoured: false });
  if (line instanceof RegExp) expect(plain).toMatch(line);
  else expect(plain).toBe(line);
  const coloured = toTerminalLine(record, { columns: 80, isColoured: true });
  expect(coloured).not.toBe(plain);
  expect(stripVTControlCharacters(coloured)).toBe(plain);
});

test.each([
  [
    "prose, however it is broken",
    "One two\nthree four.\nFive:\n  a  six seven eight nine ten",
    "One two three\nfour.\nFive:\n  a  six seven\n     eight nine\n     ten",
  ],
  ["a command", "  curl -X GET -H 'a b' -d 'c'", "  curl -X GET \\\n    -H 'a b' \\\n    -d 'c'"],
])("help that fits: %s", (_title, text, wrapped) => {
  expect(wrapHelp(text, 15)).toBe(wrapped);
});
