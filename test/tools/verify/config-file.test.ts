// A target described by verify.config.json, which `--init` writes, and a file of exceptions; a run that sends no update.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createVerifyCommand } from "../../../src/cli/verify-command.js";
import { startServer } from "../../../src/start-server.js";
import { isInForce, loadExceptions } from "../../../src/tools/exceptions.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { startBackend } from "./backend.js";
import { MAIN_KEY, OTHER_KEY } from "./backend-data.js";
import { around, inPages } from "./plant.js";

const methods = new Set<string | undefined>();
const recording = around("respond", ({ original }, request) => {
  methods.add(request.method);
  return original(request);
});
const backend = await startBackend(recording);
Object.assign(process.env, { TEAM_KEY: MAIN_KEY, TEAM_OTHER: OTHER_KEY });
afterAll(async () => {
  delete process.env.TEAM_KEY;
  delete process.env.TEAM_OTHER;
  await backend.close();
});

const config = (more: object = {}) => ({
  url: backend.url.href,
  keys: { apiKey: "TEAM_KEY", otherApiKey: "TEAM_OTHER" },
  subscribers: ["ada", "grace-42", "team/Zoë 1%"],
  workflows: [
    { identifier: "zebra-welcome", channels: ["email", "in_app"] },
    { identifier: "weekly_digest" },
    { identifier: "incident.alert" },
    { identifier: "order_wf_shippedTodayABCD" },
  ],
  criticalWorkflow: "password",
  ...more,
});

async function write(content: unknown): Promise<string> {
  const path = join(await createTemporaryFolder(), "verify.config.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
const until = (day: string) => ({ exceptions: [{ match: "D-20", reason: "a ticket", until: day }] });

const command = (...args: string[]) => runInProcess(createVerifyCommand(), ...args);

async function run(content: object, ...args: string[]) {
  const { code, stdout, stderr } = await command("--config", await write(content), "--seed", "1", ...args);
  return { code, stdout, output: stderr + stdout };
}

test("a file describes keys, subscribers and workflows", async () => {
  const only = ["the workflows ›", "a critical workflow › 400", "records of one key"];
  const { code, output } = await run(config(), ...only.flatMap((name) => ["--only", name]));
  expect(output).toMatch(/3 passed, 0 failed, 0 not applicable/);
  expect(code).toBe(0);
});

test("an exception excuses a failure, and an option overrides the file", async () => {
  const exceptions = [{ match: "D-20", reason: "a ticket" }];
  const wrong = { criticalWorkflow: "receipt" };
  const only = ["--only", "a critical workflow › 400"];
  const excused = await run(config({ ...wrong, exceptions }), ...only, "--only", "D-24.1");
  expect(excused.output).toContain("1 not applicable: excepted: D-20, a ticket");
  expect(excused.code).toBe(0);
  const { output } = await run(config({ url: "http://127.0.0.1:1" }), "--url", backend.url.href, "--only", "D-24.1");
  expect(output).toContain("1 passed");
});

test.each<[string, object, string]>([
  ["a misspelled member", { subscriber: "ada" }, "file.subscriber is unknown"],
  ["one subscriber", { subscribers: ["ada"] }, "file.subscribers must have at least 2 items"],
  ["a variable that is not set", { keys: { apiKey: "NOT_SET_7F" } }, "names the variable NOT_SET_7F, which is not set"],
  ["a day that does not exist", until("2026-02-31"), "file.exceptions.0.until must be a date such as 2026-11-02"],
  [
    "an address that is none",
    { url: "localhost" },
    "file.url It must begin with http:// or https://, as in http://127.0.0.1:4010. Did you mean http://localhost?",
  ],
])("2 for %s", async (_title, more, message) => {
  const { code, output } = await run(config(more));
  expect(output).toContain(message);
  expect(code).toBe(2);
});

test("--read-only sends no update, and the list is tested still", async () => {
  methods.clear();
  const { code, output } = await run(config(), "--read-only", "--only", "query.limit", "--only", "idempotency");
  expect([...methods].filter((method) => method !== "GET" && method !== "HEAD")).toEqual([]);
  expect(output).toContain("it would send an update (--read-only)");
  expect(Number(/(\d+) passed, 0 failed/.exec(output)?.[1])).toBeGreaterThan(20);
  expect(code).toBe(0);
});

describe("a file of exceptions", () => {
  test("has reasons, and days on which they expire", async () => {
    const dated = { match: "D-24", reason: "a bug", until: "2026-01-31" };
    const exceptions = loadExceptions(await write([dated, { match: "D-25", reason: "another" }]));
    const inForce = (at: string) => exceptions.map((exception) => isInForce(exception, new Date(at)));
    expect(inForce("2026-01-31T23:00:00Z")).toEqual([true, true]);
    expect(inForce("2026-02-01T00:00:00Z")).toEqual([false, true]);
  });

  test.each([
    ["no JSON", "{", "cannot be read: Expected property name"],
    ["no list", {}, "file must be an array"],
    ["no reason", [{ match: "D-24" }], "file.0.reason is required"],
  ])("with %s is rejected", async (_title, content, message) => {
    const path = await write(content);
    expect(() => loadExceptions(path)).toThrow(message);
  });
});

test("--init asks the target, writes the file, and says what each entry allows to be tested", async () => {
  const path = join(await createTemporaryFolder(), "new/verify.config.json");
  Object.assign(process.env, { NC_API_KEY: MAIN_KEY, NC_OTHER_API_KEY: OTHER_KEY });
  const { code, stdout } = await command("--init", "--url", backend.url.href, "--config", path);
  const only = ["the workflows ›", "a critical workflow", "unlisted", "keys ›", "is encoded"];
  const verified = await command("--config", path, "--seed", "1", ...only.flatMap((text) => ["--only", text]));
  delete process.env.NC_API_KEY;
  delete process.env.NC_OTHER_API_KEY;
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
  const { code, stdout } = await command("--init", "--url", server.url, "--config", path);
  await server.close();
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("NC_OTHER_API_KEY")]);
  expect(JSON.parse(await readFile(path, "utf8"))).not.toHaveProperty("keys");
});

test("--init writes what the command line names, also if the list is empty", async () => {
  const empty = await startBackend(inPages(() => ({ data: [], hasMore: false })));
  const path = join(await createTemporaryFolder(), "verify.config.json");
  process.env.NC_API_KEY = MAIN_KEY;
  const names = ["--subscriber", "ada", "--other-subscriber", "grace-42", "--workflow", "zebra-welcome"];
  const { code } = await command("--init", "--url", empty.url.href, "--config", path, ...names);
  delete process.env.NC_API_KEY;
  await empty.close();
  const file = JSON.parse(await readFile(path, "utf8"));
  expect([code, file.subscribers, file.workflows[0].identifier]).toEqual([0, ["ada", "grace-42"], "zebra-welcome"]);
});

test("--init says what to set without a key, and how to go on where nothing listens", async () => {
  const path = join(await createTemporaryFolder(), "verify.config.json");
  const withoutKey = await command("--init", "--url", backend.url.href, "--config", path);
  expect([withoutKey.code, withoutKey.stderr]).toEqual([2, expect.stringContaining("Set NC_API_KEY")]);
  const unreachable = await command("--init", "--url", "http://127.0.0.1:1", "--config", path);
  expect([unreachable.code, unreachable.stderr]).toEqual([2, expect.stringContaining("Start the server")]);
});

test("--init does not overwrite a file", async () => {
  const path = await write({});
  const { code, stderr } = await command("--init", "--config", path);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("exists. Remove it, or name another file with --config."),
  ]);
});
