// What the command rejects at its start.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createProxyCommand } from "../../src/proxy/proxy-command.js";
import { runInProcess } from "../support/in-process.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

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
