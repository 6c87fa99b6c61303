// A branch that changes openapi.yaml alone: `npm start`, `npm run mock` and `npm run proxy` work, and nothing else is lenient.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT, type Running, run, runToEnd } from "../support/command.js";
import { sendTo } from "../support/socket-request.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const OPERATION = `    get:
      operationId: getPreferences
      summary: Get a subscriber's preferences
      x-decision: D-14
      parameters:
        - $ref: "#/components/parameters/subscriberId"
      responses:
        "200":
          description: The preferences.
          x-decision: D-14
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Preferences" }
        "401": { $ref: "#/components/responses/UpdateUnauthorized" }
`;
const KEY = { authorization: "ApiKey demo-key" };
const PREFERENCES = "/v2/subscribers/ines-moreau/preferences";

let folder = "";

/** A clone whose openapi.yaml has a third operation and a new required member. */
async function clone(): Promise<void> {
  folder = join(await createTemporaryFolder(), "clone");
  execFileSync("git", ["clone", "-q", "--no-hardlinks", ROOT, folder]);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true }); // so that builds compile what has changed alone
  const path = join(folder, "openapi.yaml");
  const edited = readFileSync(path, "utf8")
    .replace("\n  /v1/notifications:\n", `${OPERATION}\n  /v1/notifications:\n`)
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

test("openapi.yaml alone, then its types: all serve the proposal, and the strict commands fail", async () => {
  await clone();
  const server = await start("start", "--ephemeral");
  await expectServed(server.url);
  expect((await sendTo(server.url, { target: "/health" })).body.implementation).toMatchObject({
    mocked: ["GET /v2/subscribers/{subscriberId}/preferences"],
    filled: ["GET /v1/notifications 200 body.data[].priority"],
  });
  await server.printed(/Mocked +GET \/v2\/subscribers/);
  expect(server.output()).not.toContain("error TS");
  const strict = await runToEnd("npm", ["run", "-s", "build"], { cwd: folder });
  expect([strict.code, strict.output]).toEqual([1, expect.stringContaining("priority is missing")]);

  expect((await runToEnd("npm", ["run", "-s", "generate"], { cwd: folder })).code).toBe(0);
  const mock = await start("mock");
  await expectServed(mock.url);
  await mock.printed(/error TS\d+/); // once, as what is left to implement
  await mock.printed(/left to implement/);
  const again = await start("start", "--ephemeral");
  await expectServed(again.url);
  expect(again.output()).not.toContain("error TS");
  const proxy = await start("proxy", "--upstream", again.url);
  await expectServed(proxy.url);
  const types = await runToEnd("npm", ["run", "-s", "build"], { cwd: folder });
  expect([types.code, types.output]).toEqual([1, expect.stringContaining("call-operation.ts")]);
}, 600_000);
