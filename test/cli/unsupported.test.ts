// Where the command cannot run: it says what it needs.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { describeError } from "../../src/cli/command.js";
import { CLI } from "../support/command.js";

test.each([
  ["18.20.8", 2],
  ["20.18.3", 2],
  ["20.19.0", 0],
  ["22.0.0", 0],
])("Node.js %s leads to exit code %i", (version, code) => {
  const preload = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", preload, CLI, "--version"], { encoding: "utf8" });
  expect(status).toBe(code);
  expect(stderr).toMatch(code === 0 ? /^$/ : /^notifications-contract needs Node\.js 20\.19 or later, not /);
});

test("under Yarn Plug'n'Play, a package that is not declared is no internal error", () => {
  const message = "prism-core tried to access @stoplight/types, but it isn't declared in its dependencies";
  const { text, code } = describeError(Object.assign(new Error(message), { pnpCode: "UNDECLARED_DEPENDENCY" }));
  expect(code).toBe(2);
  expect(text).toContain(message);
  expect(text).toContain(
    "add the `packageExtensions` of docs/troubleshooting.md to .yarnrc.yml, or set `nodeLinker: node-modules`.",
  );
});
