// Which outputs have colors.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isColored } from "../../src/cli/command.js";

const VARIABLES = ["NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "NODE_DISABLE_COLORS"];

beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test.each<[title: string, isTTY: boolean, variables: Record<string, string>, isColored: boolean]>([
  ["a terminal", true, {}, true],
  ["a file", false, {}, false],
  ["a terminal with NO_COLOR", true, { NO_COLOR: "1" }, false],
  ["a file with FORCE_COLOR", false, { FORCE_COLOR: "1" }, true],
  ["a terminal with FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, false],
  ["GitHub's log", false, { GITHUB_ACTIONS: "true" }, true],
  ["GitHub's log with NO_COLOR", false, { GITHUB_ACTIONS: "true", NO_COLOR: "1" }, false],
  ["GitHub's log with FORCE_COLOR=0", false, { GITHUB_ACTIONS: "true", FORCE_COLOR: "0" }, false],
])("%s", (_title, isTTY, variables, expected) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const getColorDepth = () => (process.env.NO_COLOR || process.env.FORCE_COLOR === "0" ? 1 : 8); // as of a terminal
  const stream = Object.assign(Object.create(process.stdout), { isTTY, getColorDepth });
  expect(isColored(stream)).toBe(expected);
});
