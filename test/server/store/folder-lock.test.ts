import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { FolderInUseError, lockFolder } from "../../../src/server/store/disk/folder-lock.js";
import { writeIdentity } from "../../../src/server/store/disk/process-identity.js";
import { readOwners } from "../../support/folder-owners.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const OWN_PID = String(process.pid);

let folder: string;

beforeEach(async () => {
  folder = await createTemporaryFolder();
});

describe("a lock without a living owner is taken over", () => {
  const rows: [string, string[]][] = [
    ["of a process that has ended", [toDeadPid()]],
    ["of an earlier process with this process's pid", [OWN_PID]],
    ["that names no process", []],
    ["of a pid that no process can have", ["99999999999999999999"]],
  ];
  test.each(rows)("%s", async (_title, names) => {
    await mkdir(join(folder, ".lock"));
    for (const name of names) await writeFile(join(folder, ".lock", name), "");

    const unlock = await lockFolder(folder);
    expect(await readOwners(folder)).toEqual([process.pid]);
    unlock();
    expect(await readOwners(folder)).toEqual([]);
  });
});

test("rejects the lock of a living process with its pid, and leaves it", async () => {
  await mkdir(join(folder, ".lock"));
  await writeFile(join(folder, ".lock", String(process.ppid)), "");
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  await expect(lockFolder(folder)).rejects.toThrow(`${folder} is in use by process ${process.ppid}.`);
  expect(await readdir(folder)).toEqual([".lock"]);
  expect(await readOwners(folder)).toEqual([process.ppid]);
});

describe.skipIf(writeIdentity() === "")("without sockets, a lock tells which process its owner is", () => {
  const other = (members: object, text = writeIdentity()) => JSON.stringify({ ...JSON.parse(text), ...members });
  const leave = async (pid: string | number, identity: string) => {
    await mkdir(join(folder, ".lock"));
    await writeFile(join(folder, ".lock", `${pid}-0a1b2c3d`), identity);
  };

  test.each([
    ["a process that has the pid of an earlier one", process.ppid, other({ start: "1" }, writeIdentity(process.ppid))],
    ["a process that has ended", toDeadPid(), writeIdentity()],
  ])("%s: it is taken over", async (_title, pid, identity) => {
    await leave(pid, identity);
    const unlock = await lockFolder(folder);
    expect(await readOwners(folder)).toEqual([process.pid]);
    unlock();
  });

  test("the process runs: rejected", async () => {
    await leave(process.ppid, writeIdentity(process.ppid));
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  });

  test("a process of another machine, or before a restart of this one: rejected with a remedy", async () => {
    await leave(OWN_PID, other({ boot: "0b6c3f1e-5d0f-4d6c-8b4e-2f6a1c9d7e35" }));
    const path = join(folder, ".lock", `${OWN_PID}-0a1b2c3d`);
    const message = `${folder} may be in use by process ${OWN_PID} of another container or machine, which this process`;
    await expect(lockFolder(folder)).rejects.toThrow(message);
    await expect(lockFolder(folder)).rejects.toThrow(`delete ${path} and start again`);
    expect(await readdir(join(folder, ".lock"))).toEqual([`${OWN_PID}-0a1b2c3d`]);
  });
});

describe("a lock that is a socket shows whether its owner lives", () => {
  test("one that responds is rejected, though its owner is in another container", async () => {
    const dead = toDeadPid();
    const life = await listenAt(join(".lock", `${dead}-0a1b2c3d`));
    await expect(lockFolder(folder)).rejects.toThrow(`is in use by process ${dead}.`);
    expect(await readOwners(folder)).toEqual([Number(dead)]);
    life.close();
  });

  test.each([
    ["has the pid of one that runs", String(process.ppid)],
    ["has this very pid", OWN_PID],
  ])("one that does not respond is taken over, though it %s", async (_title, pid) => {
    const life = await listenAt(join(".lock", `${pid}-0a1b2c3d`));
    await rename(join(folder, ".lock", `${pid}-0a1b2c3d`), join(folder, "kept")); // else it goes with its listener
    life.close();
    await rename(join(folder, "kept"), join(folder, ".lock", `${pid}-0a1b2c3d`));
    const unlock = await lockFolder(folder);
    expect(await readdir(join(folder, ".lock"))).toEqual([expect.stringMatching(`^${OWN_PID}-(?!0a1b2c3d)`)]);
    unlock();
    expect(await readdir(folder)).toEqual([]);
  });

  test("a folder whose path is too long for a socket has one as well", async () => {
    const { deep, link } = await createDeepFolder();
    const unlock = await lockFolder(deep);
    const [name = ""] = await readdir(join(deep, ".lock"));
    expect((await lstat(join(deep, ".lock", name))).isSocket()).toBe(true);
    unlock();
    expect(await readdir(deep)).toEqual([]);

    const dead = toDeadPid();
    await listenAt(join(link, ".lock", `${dead}-0a1b2c3d`));
    await expect(lockFolder(deep)).rejects.toThrow(`is in use by process ${dead}.`);
  });
});

test.each([
  ["a link to another folder", (lock: string, elsewhere: string) => symlink(elsewhere, lock), "it contains mine"],
  ["a file", (lock: string) => writeFile(lock, "mine"), "ENOTDIR"],
])("what is not the lock of a server is left alone: %s", async (_title, make, reason) => {
  const [lock, elsewhere] = [join(folder, ".lock"), await createTemporaryFolder()];
  await writeFile(join(elsewhere, "mine"), "");
  await make(lock, elsewhere);
  await expect(lockFolder(folder)).rejects.toThrow(reason);
  expect(await readdir(elsewhere)).toEqual(["mine"]);
  expect(await readdir(folder)).toEqual([".lock"]);
});

test("this process cannot lock a folder twice, however its path is written", async () => {
  const link = join(await createTemporaryFolder(), "link");
  await symlink(folder, link);
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`is in use by process ${process.pid}.`);
  await expect(lockFolder(`${folder}/./`)).rejects.toThrow(FolderInUseError);
  await expect(lockFolder(link)).rejects.toThrow(FolderInUseError);
  unlock();
});

test("a second unlock does not unlock for a later owner", async () => {
  const unlock = await lockFolder(folder);
  unlock();
  const unlockLater = await lockFolder(folder);
  unlock();
  expect(await readOwners(folder)).toEqual([process.pid]);
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  unlockLater();
});

test("two folders are two locks", async () => {
  const other = await createTemporaryFolder();
  const unlock = await lockFolder(folder);
  const unlockOther = await lockFolder(other);
  unlock();
  await expect(lockFolder(other)).rejects.toThrow(FolderInUseError);
  unlockOther();
});

/** A folder whose path no socket may have, and a short path to it. */
async function createDeepFolder(): Promise<{ deep: string; link: string }> {
  const deep = join(folder, "x".repeat(60), "y".repeat(60));
  await mkdir(deep, { recursive: true });
  await symlink(deep, join(folder, "link"));
  return { deep, link: "link" };
}

/** Takes connections at a path in the folder. */
async function listenAt(path: string): Promise<Server> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  const server = createServer().listen(join(folder, path));
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

/** The pid of a process that has ended. */
function toDeadPid(): string {
  return String(spawnSync(process.execPath, ["--version"]).pid);
}
