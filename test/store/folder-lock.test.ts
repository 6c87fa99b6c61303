import { spawnSync } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { FolderInUseError, lockFolder } from "../../src/store/folder-lock.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const OWN_PID = String(process.pid);

let folder: string;

beforeEach(async () => {
  folder = await createTemporaryFolder();
});

describe("a lock that is left over is taken over", () => {
  const rows: [string, string[]][] = [
    ["of a process that is gone", [toDeadPid()]],
    ["of an earlier process with this very pid", [OWN_PID]],
    ["that names nobody", []],
    ["that holds something else", [".DS_Store"]],
    ["of a process that is gone, with something else", [".DS_Store", toDeadPid()]],
    ["of a pid that no process can have", ["99999999999999999999"]],
  ];
  test.each(rows)("%s", async (_title, names) => {
    await mkdir(join(folder, ".lock"));
    for (const name of names) await writeFile(join(folder, ".lock", name), "");

    const unlock = lockFolder(folder);
    expect((await readOwners()).filter((name) => name !== ".DS_Store")).toEqual([OWN_PID]);
    unlock();
    expect((await readOwners()).filter((name) => name !== ".DS_Store")).toEqual([]);
  });
});

test("a lock of a process that is alive is refused by its pid, and left alone", async () => {
  await mkdir(join(folder, ".lock"));
  await writeFile(join(folder, ".lock", String(process.ppid)), "");
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
  expect(() => lockFolder(folder)).toThrow(`${folder} is in use by process ${process.ppid}.`);
  expect(await readdir(folder)).toEqual([".lock"]);
  expect(await readOwners()).toEqual([String(process.ppid)]);
});

test("this process cannot take a folder twice, whichever way it is written", async () => {
  const link = join(await createTemporaryFolder(), "link");
  await symlink(folder, link);
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(`is in use by process ${process.pid}.`);
  expect(() => lockFolder(`${folder}/./`)).toThrow(FolderInUseError);
  expect(() => lockFolder(link)).toThrow(FolderInUseError);
  unlock();
});

test("given back, a folder is as it was and can be taken again", async () => {
  lockFolder(folder)();
  expect(await readdir(folder)).toEqual([]);
  lockFolder(folder)();
});

test("giving back twice does not give back what somebody else has taken in between", async () => {
  const unlock = lockFolder(folder);
  unlock();
  const unlockLater = lockFolder(folder);
  unlock();
  expect(await readOwners()).toEqual([OWN_PID]);
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
  unlockLater();
});

test("two folders are two locks", async () => {
  const other = await createTemporaryFolder();
  const unlock = lockFolder(folder);
  const unlockOther = lockFolder(other);
  unlock();
  expect(() => lockFolder(other)).toThrow(FolderInUseError);
  unlockOther();
});

async function readOwners(): Promise<string[]> {
  return readdir(join(folder, ".lock")).catch(() => []);
}

/** The pid of a process that has ended. */
function toDeadPid(): string {
  return String(spawnSync(process.execPath, ["--version"]).pid);
}
