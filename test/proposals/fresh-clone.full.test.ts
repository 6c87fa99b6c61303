// A branch that changes openapi.yaml alone: `npm start`, `npm run mock` and `npm run proxy` work, and nothing else is
// lenient.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { startProxy } from "../../src/tools/proxy/proxy-server.js";
import { ROOT, type Running, run, runToEnd } from "../support/command.js";
import { type Block, blocksOf } from "../support/documents.js";
import { isWeekly } from "../support/sizes.js";
import { sendTo } from "../support/socket-request.js";

const INSERTIONS = blocksOf("insertion");
const KEY = { authorization: "ApiKey demo-key" };
const COUNT = "/v2/subscribers/ines-moreau/notification-count";

let folder = "";

/** Writes what the guide prints where it says. */
function insert(block: Block): void {
  const [, file = "", side, line = "", text = ""] =
    /^\S+ (\S+), (above|below): (.*)\n([\s\S]*)$/.exec(block.text) ?? [];
  const path = join(folder, file);
  const whole = readFileSync(path, "utf8");
  expect(whole.split(`${line}\n`), `${file}: ${line}`).toHaveLength(2);
  const both = side === "above" ? [text, line] : [line, text];
  const inserted = whole.replace(`${line}\n`, () => `${both.join("\n")}\n`);
  writeFileSync(path, inserted);
}

/** A new required member, beside the operation. */
function requirePriority(): void {
  const path = join(folder, "openapi.yaml");
  const edited = readFileSync(path, "utf8")
    .replace("required: [_environmentId, _organizationId,", "required: [priority, _environmentId, _organizationId,")
    .replace(
      "        transactionId:\n          type: string\n",
      "        priority: { type: integer, minimum: 1, maximum: 5, x-decision: D-11 }\n$&",
    );
  writeFileSync(path, edited);
}

async function start(script: string, ...args: string[]): Promise<Running & { url: string }> {
  const child = run("setsid", ["npm", "run", "-s", script, "--", "--port", "0", ...args], { cwd: folder });
  onTestFinished(async () => {
    if (child.child.exitCode === null) process.kill(-(child.child.pid ?? 0), "SIGTERM");
    await child.ended;
  });
  const [url = ""] = await child.printed(/http:\/\/127\.0\.0\.1:\d+/);
  return { ...child, url };
}

/** The names of all failed tests and files, each followed by its error. */
const findFailures = (output: string) => output.match(/^ FAIL .*|^(\w+: )?\w*Error: .*/gm) ?? [];

const isWritten = (path: string) => !/\.gen\.\w+$/.test(path);

/** The files of a folder that the recipe has changed, without generated ones. */
function changedIn(path: string): string[] {
  const status = execFileSync("git", ["status", "--porcelain", "-uall", path], { cwd: folder, encoding: "utf8" });
  return status.split("\n").filter((line) => line !== "" && isWritten(line));
}

async function expectServed(url: string): Promise<void> {
  const page = await sendTo(url, { target: "/v1/notifications?limit=3", headers: KEY });
  expect(page.status, page.text).toBe(200);
  for (const { priority } of page.body.data) expect(priority).toBeGreaterThan(0);
  const count = await sendTo(url, { target: COUNT, headers: KEY });
  expect([count.status, count.body]).toEqual([200, { count: 27 }]);
}

async function expectTestsToPass(): Promise<void> {
  const env = { TEST_SIZE: "", NO_COLOR: "1" };
  const tests = await runToEnd("npx", ["vitest", "run"], { cwd: folder, env });
  expect(tests.code, [...findFailures(tests.output), tests.output.slice(-3_000)].join("\n")).toBe(0);
}

const build = () => runToEnd("npm", ["run", "-s", "build"], { cwd: folder }); // with the type check
const generate = async () => expect((await runToEnd("npm", ["run", "-s", "generate"], { cwd: folder })).code).toBe(0);
const implementationAt = async (url: string) => (await sendTo(url, { target: "/health" })).body.implementation;

const CONTRACT = INSERTIONS.filter(({ text }) => text.startsWith("# openapi.yaml"));
const CODE = INSERTIONS.filter((block) => !CONTRACT.includes(block));
const PLACE = "GET /v2/subscribers/{subscriberId}/notification-count";
let proposed = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clone-"));
  execFileSync("git", ["clone", "-q", "--no-hardlinks", ROOT, folder]);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  // With them, builds compile what has changed alone.
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
  for (const block of CONTRACT) insert(block);
  proposed = readFileSync(join(folder, "openapi.yaml"), "utf8");
});
afterAll(() => rmSync(folder, { recursive: true }));

test.runIf(isWeekly)(
  "openapi.yaml alone, then its types: all serve the proposal, and the strict commands fail",
  async () => {
    requirePriority();
    const server = await start("start", "--ephemeral");
    await expectServed(server.url);
    expect(await implementationAt(server.url)).toMatchObject({
      mocked: [PLACE],
      added: ["GET /v1/notifications 200 body.data[].priority"],
    });
    await server.printed(/Mocked +GET \/v2\/subscribers/);
    expect(server.output()).not.toContain("error TS");
    const strict = await build();
    expect([strict.code, strict.output]).toEqual([1, expect.stringContaining("priority is required")]);

    await generate();
    const mock = await start("mock");
    await expectServed(mock.url);
    await mock.printed(/error TS\d+/); // once, as what is left to implement
    await mock.printed(/left to implement/);
    const proxy = await start("proxy", "--upstream", server.url);
    await expectServed(proxy.url);
    const types = await build();
    expect([types.code, types.output]).toEqual([1, expect.stringContaining("handlers.ts")]);
  },
  600_000,
);

/** The client's types of the new operation. */
const TYPES = `import { createClient } from "../../src/browser/client/client.js";

const client = createClient({ baseUrl: "http://127.0.0.1:4010", apiKey: "demo-key" });
export async function countOf(subscriberId: string): Promise<number> {
  const route = "get /v2/subscribers/{subscriberId}/notification-count";
  const result = await client.request(route, { path: { subscriberId } });
  return result.ok ? result.data.count : result.status;
}
`;

test.runIf(isWeekly)(
  "the guide's third operation is checked, tested, served with state, clean in the proxy, and verified",
  async () => {
    writeFileSync(join(folder, "openapi.yaml"), proposed);
    expect([CONTRACT.length, CODE.length]).toEqual([2, 5]);
    await generate();
    for (const block of CODE) insert(block);
    const written = [...changedIn("src"), ...changedIn("test")].map((line) => line.slice(3));
    expect((await runToEnd("npx", ["biome", "check", "--write", ...written], { cwd: folder })).code).toBe(0);
    expect(changedIn("src").length, "files of src").toBeLessThanOrEqual(12);
    expect(changedIn("test").length, "files of test").toBeLessThanOrEqual(20);
    writeFileSync(join(folder, "test/meta/recipe.types.ts"), TYPES);
    const check = await runToEnd("npm", ["run", "-s", "check"], { cwd: folder });
    expect([check.code, check.output]).toEqual([0, expect.not.stringContaining("error")]);
    await expectTestsToPass();

    const { url } = await start("start", "--ephemeral");
    expect(await implementationAt(url)).toMatchObject({ mocked: [], implemented: expect.arrayContaining([PLACE]) });
    const violations: object[] = [];
    const proxy = await startProxy({ contract: await loadContract(join(folder, "openapi.yaml")), upstream: url });
    proxy.events.on("entry", (entry) => entry.direction === "response" && violations.push(entry));
    onTestFinished(() => proxy.close());
    const count = async () => (await sendTo(proxy.url, { target: COUNT, headers: KEY })).body.count;
    const added = await sendTo(url, {
      method: "POST",
      target: "/_control/environments/default/notifications",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ subscriberId: "ines-moreau" }),
    });
    expect(added.status, added.text).toBe(201);
    expect(await count()).toBe(28);
    expect((await sendTo(proxy.url, { target: COUNT.replace("ines", "no"), headers: KEY })).status).toBe(404);
    expect((await sendTo(proxy.url, { target: COUNT, method: "POST", headers: KEY })).status).toBe(405);
    expect(violations).toEqual([]);
    const only = ["--only", "countNotifications"];
    const verified = await runToEnd(
      process.execPath,
      ["dist/cli.js", "verify", "--url", url, "--target", "reference", ...only],
      { cwd: folder },
    );
    expect(verified.code, verified.output).toBe(0);
  },
  3_600_000,
);
