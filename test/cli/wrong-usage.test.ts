// What commands do where they cannot run: exit code 2, and what to do. test/browser/mistakes.test.ts has wrong options.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { describeError } from "../../src/cli/command.js";
import { CLI, ROOT } from "../support/command.js";
import { COMMANDS, runInProcess } from "../support/in-process.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const TARGETS: [string, string[]][] = [
  ["verify", ["--url"]],
  ["export", ["--url"]],
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
    ["without a scheme", "localhost:4010", "Did you mean http://localhost:4010?"],
    ["of a path", "/api", "http://127.0.0.1:4010"],
  ])("%s: says what to write", async (_title, address, remedy) => {
    expect(await run(name, [...args, address])).toContain(remedy);
  });
});

test("verify --config /dev/zero does not read without end", async () => {
  const stderr = await run("verify", ["--url", "http://127.0.0.1:1", "--config", "/dev/zero"]);
  expect(stderr).toContain("/dev/zero is neither a file nor a pipe.");
});

test.each([
  ["serve", ["4020"], "Did you mean `--port 4020`? (`npm start -- --port 4020`)"],
  ["serve", ["--watch", "4020"], "Did you mean `--port 4020`?"],
  ["serve", ["npx", "playwright", "test"], "Unexpected argument npx. A command stands after --, as in `serve -- npx"],
  ["proxy", ["--upstream", "http://127.0.0.1:1", "4020"], "Did you mean `--port 4020`?"],
])("%s %j: says where it belongs, and does not start", async (name, args, remedy) => {
  expect(await run(name, args)).toContain(remedy);
});

test("serve in a working folder that was removed says so", async () => {
  const folder = join(await createTemporaryFolder(), "removed");
  mkdirSync(folder);
  const [path, cli] = [folder, CLI].map((text) => JSON.stringify(text));
  const removal = `process.chdir(${path}); require("node:fs").rmdirSync(${path})`;
  const program = `${removal}; process.argv.splice(1, 1, ${cli}); import(${cli})`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", program, "x", "serve"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([2, "The working folder was removed. Change to another one.\n"]);
});

// Before it opens anything; test/server/crash/refused-start.test.ts has later errors.
test("serve with a data folder that is a file; the variable of a switch can be false", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("NC_EPHEMERAL", "false");
  expect(await run("serve", ["--data", "/dev/null"])).toContain("cannot be used");
});

test.each([
  ["18.20.8", 2, join(ROOT, "src/build/run.js")],
  ["18.20.8", 2, join(ROOT, "src/build/build.js")],
  ["20.18.3", 2, CLI],
  ["20.19.0", 0, CLI],
])("Node.js %s leads to exit code %i of %s", (version, code, program) => {
  const preload = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", preload, program, "--version"], {
    encoding: "utf8",
  });
  expect(status).toBe(code);
  expect(stderr).toMatch(code === 0 ? /^$/ : /^notifications-contract needs Node\.js 20\.19 or later, not /);
});

test("under Yarn Plug'n'Play, a package that is not declared is no internal error", () => {
  const message = "prism-core tried to access @stoplight/types, but it isn't declared in its dependencies";
  const { text, code } = describeError(Object.assign(new Error(message), { pnpCode: "UNDECLARED_DEPENDENCY" }));
  expect(code).toBe(2);
  expect(text).toContain(message);
  expect(text).toContain(
    "add the `packageExtensions` of docs/operations.md to .yarnrc.yml, or set `nodeLinker: node-modules`.",
  );
});
