// What `serve` rejects before it opens anything. What it finds later is in test/server/crash/refused-start.test.ts.
import { expect, onTestFinished, test, vi } from "vitest";
import { createServeCommand } from "../../src/cli/serve-command.js";
import { runInProcess } from "../support/in-process.js";

test.each([
  ["a port that is none", ["--port", "99999"], /from 0 to 65535/],
  ["an instant that is none", ["--now", "tomorrow"], /RFC 3339/],
  ["a day that is none", ["--now", "2026-02-31T00:00:00Z"], /RFC 3339/],
  ["a plan that is none", ["--plan", "gold"], /free, pro, business, enterprise/],
  ["the built-in key beyond this machine", ["--host", "0.0.0.0"], /NC_API_KEY/],
  ["a key with a blank", ["--ephemeral", "--api-key", "a b"], /printable ASCII/],
  ["--rate-limit, which is gone", ["--rate-limit", "free"], /--rate-limit is gone: add the fault .* instead\.$/m],
  ["a data folder that is a file", ["--data", "/dev/null"], /\/dev\/null cannot be used/],
])("%s is wrong usage", async (_title, args, message) => {
  const { code, stderr } = await runInProcess(createServeCommand(), ...args);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain("    at ");
  expect(code).toBe(2);
});

test("a switch's variable can say no", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("NC_EPHEMERAL", "false");
  expect((await runInProcess(createServeCommand(), "--data", "/dev/null")).stderr).toContain("cannot be used");
});
