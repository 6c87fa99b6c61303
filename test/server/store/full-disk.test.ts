import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canMountSmallDisk, fillDisk, mountSmallDisk } from "../../support/small-disk.js";
import { type SmallServer, startSmallServer } from "../../support/small-server.js";
import { readStored } from "../../support/stored-environment.js";

const NOW = "2026-01-15T12:00:00.000Z";
const OFF = { channels: { email: false } };
const ON = { channels: { email: true } };
const NOTHING = { channels: {} };

describe.skipIf(!canMountSmallDisk())("a full disk (skipped where no small disk can be mounted)", () => {
  test("updates are 503 and change nothing, lists still work; with space again, updates do too", async () => {
    const disk = await mountSmallDisk();
    const folder = join(disk, "environments");
    const server = await startSmallServer(folder, NOW);
    const free = await fillDisk(disk);
    const { refused, shown } = await updateUntilRefused(server);
    const stored = readStored(folder);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.body).toEqual({
      statusCode: 503,
      timestamp: NOW,
      path: "/v2/subscribers/subscriber-1/preferences",
      message: "The change could not be stored. Nothing was changed; try again in a moment.",
      ctx: { code: "unavailable", decision: "D-56" },
    });
    expect((await server.update("subscriber-1", NOTHING)).text).toBe(shown);
    expect((await server.list()).status).toBe(200);
    expect(readStored(folder)).toEqual(stored);
    // A file that is being written beside it just then does not stay.
    await expect.poll(() => readdir(folder)).toEqual([".gitignore", ".lock", "default.journal", "default.json"]);

    await free();
    const accepted = await server.update("subscriber-2", OFF);
    expect(accepted.status).toBe(200);
    await server.close();
    expect(await readdir(folder)).toEqual([".gitignore", "default.journal", "default.json"]);
    const restarted = await startSmallServer(folder, NOW);
    expect((await restarted.update("subscriber-1", NOTHING)).text).toBe(shown);
    expect((await restarted.update("subscriber-2", NOTHING)).text).toBe(accepted.text);
  });

  test("a start fails with the reason, and leaves nothing behind", async () => {
    const disk = await mountSmallDisk();
    await fillDisk(disk);
    await expect(startSmallServer(disk, NOW)).rejects.toThrow(`${disk} cannot be used: ENOSPC`);
    expect(await readdir(disk)).toEqual(["ballast"]);
  });
});

/** The end of the journal may lie in a block that still has room: updates are taken until it has none. */
async function updateUntilRefused(server: SmallServer) {
  let shown = (await server.update("subscriber-1", NOTHING)).text;
  for (let email = false; ; email = !email) {
    const response = await server.update("subscriber-1", email ? ON : OFF);
    if (response.status !== 200) {
      expect(response.status).toBe(503);
      return { refused: response, shown };
    }
    shown = response.text;
  }
}
