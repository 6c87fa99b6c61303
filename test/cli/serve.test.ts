// Errors of `serve` before it opens anything. test/server/crash/refused-start.test.ts has later ones.
import { expect, onTestFinished, test, vi } from "vitest";
import { createServeCommand } from "../../src/cli/serve-command.js";
import { runInProcess } from "../support/in-process.js";

test.each([
  ["an invalid port", ["--port", "99999"], /from 0 to 65535/],
  ["an invalid instant", ["--now", "tomorrow"], /RFC 3339/],
  ["an invalid day", ["--now", "2026-02-31T00:00:00Z"], /RFC 3339/],
  ["an unknown plan", ["--plan", "gold"], /free, pro, business, enterprise/],
  ["the built-in key on a public address", ["--host", "0.0.0.0"], /NC_API_KEY/],
  ["a key with a blank", ["--ephemeral", "--api-key", "a b"], /printable ASCII/],
  ["a data folder that is a file", ["--data", "/dev/null"], /\/dev\/null cannot be used/],
])("%s is wrong usage", async (_title, args, message) => {
  const { code, stderr } = await runInProcess(createServeCommand(), ...args);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain("    at ");
  expect(code).toBe(2);
});

test("the variable of a switch can be false", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("NC_EPHEMERAL", "false");
  expect((await runInProcess(createServeCommand(), "--data", "/dev/null")).stderr).toContain("cannot be used");
});
