// The log on a disk that is full: lines are dropped, requests are not.
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CLI, run } from "../../support/command.js";
import { canMountSmallDisk, fillDisk, mountSmallDisk } from "../../support/small-disk.js";
import { createWireClient } from "../../support/wire-client.js";

const OFF = { channels: { email: false } };

describe.skipIf(!canMountSmallDisk())("log and data share a full disk (skipped where none can be mounted)", () => {
  test("requests get responses, updates 503; with space again all works, the log too, and a signal stops it", async () => {
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
    await free();
    expect((await client.update("nobody", OFF, "last")).status).toBe(404);
    expect((await readFile(logPath, "utf8")).trimEnd().split("\n").at(-1)).toContain('"status":404');
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });
});
