// A full disk under data and log, and a reader of the log that stops: lines may be dropped, requests are not.
import { closeSync, openSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServer } from "../../../src/start-server.js";
import { CLI, run, serve } from "../../support/command.js";
import { canMountSmallDisk, fillDisk, mountSmallDisk } from "../../support/small-disk.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { createWireClient } from "../../support/wire-client.js";

const OFF = { channels: { email: false } };

describe.skipIf(!canMountSmallDisk())("log and data share a full disk (skipped where none can be mounted)", () => {
  test("lists succeed and updates are 503; with space again, updates, log and signals work", async () => {
    const disk = await mountSmallDisk();
    const logPath = join(disk, "log");
    const data = join(disk, "environments");
    const args = [CLI, "serve", "--port", "0", "--data", data, "--seed", "empty"];
    const log = openSync(logPath, "w");
    const server = run(process.execPath, args, { stderr: log });
    closeSync(log); // it has its own
    onTestFinished(() => void server.child.kill("SIGKILL"));
    const [, url = ""] = await server.printed(/URL +(http\S+)/);
    const client = createWireClient(url, "demo-key");
    const free = await fillDisk(disk);
    let refused = 0;
    for (let round = 0; round < 200; round += 1) {
      expect((await client.list()).status).toBe(200);
      refused += Number((await client.update("nobody", OFF, `key ${round}`)).status === 503);
    }
    expect(refused).toBeGreaterThan(0);
    // A file that is being written beside it just then does not stay.
    await expect.poll(() => readdir(data)).toEqual([".gitignore", ".lock", "default.journal", "default.json"]);
    await free();
    expect((await client.update("nobody", OFF, "last")).status).toBe(404);
    const readLastLine = async () => (await readFile(logPath, "utf8")).trimEnd().split("\n").at(-1);
    await expect.poll(readLastLine).toContain('"status":404'); // lines are written together, soon after
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test("a start fails with the reason, and leaves nothing behind", async () => {
    const disk = await mountSmallDisk();
    await fillDisk(disk);
    await expect(startServer({ dataFolder: disk })).rejects.toThrow(`${disk} cannot be used: ENOSPC`);
    expect(await readdir(disk)).toEqual(["ballast"]);
  });
});

test("a reader of the log that pauses delays no request, and gets every line later", async () => {
  const server = await serve(["--port", "0", "--data", await createTemporaryFolder(), "--seed", "empty"]);
  onTestFinished(() => void server.child.kill("SIGKILL"));
  const { stderr } = server.child;
  stderr?.pause();
  const text = "x".repeat(1000);
  const count = 300; // several times what a pipe holds
  for (let index = 0; index < count; index += 1) {
    const url = `${server.url}/v1/notifications?search=${index}-${text}`;
    expect((await fetch(url, { headers: { authorization: "ApiKey demo-key" } })).status).toBe(200);
  }
  stderr?.resume();
  await server.printed(new RegExp(`search=${count - 1}-`));
  expect(new Set(server.output().match(/search=\d+-x/g)).size).toBe(count);
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
});
