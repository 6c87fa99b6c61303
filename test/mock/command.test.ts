// The command's usage. What it does as a program is in command.full.test.ts.
import { describe, expect, test } from "vitest";
import { createMockCommand } from "../../src/cli/mock-command.js";
import { startMock } from "../../src/mock/mock-server.js";
import { runInProcess } from "../support/in-process.js";

describe("mock", () => {
  test("a port that is taken is said, and nothing is left running", async () => {
    const first = await startMock();
    const second = await runInProcess(createMockCommand(), "--port", new URL(first.url).port);
    expect(second.stderr).toMatch(/Port \d+ on 127\.0\.0\.1 is in use by another program/);
    expect(second.code).toBe(2);
    await first.close();
  });

  test.each([
    ["a seed that is none", ["--dynamic", "--seed", "x"], /whole number/],
    ["a seed without --dynamic", ["--seed", "1"], /add --dynamic/],
    ["the built-in key beyond this machine", ["--host", "0.0.0.0"], /NC_API_KEY/],
    ["an unknown option", ["--dinamic"], /unknown option/],
  ])("%s is wrong usage", async (_title, args, message) => {
    const ended = await runInProcess(createMockCommand(), "--port", "0", ...args);
    expect(ended.stderr).toMatch(message);
    expect(ended.code).toBe(2);
  });
});
