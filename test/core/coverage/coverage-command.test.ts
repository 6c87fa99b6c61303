// The command on a server where each recipe has been pasted, and on files of test processes.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../src/browser/client/client.js";
import { createControl } from "../../../src/browser/client/control.js";
import { createCoverageCommand } from "../../../src/cli/coverage-command.js";
import { formatHtml, formatTestFile } from "../../../src/cli/coverage-report.js";
import { loadContract } from "../../../src/contract/contract.js";
import { createCoverageCounter } from "../../../src/core/coverage/coverage.js";
import { type RunningServer, startServer } from "../../../src/proposals/start-server.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { titleOf } from "./paste.js";

const folder = await createTemporaryFolder(afterAll);
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ seed: "demo" });
});
afterAll(() => server.close());

const file = (name: string) => join(folder, name);

async function coverage(...args: string[]): Promise<{ code: number; output: string }> {
  const { code = 0, stdout, stderr } = await runInProcess(createCoverageCommand(), ...args);
  return { code, output: stdout + stderr };
}

test("the test file with all that is missing shows it on the server", async () => {
  const { items } = await createControl({ baseUrl: server.url }).getCoverage();
  expect(items.find(({ name }) => name === "no response")).toMatchObject({ status: 0 });
  const [, file = ""] = /(\nconst baseUrl.*)/s.exec(formatTestFile(items, server.url)) ?? [];
  const tests: (() => Promise<void>)[] = [];
  const names = ["test", "createClient", "createControl", "process", "assert"];
  const run = new Function(...names, `return (async () => {${file}})()`);
  const add = (_title: string, body: () => Promise<void>) => tests.push(body);
  await run(add, createClient, createControl, { env: {} }, assert);
  for (const body of tests) await body();
  expect(await coverage("--url", server.url, "--min", "100")).toEqual({
    code: 0,
    output: expect.stringMatching(/^Covered (\d+) of \1 \(100 %\)\n/),
  });
  const wrong = async () => ({ ok: false, status: 418 });
  const createWrong = () => ({ listNotifications: wrong, updatePreferences: wrong, request: wrong });
  const before = tests.splice(0).length;
  await run(add, createWrong, createControl, { env: {} }, assert);
  for (const body of tests) await expect(body()).rejects.toThrow(/418 !== \d+/);
  expect(tests, "each fails against a server that responds otherwise").toHaveLength(before);
});

test("merges files, prints JSON that merges again, writes a page, and fails below --min", async () => {
  const { items } = createCoverageCounter().list(await loadContract());
  const write = (name: string, seen: string) => {
    const counted = items.map((item) => ({ ...item, count: titleOf(item) === seen ? 1 : 0 }));
    return writeFile(file(name), JSON.stringify({ items: counted, uninspected: 1 }));
  };
  await write("one.json", "listNotifications status 503");
  await write("other.json", "updatePreferences state a replay");
  const args = ["--merge", file("one.json"), file("other.json"), "--html", file("page.html")];
  const merged = await runInProcess(createCoverageCommand(), "--json", ...args);
  expect([merged.code, merged.stderr]).toEqual([undefined, expect.stringMatching(/^Covered 2 of \d\d+ \(2 %\)$/m)]);
  expect((await runInProcess(createCoverageCommand(), ...args, "--json", "-")).stdout).toBe(merged.stdout);
  const { items: counted, uninspected } = JSON.parse(merged.stdout);
  expect(counted.filter(({ count }: { count: number }) => count > 0).map(titleOf)).toEqual([
    "updatePreferences state a replay",
    "listNotifications status 503",
  ]);
  expect(uninspected).toBe(2);
  const html = await readFile(file("page.html"), "utf8");
  const openOf = (isSeen: (index: number) => boolean) => {
    const shown = items.map((item, index) => ({ ...item, count: Number(isSeen(index)) }));
    return /<details[^>]* open>.*?How to trigger/.test(
      formatHtml({ items: shown, uninspected: 0 }, { names: [], min: 0 }),
    );
  };
  expect([openOf((index) => index > 4), openOf(() => false)], "a few calls are open").toEqual([true, false]);
  expect(html).toContain(`<strong>Covered 2 of ${items.length} (`);
  const facts = html.replaceAll(/<[^>]*>/g, " ");
  expect(facts).toMatch(/Files .*one\.json, .*other\.json +When +\d{4}-\d\d-\d\d \d\d:\d\d UTC +Required +nothing/);
  const everything =
    /the channel in_app, the channel email, the channel sms …|a record without topics, the channel in_app/;
  expect(html.match(everything), "a call stands once, with all that it covers").toHaveLength(1);
  for (const call of [
    "handler.addFault({",
    "await control.addFault(environment.name, {",
    "curl -X POST",
    "/v1/notifications?limit=50",
  ])
    expect(html).toContain(call);
  const page = await runInProcess(createCoverageCommand(), ...args.slice(0, -1), "-", "--json", file("merged.json"));
  const withoutTime = (text: string) => text.replace(/\d\d:\d\d UTC/, "");
  expect(withoutTime(page.stdout)).toBe(withoutTime(html));
  expect(await readFile(file("merged.json"), "utf8")).toBe(merged.stdout);
  const { code, output } = await coverage("--merge", file("merged.json"), "--min", "60");
  expect(code).toBe(1);
  expect(output).toMatch(/^Covered 2 of \d\d+ \(2 %\)$/m);
  expect(output).toMatch(/^status 429 +addFault\(\{"operation":"listNotifications","status":429,"count":1}\)$/m);
  expect(output).toContain("2 responses of bursts were not inspected");
  expect(output).toContain("2 % of the items are covered, less than --min 60.");
});

test.each([
  ["no server", ["--url", "http://127.0.0.1:9"], /^Cannot read the coverage of http:\/\/127\.0\.0\.1:9: /],
  ["no file", ["--merge", "missing.json"], /^missing\.json cannot be read: ENOENT/],
  ["another file", ["--merge", "package.json"], /^package\.json has no `items`\./],
  ["two results to standard output", ["--json", "--html", "-"], /^Only one result can go to standard output \(-\)/],
  ["a percentage above 100", ["--min", "101"], /It must be 0 to 100\./],
])("%s is wrong usage", async (_title, args, message) => {
  expect(await coverage(...args)).toEqual({ code: 2, output: expect.stringMatching(message) });
});
