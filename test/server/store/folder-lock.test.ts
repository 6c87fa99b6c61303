import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, Server } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { FolderInUseError, lockFolder } from "../../../src/server/store/folder-lock.js";
import { readOwners } from "../../support/folder-owners.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const [HOST = ""] = hostname().split(".");

let folder: string;

beforeEach(async () => {
  folder = await createTemporaryFolder();
});

describe("a lock whose owner has ended is taken over", () => {
  const rows: [string, string[]][] = [
    ["of a process that has ended", [`${toDeadPid()}-0a1b2c3d@${HOST}`]],
    ["of another process that has the same pid by now", [`${process.ppid}-0a1b2c3d@${HOST}`]],
    ["of a container that was restarted with the same name and pid", [`${process.pid}-0a1b2c3d@${HOST}`]],
    ["of release 1.1.0, which wrote no host", [`${toDeadPid()}-0a1b2c3d`]],
    ["that names no process", []],
  ];
  test.each(rows)("%s", async (_title, names) => {
    await mkdir(join(folder, ".lock"));
    for (const name of names) await leaveSocket(name);

    const unlock = await lockFolder(folder);
    expect(await readdir(join(folder, ".lock"))).toEqual([
      expect.stringMatching(`^${process.pid}-(?!0a1b2c3d)[0-9a-f]{8}@${HOST}$`),
    ]);
    unlock();
    expect(await readdir(folder)).toEqual([]);
  });
});

test.each([
  ["its owner lives, in another container", listenAt, (pid: string) => [`is in use by process ${pid}.`]],
  [
    "its owner is of another host, and may live",
    leaveSocket,
    (pid: string, path: string) => [
      `may be in use by process ${pid} of the host other`,
      `If no server runs there any more, delete ${path} and start again.`,
    ],
  ],
])("a lock is left, and stops the start: %s", async (_title, leave, toMessages) => {
  const pid = toDeadPid();
  const name = `${pid}-0a1b2c3d@other`;
  const path = join(folder, ".lock", name);
  await mkdir(join(folder, ".lock"));
  await leave(name);
  for (const message of toMessages(pid, path)) await expect(lockFolder(folder)).rejects.toThrow(message);
  expect(await readdir(join(folder, ".lock"))).toEqual([name]);
  await rm(path);
  (await lockFolder(folder))();
});

test("a path too long for a socket, on a system without /proc: a start says so, and goes on", async () => {
  const { deep } = await createDeepFolder();
  const name = `${toDeadPid()}-0a1b2c3d@${HOST}`; // nobody knows if its owner lives
  await mkdir(join(deep, ".lock"));
  await writeFile(join(deep, ".lock", name), "");
  const { platform } = process;
  Object.defineProperty(process, "platform", { value: "darwin" });
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: platform }));
  const reports: string[] = [];
  const unlock = await lockFolder(deep, (level, message) => reports.push(`${level} ${message}`));
  const reason = "its path is too long for a socket";
  expect(reports).toEqual([`warn Nothing keeps a second server out of ${deep}: ${reason}. Start only one.`]);
  unlock();
  expect(await readdir(deep, { recursive: true })).toEqual([".lock", join(".lock", name)]);
});

test("a folder where no socket can be made: a start says that nothing guards it, and goes on", async () => {
  const listens = vi.spyOn(Server.prototype, "listen");
  const unlockFirst = await lockFolder(folder);
  const [server] = listens.mock.contexts as [Server];
  server.emit("error", new Error("accept EMFILE")); // with too many files open, it still guards the folder
  listens.mockImplementation(function listen(this: Server) {
    process.nextTick(() => this.emit("error", new Error("listen EOPNOTSUPP")));
    return this;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(lockFolder(folder), "it has an owner that could make one").rejects.toBeInstanceOf(FolderInUseError);
  unlockFirst();
  const reports: string[] = [];
  const unlocks = [1, 2].map(() => lockFolder(folder, (level, message) => reports.push(`${level} ${message}`)));
  for (const unlock of await Promise.all(unlocks)) unlock();
  const report = `warn Nothing keeps a second server out of ${folder}: no socket can be made there. Start only one.`;
  expect(reports).toEqual([report, report]);
  expect(await readdir(folder)).toEqual([]);
});

test("of 20 that start at once, one has the folder, also after one that has ended", async () => {
  for (const left of [[], [`${toDeadPid()}-0a1b2c3d@${HOST}`]]) {
    await mkdir(join(folder, ".lock"), { recursive: true });
    for (const name of left) await leaveSocket(name);
    const starts = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
    const owners = starts.filter((start) => start.status === "fulfilled");
    expect(owners).toHaveLength(1);
    for (const start of starts) if (start.status === "rejected") expect(start.reason).toBeInstanceOf(FolderInUseError);
    owners[0]?.value();
    expect(await readdir(folder)).toEqual([]);
  }
});

test("a folder whose path is too long for a socket has one as well", async () => {
  const { deep, link } = await createDeepFolder();
  const unlock = await lockFolder(deep);
  const [name = ""] = await readdir(join(deep, ".lock"));
  expect((await lstat(join(deep, ".lock", name))).isSocket()).toBe(true);
  unlock();
  expect(await readdir(deep)).toEqual([]);

  const dead = toDeadPid();
  await mkdir(join(deep, ".lock"));
  await listenAt(`${dead}-0a1b2c3d@${HOST}`, link);
  await expect(lockFolder(deep)).rejects.toThrow(`is in use by process ${dead}.`);
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

test("this process cannot lock a folder twice, however its path is written, and can lock another", async () => {
  const link = join(await createTemporaryFolder(), "link");
  await symlink(folder, link);
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`is in use by process ${process.pid}.`);
  await expect(lockFolder(`${folder}/./`)).rejects.toThrow(FolderInUseError);
  await expect(lockFolder(link)).rejects.toThrow(FolderInUseError);
  const unlockOther = await lockFolder(await createTemporaryFolder());
  unlock();
  const unlockLater = await lockFolder(folder);
  unlock(); // a second time, which is not for the later owner
  unlockOther();
  expect(await readOwners(folder)).toEqual([process.pid]);
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  unlockLater();
});

/** A folder whose path no socket may have, and a short path to it. */
async function createDeepFolder(): Promise<{ deep: string; link: string }> {
  const deep = join(folder, "x".repeat(60), "y".repeat(60));
  await mkdir(deep, { recursive: true });
  await symlink(deep, join(folder, "link"));
  return { deep, link: "link" };
}

/** Takes connections at the socket of an owner, as if it were alive. */
async function listenAt(name: string, under = "."): Promise<Server> {
  const server = createServer().listen(join(folder, under, ".lock", name));
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

/** Leaves the socket of an owner that has ended. */
async function leaveSocket(name: string): Promise<void> {
  const [path, kept] = [join(folder, ".lock", name), join(folder, "kept")];
  const server = await listenAt(name);
  await rename(path, kept); // else it goes with its listener
  server.close();
  await rename(kept, path);
}

/** The pid of a process that has ended. */
function toDeadPid(): string {
  return String(spawnSync(process.execPath, ["--version"]).pid);
}
