// What the command rejects at its start, and a reader of its report that goes away: `proxy | head -c 1`.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createProxyCommand } from "../../../src/cli/proxy-command.js";
import { CLI, run, stop } from "../../support/command.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

test.each<[option: string, value: string, env: Record<string, string>, message: RegExp]>([
  ["--record", "nowhere/seed.json", {}, /The recording cannot be written: .*Use another file for --record/],
  ["--record", "seed.json", { NC_RECORD_KEY: "short" }, /NC_RECORD_KEY must have at least 16 characters/],
  ["--keep", "payload.title", {}, /give --record, too/],
  ["--report", "nowhere/violations.jsonl", {}, /violations\.jsonl/],
])("%s %s with %j exits with 2", async (option, value, env, message) => {
  for (const [name, text] of Object.entries(env)) vi.stubEnv(name, text);
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = await createTemporaryFolder();
  const of = option === "--keep" ? value : join(folder, value);
  const { code, stderr } = await runInProcess(createProxyCommand(), "--upstream", "http://127.0.0.1:9", option, of);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(readdirSync(folder)).toEqual([]);
});

test("a closed pipe neither ends the proxy nor changes its exit code", async () => {
  const upstream = "http://127.0.0.1:9"; // nothing listens there: each request leads to a reported violation
  const proxy = run(process.execPath, [CLI, "proxy", "--upstream", upstream, "--port", "0", "--fail-on", "both"]);
  const [url] = await proxy.printed(/http:\/\/127\.0\.0\.1:(?!9\b)\d+/);
  proxy.child.stdout?.destroy();
  const send = () => fetch(`${url}/v1/notifications?limit=0`).then(({ status }) => status);
  expect([await send(), await send(), await send(), await send()]).toEqual([502, 502, 502, 502]);
  expect(await stop(proxy)).toBe(1);
});
