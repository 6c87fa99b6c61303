import { expect, test } from "vitest";
import { toMessage } from "../../src/cli/request-logger.js";

test.each([
  [{ msg: "GET /health 200", ms: 0 }, "GET /health 200 0 ms"],
  [{ msg: "openapi.yaml was loaded again" }, "openapi.yaml was loaded again"],
])("a line of the log › %j › %s", (line, text) => {
  expect(toMessage(line)).toBe(text);
});
