// `serve -- <command …>` and `proxy -- <command …>` as programs; run-until-signal.full.test.ts has exit codes and signals.
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { CLI, run, serve, stop } from "../support/command.js";
import { findFreePort } from "../support/listen.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const folder = await createTemporaryFolder(afterAll);
const runCommand = (name: string, ...args: string[]) => run(process.execPath, [CLI, name, ...args], { cwd: folder });
const NODE = process.execPath;

test("the command of serve finds the server by its variables, and the file of --json", async () => {
  const script = `
    const { NC_URL, NC_API_KEY, NC_CONTROL_URL, NC_CONTROL_KEY } = process.env;
    const list = await fetch(NC_URL + "/v1/notifications", { headers: { authorization: "ApiKey " + NC_API_KEY } });
    const headers = { authorization: "ControlKey " + NC_CONTROL_KEY };
    const control = await fetch(NC_CONTROL_URL + "/ready", { headers });
    const { readFileSync } = await import("node:fs");
    console.log("statuses", list.status, control.status, readFileSync("start.json", "utf8"));`;
  const keys = ["--api-key", "key-of-child", "--control-key", "control-of-child"];
  const options = ["--port", "0", "--ephemeral", "--quiet", ...keys, "--json"];
  const running = runCommand("serve", ...options, "start.json", "--", NODE, "--input-type=module", "-e", script);
  expect(await running.ended, running.output()).toBe(0);
  expect(running.output()).toMatch(/The reference server is up.*statuses 200 200 \{"url":"http:/s);
  const unwritable = runCommand("serve", ...options, folder, "--", NODE, "-e", "console.log('child runs')");
  expect(await unwritable.ended).toBe(2);
  expect(unwritable.output()).not.toContain("child runs");
});

test("the proxy writes its report before it exits, and its own exit code counts, too", async () => {
  const upstream = await serve(["--port", "0", "--ephemeral"]);
  const port = String(await findFreePort());
  const init = '{ headers: { authorization: "ApiKey demo-key" } }';
  const send = (limit: number) =>
    `await (await fetch("http://127.0.0.1:${port}/v1/notifications?limit=${limit}", ${init})).text();`;
  const options = ["--upstream", upstream.url, "--port", port, "--fail-on", "request"];
  const child = [NODE, "--input-type=module", "-e", send(2) + send(0)];
  const running = runCommand("proxy", ...options, "--report", "report.jsonl", "--", ...child);
  expect(await running.ended, running.output()).toBe(1);
  await stop(upstream);
  expect(readFileSync(join(folder, "report.jsonl"), "utf8")).toContain('"location":"query.limit"');
});

// As far as it can be tried elsewhere: Node says that it is Windows, and two programs stand in for those of Windows.
test("on Windows, cmd.exe runs scripts such as npx, and taskkill ends the tree", async () => {
  const programs = join(folder, "windows");
  await mkdir(programs);
  const program = (name: string, script: string) =>
    writeFile(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await writeFile(join(programs, "npx.CMD"), "");
  await program("cmd.exe", 'echo "cmd.exe $*"; exec sleep 600');
  await program("taskkill", 'echo "taskkill $*" > taskkill.txt; kill "$2"');
  const asWindows = `data:text/javascript,Object.defineProperty(process, "platform", { value: "win32" })`;
  const env = { PATH: `${programs}:${process.env.PATH}`, PATHEXT: ".EXE:.CMD" };
  const args = ["--import", asWindows, CLI, "serve", "--port", "0", "--ephemeral", "--", "npx", "playwright", "a b"];
  const running = run(NODE, args, { cwd: folder, env });
  onTestFinished(() => void running.child.kill("SIGKILL"));
  await running.printed(/^cmd\.exe \/d \/s \/c "npx \^"playwright\^" \^"a\^ b\^""$/m);
  running.child.kill("SIGINT");
  expect(await running.ended, running.output()).toBe(143);
  expect(readFileSync(join(folder, "taskkill.txt"), "utf8")).toMatch(/^taskkill \/pid \d+ \/t \/f$/m);
});
