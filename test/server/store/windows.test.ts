// The store on Windows, as far as other systems can show: calls that Windows rejects fail here, too, and a named pipe
// is a socket in the current folder.
import { statSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/browser/client/client.js";
import { createResetCommand } from "../../../src/cli/seed-commands.js";
import { FolderInUseError, lockFolder } from "../../../src/server/store/folder-lock.js";
import { startServer } from "../../../src/start-server.js";
import { FaultyDisk } from "../../support/faulty-disk.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const opened = new Map<string, number>();
const toError = (call: string, path: string) => Object.assign(new Error(`EPERM: ${call} '${path}'`), { code: "EPERM" });

/** Opens no folder, syncs nothing that is open for reading alone, and renames nothing onto an open file. */
new FaultyDisk(({ name, path, flags, args, proceed }) => {
  const count = opened.get(path) ?? 0;
  if (name === "open" && statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw toError("open", path);
  if (name === "sync" && flags === "r") throw toError("fsync", path);
  if (name === "rename" && opened.get(args[1])) throw toError("rename", args[1]);
  if (name === "open") opened.set(path, count + 1);
  if (name === "close") opened.set(path, count - 1);
  return proceed(...args);
});
const { platform } = process;
Object.defineProperty(process, "platform", { value: "win32" });
const home = process.cwd();
process.chdir(await createTemporaryFolder(afterAll));
afterAll(() => {
  Object.defineProperty(process, "platform", { value: platform });
  process.chdir(home);
});

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});

test("updates survive a stop; a reset keeps the file that it replaces", async () => {
  for (const [round, sms] of [false, true, false].entries()) {
    const server = await startServer({ dataFolder: folder });
    const client = createClient({ baseUrl: server.url, apiKey: server.apiKey });
    const before = await client.readPreferences("ines-moreau");
    expect(before).toMatchObject({ data: { global: { channels: { sms: round % 2 === 0 } } } });
    expect((await client.updatePreferences("ines-moreau", { channels: { sms } })).ok).toBe(true);
    await server.close();
  }
  const { stderr } = await runInProcess(createResetCommand(), "--data", folder);
  expect(stderr).toMatch(/now holds the seed demo\. The previous state is in \S+default\.json\.bak\.$/m);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(["default.json", "default.json.bak"]));
});

test("a folder has one owner, whose pipe shows whether it lives", async () => {
  const unlock = await lockFolder(folder);
  const [owner = ""] = await readdir(join(folder, ".lock"));
  expect(statSync(join(folder, ".lock", owner)).isFile()).toBe(true);
  expect(await readdir(".")).toEqual([`\\\\.\\pipe\\notifications-contract-${owner}`]);
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  unlock();

  const other = await createTemporaryFolder();
  onTestFinished(await lockFolder(other)); // a process that lives, in the place of one on another machine
  const [living = ""] = await readdir(join(other, ".lock"));
  await mkdir(join(folder, ".lock"));
  await writeFile(join(folder, ".lock", living), "");
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
});

test("takes over the lock of a process that has ended, though another one has its pid", async () => {
  await mkdir(join(folder, ".lock"));
  await writeFile(join(folder, ".lock", `${process.ppid}-0a1b2c3d`), "");
  const unlock = await lockFolder(folder);
  expect(await readdir(join(folder, ".lock"))).toEqual([expect.stringMatching(`^${process.pid}-`)]);
  unlock();
});
