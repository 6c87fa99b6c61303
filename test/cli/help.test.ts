// The help of each command: it fits 80 columns, and hides empty defaults.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { CLI, runToEnd } from "../support/command.js";
import { COMMANDS, readHelp } from "../support/in-process.js";

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
  const help = execFileSync(process.execPath, [CLI, "--help"], { encoding: "utf8" });
  expectFitting(help);
  expect([...help.matchAll(/^ {2}([a-z]+) .*\[options\]/gm)].map(([, name]) => name)).toEqual(Object.keys(COMMANDS));
});

test("a command that does not exist", async () => {
  const { code, output } = await runToEnd(process.execPath, [CLI, "servee"]);
  expect([code, output]).toEqual([2, expect.stringMatching(/'servee'.*\(Did you mean serve\?\).*--help/s)]);
});
