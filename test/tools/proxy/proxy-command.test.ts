// What the command rejects at its start, and a reader of its report that goes away: `proxy | head -c 1`.
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProxyCommand } from "../../../src/cli/proxy-command.js";
import { CLI, run, stop } from "../../support/command.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { list } from "./proxied.js";

test("--report nowhere/violations.jsonl exits with 2", async () => {
  const folder = await createTemporaryFolder();
  const file = join(folder, "nowhere/violations.jsonl");
  const options = ["--upstream", "http://127.0.0.1:9", "--report", file];
  const { code, stderr } = await runInProcess(createProxyCommand(), ...options);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/violations\.jsonl/)]);
});

test("a closed pipe neither ends the proxy nor changes its exit code", async () => {
  const upstream = "http://127.0.0.1:9"; // nothing listens there: each request leads to a reported violation
  const proxy = run(process.execPath, [CLI, "proxy", "--upstream", upstream, "--port", "0", "--fail-on", "both"]);
  const [url] = await proxy.printed(/http:\/\/127\.0\.0\.1:(?!9\b)\d+/);
  proxy.child.stdout?.destroy();
  const send = () => list({ url: url ?? "" }).then(({ status }) => status);
  expect([await send(), await send(), await send(), await send()]).toEqual([502, 502, 502, 502]);
  expect(await stop(proxy)).toBe(1);
});
