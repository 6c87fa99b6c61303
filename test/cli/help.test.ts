// The help of each command: it fits 80 columns, and hides empty defaults.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { CLI } from "../support/command.js";
import { COMMANDS, readHelp } from "../support/in-process.js";

function readHelpOf(args: string[], more: NodeJS.ProcessEnv = {}): string {
  const env = { ...process.env, ...more };
  return execFileSync(process.execPath, [CLI, ...args, "--help"], { encoding: "utf8", env });
}

function expectFitting(help: string): void {
  expect(help).not.toMatch(/default: (\[\]|""|'')/);
  // A value cannot be wrapped.
  const long = help.split("\n").filter((line) => line.length > 80 && !/^ +--\S+ '[^']+'$/.test(line));
  expect(long).toEqual([]);
}

test.each(Object.keys(COMMANDS))("%s --help", async (name) => {
  expectFitting(await readHelp(name));
});

test("--help lists all commands", () => {
  const help = readHelpOf([]);
  expectFitting(help);
  expect([...help.matchAll(/^ {2}([a-z]+) .*\[options\]/gm)].map(([, name]) => name)).toEqual(Object.keys(COMMANDS));
});

test("serve --help works if the variable of a removed option is set", () => {
  expectFitting(readHelpOf(["serve"], { NC_RATE_LIMIT: "free" }));
});
