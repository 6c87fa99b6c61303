// `verify --init` writes a file that describes the target, with which the run passes.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createVerifyCommand } from "../../../src/cli/verify-command.js";
import { startServer } from "../../../src/start-server.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { startBackend } from "./backend.js";
import { MAIN_KEY, OTHER_KEY } from "./backend-data.js";
import { inPages } from "./plant.js";

const backend = await startBackend();
const run = (...args: string[]) => runInProcess(createVerifyCommand(), ...args);

test("--init asks the target, writes the file, and says what each entry allows to be tested", async () => {
  const path = join(await createTemporaryFolder(), "new/verify.config.json");
  Object.assign(process.env, { NC_API_KEY: MAIN_KEY, NC_OTHER_API_KEY: OTHER_KEY });
  const { code, stdout } = await run("--init", "--url", backend.url.href, "--config", path);
  const only = ["the workflows ›", "a critical workflow", "unlisted", "keys ›", "is encoded"];
  const verified = await run("--config", path, "--seed", "1", ...only.flatMap((text) => ["--only", text]));
  delete process.env.NC_API_KEY;
  delete process.env.NC_OTHER_API_KEY;
  await backend.close();
  expect(code).toBe(0);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    url: backend.url.href,
    keys: { apiKey: "NC_API_KEY", otherApiKey: "NC_OTHER_API_KEY" },
    subscribers: ["ada", "no-mail", "a+b c;d|e", "lin@corp", "team/Zoë 1%", "grace-42"],
    workflows: [
      { identifier: "zebra-welcome", channels: ["email", "in_app"] },
      { identifier: "weekly_digest", channels: ["email", "push"] },
      { identifier: "incident.alert", channels: ["chat", "push"] },
      { identifier: "order_wf_shippedTodayABCD", channels: ["email"] },
    ],
    criticalWorkflow: "password",
    unlistedWorkflows: ["receipt"],
  });
  expect(stdout).toContain("  criticalWorkflow: tests that a critical workflow rejects updates");
  expect(stdout).not.toContain(MAIN_KEY);
  expect(verified.stdout).toMatch(/[1-9]\d passed, 0 failed, 0 not applicable/);
  expect(verified.code).toBe(0);
});

test("--init without a key writes none, so that a reference server has temporary environments", async () => {
  const server = await startServer();
  const path = join(await createTemporaryFolder(), "verify.config.json");
  const { code, stdout } = await run("--init", "--url", server.url, "--config", path);
  await server.close();
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("NC_OTHER_API_KEY")]);
  expect(JSON.parse(await readFile(path, "utf8"))).not.toHaveProperty("keys");
});

test("--init writes what the command line names, also if the list is empty", async () => {
  const empty = await startBackend(inPages(() => ({ data: [], hasMore: false })));
  const path = join(await createTemporaryFolder(), "verify.config.json");
  process.env.NC_API_KEY = MAIN_KEY;
  const names = ["--subscriber", "ada", "--other-subscriber", "grace-42", "--workflow", "zebra-welcome"];
  const { code } = await run("--init", "--url", empty.url.href, "--config", path, ...names);
  delete process.env.NC_API_KEY;
  await empty.close();
  const file = JSON.parse(await readFile(path, "utf8"));
  expect([code, file.subscribers, file.workflows[0].identifier]).toEqual([0, ["ada", "grace-42"], "zebra-welcome"]);
});

test("--init says what to set without a key, and how to go on where nothing listens", async () => {
  const own = await startBackend();
  const path = join(await createTemporaryFolder(), "verify.config.json");
  const withoutKey = await run("--init", "--url", own.url.href, "--config", path);
  await own.close();
  expect([withoutKey.code, withoutKey.stderr]).toEqual([2, expect.stringContaining("Set NC_API_KEY")]);
  const unreachable = await run("--init", "--url", own.url.href, "--config", path);
  expect([unreachable.code, unreachable.stderr]).toEqual([2, expect.stringContaining("Start the server")]);
});

test("--init does not overwrite a file", async () => {
  const path = join(await createTemporaryFolder(), "verify.config.json");
  await writeFile(path, "{}");
  const { code, stderr } = await run("--init", "--config", path);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("exists. Remove it, or name another file with --config."),
  ]);
});
