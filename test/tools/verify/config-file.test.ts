// A target described by verify.config.json and a file of exceptions, and a run that sends no update.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createVerifyCommand } from "../../../src/cli/verify-command.js";
import { isInForce, loadExceptions } from "../../../src/tools/exceptions.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { startBackend } from "./backend.js";
import { MAIN_KEY, OTHER_KEY } from "./backend-data.js";
import { around } from "./plant.js";

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

async function run(content: object, ...args: string[]) {
  const path = await write(content);
  const { code, stdout, stderr } = await runInProcess(createVerifyCommand(), "--config", path, "--seed", "1", ...args);
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
