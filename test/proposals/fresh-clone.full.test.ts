// A branch that changes openapi.yaml alone: `npm start`, `npm run mock` and `npm run proxy` work, and nothing else is lenient.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ROOT, type Running, run, runToEnd } from "../support/command.js";
import { type Block, blocksOf } from "../support/documents.js";
import { sendTo } from "../support/socket-request.js";

const INSERTIONS = blocksOf("insertion");
const KEY = { authorization: "ApiKey demo-key" };
const PREFERENCES = "/v2/subscribers/ines-moreau/preferences";

let folder = "";

/** Writes what the guide prints where it says. */
function insert(block: Block): void {
  const [, file = "", line = "", text = ""] = /^\S+ (\S+), below: (.*)\n([\s\S]*)$/.exec(block.text) ?? [];
  const path = join(folder, file);
  const whole = readFileSync(path, "utf8");
  expect(whole.split(`${line}\n`), `${file}: ${line}`).toHaveLength(2);
  const inserted = whole.replace(`${line}\n`, () => `${line}\n${text}\n`);
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

async function expectServed(url: string): Promise<void> {
  const page = await sendTo(url, { target: "/v1/notifications?limit=3", headers: KEY });
  expect(page.status, page.text).toBe(200);
  for (const { priority } of page.body.data) expect(priority).toBeGreaterThan(0);
  const preferences = await sendTo(url, { target: PREFERENCES, headers: KEY });
  expect([preferences.status, preferences.body.global.enabled]).toEqual([200, true]);
}

const build = () => runToEnd("npm", ["run", "-s", "build"], { cwd: folder }); // with the type check
const generate = async () => expect((await runToEnd("npm", ["run", "-s", "generate"], { cwd: folder })).code).toBe(0);
const implementationAt = async (url: string) => (await sendTo(url, { target: "/health" })).body.implementation;

const [OPERATION, ...CODE] = INSERTIONS;
const PLACE = "GET /v2/subscribers/{subscriberId}/preferences";
let proposed = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clone-"));
  execFileSync("git", ["clone", "-q", "--no-hardlinks", ROOT, folder]);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true }); // so that builds compile what has changed alone
  insert(OPERATION as Block);
  proposed = readFileSync(join(folder, "openapi.yaml"), "utf8");
});
afterAll(() => rmSync(folder, { recursive: true }));

test("openapi.yaml alone, then its types: all serve the proposal, and the strict commands fail", async () => {
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
  const again = await start("start", "--ephemeral");
  await expectServed(again.url);
  expect(again.output()).not.toContain("error TS");
  const proxy = await start("proxy", "--upstream", again.url);
  await expectServed(proxy.url);
  const types = await build();
  expect([types.code, types.output]).toEqual([1, expect.stringContaining("call-operation.ts")]);
}, 600_000);

test("the guide's third operation has state once its handler is written", async () => {
  writeFileSync(join(folder, "openapi.yaml"), proposed);
  expect(CODE).toHaveLength(3);
  await generate();
  for (const block of CODE) insert(block);
  const strict = await build();
  expect([strict.code, strict.output]).toEqual([0, expect.not.stringContaining("error")]);
  const { url } = await start("start", "--ephemeral");
  expect(await implementationAt(url)).toMatchObject({ mocked: [], implemented: expect.arrayContaining([PLACE]) });
  const headers = { ...KEY, "content-type": "application/json" };
  for (const email of [false, true]) {
    await sendTo(url, { method: "PATCH", target: PREFERENCES, headers, body: JSON.stringify({ channels: { email } }) });
    const { status, body } = await sendTo(url, { target: PREFERENCES, headers: KEY });
    expect([status, body.global.channels.email]).toEqual([200, email]);
  }
  expect((await sendTo(url, { target: PREFERENCES.replace("ines", "no"), headers: KEY })).status).toBe(404);
}, 600_000);
