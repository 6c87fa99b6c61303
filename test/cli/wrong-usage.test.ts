// What every command does with an argument that cannot be right: exit code 2, and what to do.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI } from "../support/command.js";
import { COMMANDS, runInProcess } from "../support/in-process.js";
import { findFreePort } from "../support/listen.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const TARGETS: [string, string[]][] = [
  ["verify", ["--url"]],
  ["export", ["--url"]],
  ["coverage", ["--url"]],
  ["proxy", ["--port", "0", "--upstream"]],
];

async function run(name: string, args: string[]) {
  const { code, stderr } = await runInProcess(COMMANDS[name]?.() ?? expect.unreachable(), ...args);
  expect(code, stderr).toBe(2);
  expect(stderr).not.toContain("    at ");
  return stderr;
}

describe.each(TARGETS)("%s with an address", (name, args) => {
  test.each([
    ["without a scheme", "127.0.0.1:4010", "Did you mean http://127.0.0.1:4010?"],
    ["without a scheme, by name", "localhost:4010", "Did you mean http://localhost:4010?"],
    ["of a path", "/api", "http://127.0.0.1:4010"],
  ])("%s: says what to write", async (_title, address, remedy) => {
    expect(await run(name, [...args, address])).toContain(remedy);
  });
});

describe.each(["export", "coverage"])("%s of an address", (name) => {
  test("where no server listens: says so", async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    expect(await run(name, ["--url", url])).toContain(`There is no response from ${url}: ECONNREFUSED. Is`);
  });

  test("of a host that does not exist: says so", async () => {
    expect(await run(name, ["--url", "http://nobody.invalid"])).toMatch(
      /http:\/\/nobody\.invalid: (ENOTFOUND|EAI_AGAIN)/,
    );
  });
});

test.each([
  ["verify", ["--url", "http://127.0.0.1:1", "--config", "/dev/zero"]],
  ["coverage", ["--merge", "/dev/zero"]],
  ["usage", ["--project", "/dev/zero"]],
])("%s %j does not read without end", async (name, args) => {
  expect(await run(name, args)).toContain("/dev/zero is neither a file nor a pipe.");
});

test.each(["serve", "verify", "usage"])("%s in a working folder that was removed says so", async (name) => {
  const folder = join(await createTemporaryFolder(), "removed");
  mkdirSync(folder);
  const program = `process.chdir(${JSON.stringify(folder)}); require("node:fs").rmdirSync(${JSON.stringify(folder)}); process.argv.splice(1, 1, ${JSON.stringify(CLI)}); import(${JSON.stringify(CLI)})`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", program, "x", name], { encoding: "utf8" });
  expect([status, stderr]).toEqual([2, "The working folder was removed. Change to another one.\n"]);
});
