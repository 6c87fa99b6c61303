// One process owns a data folder. A *lock* is the folder `.lock` in it, with one socket that is named after its owner's
// pid, a random number and its host. It accepts connections as long as its owner lives, in whatever container:
//   data/environments/.lock/4711-9f3c02aa@laptop
// Process 4712 creates `.lock.0b1e77d2/4712-0b1e77d2@laptop` and renames that folder to `.lock`. The rename fails while
// `.lock` holds a file, so exactly one process succeeds. 4712 then connects to 4711's socket. If it accepts, the folder
// is in use. If it refuses, 4711 has ended, and 4712 removes that socket and renames again. But the socket of another
// host always refuses: then 4712 does not start, since only a person can know whether that server has ended.
// Windows has no sockets in folders: there the file is empty, and the owner listens at a named pipe of the same name.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Notify } from "./durable-environment.js";
import { isWindows, makeFolder } from "./durable-json-file.js";

/** This process cannot use a data folder. The message says why, and what to do. */
export class FolderUnusableError extends Error {
  override name = "FolderUnusableError";
}

export class FolderInUseError extends FolderUnusableError {
  override name = "FolderInUseError";

  constructor(folder: string, pid: string) {
    super(`${folder} is in use by process ${pid}. Stop that server, or use another folder: --data <folder>.`);
  }
}

const [HOST = ""] = hostname().split("."); // a laptop's domain changes with its network
const OWNER = /^(?<pid>[1-9]\d*)(-[0-9a-f]+)?(@(?<host>.*))?$/; // release 1.1.0 wrote no host

/**
 * Creates a folder if there is none, locks it for this process and returns the function that unlocks it.
 * @throws FolderUnusableError, such as a FolderInUseError
 */
export async function takeFolder(folder: string, report?: Notify): Promise<() => void> {
  try {
    if (await makeFolder(resolve(folder))) await writeFile(join(folder, ".gitignore"), "*\n"); // keeps state out of commits
    return await lockFolder(folder, report);
  } catch (error) {
    throw translateFolderError(folder, error);
  }
}

/** Converts an error of the file system, as of a full disk; returns any other as it is. */
export function translateFolderError(folder: string, error: unknown): unknown {
  if (!(error instanceof Error && "syscall" in error)) return error;
  const message = `${folder} cannot be used: ${error.message}. Use another folder: --data <folder>.`;
  return new FolderUnusableError(message, { cause: error });
}

/**
 * Locks a folder for this process, taking over the lock of a process that has ended, and returns the function that
 * unlocks it.
 * @throws FolderInUseError if its owner lives; FolderUnusableError if the owner is of another host.
 */
export async function lockFolder(folder: string, report: Notify = () => {}): Promise<() => void> {
  const lock = join(realpathSync(folder), ".lock");
  const id = randomBytes(4).toString("hex");
  const owner = `${process.pid}-${id}@${HOST}`;
  const claim = `${lock}.${id}`;
  let server: Server | undefined;
  try {
    mkdirSync(claim);
    const isTooLong = !canAddress(join(claim, owner));
    server = isTooLong ? undefined : await listenAt(join(claim, owner));
    if (!server) {
      if (!isTooLong) await removeEnded(lock, folder); // an owner that lives still has the folder
      const reason = isTooLong ? "its path is too long for a socket" : "no socket can be made there";
      report("warn", `Nothing keeps a second server out of ${folder}: ${reason}. Start only one.`);
      return () => {};
    }
    if (isWindows()) writeFileSync(join(claim, owner), "");
    do await removeEnded(lock, folder);
    while (!putInPlace(claim, lock));
  } catch (error) {
    server?.close();
    throw error;
  } finally {
    rmSync(claim, { recursive: true, force: true });
  }
  return () => {
    rmSync(join(lock, owner), { force: true });
    removeIfEmpty(lock);
    server?.close();
  };
}

/** Returns false if there is a lock: a folder cannot be renamed onto one that holds a file. */
function putInPlace(claim: string, lock: string): boolean {
  attempt(() => renameSync(claim, lock), ["ENOTEMPTY", "EEXIST"]);
  return !existsSync(claim);
}

/** Removes the owner of a lock if that process has ended. @throws FolderUnusableError if not; it stays as it is. */
async function removeEnded(lock: string, folder: string): Promise<void> {
  const owner = readOwner(lock);
  if (owner === undefined) return;
  const path = join(lock, owner);
  const { pid = "", host = HOST } = OWNER.exec(owner)?.groups ?? {};
  if (await withAddress(path, acceptsConnections)) throw new FolderInUseError(folder, pid);
  if (host !== HOST && existsSync(path)) {
    throw new FolderUnusableError(
      `${folder} may be in use by process ${pid} of the host ${host}, which this one (${HOST}) cannot see. ` +
        `If no server runs there any more, delete ${path} and start again. ` +
        "Otherwise, use another folder: --data <folder>.",
    );
  }
  rmSync(path, { force: true }); // safe: no other lock will ever have this name
}

/**
 * The owner that a lock names; undefined if it names none.
 * @throws FolderUnusableError if the lock was not made by a server. It stays as it is.
 */
function readOwner(lock: string): string | undefined {
  const names = attempt(() => readdirSync(lock), ["ENOENT"]) ?? [];
  const stray = names.find((name) => !OWNER.test(name));
  if (stray !== undefined) {
    const hint = "Move it away, or use another folder: --data <folder>.";
    throw new FolderUnusableError(`${lock} is not the lock of a server: it contains ${stray}. ${hint}`);
  }
  if (names.length === 0) removeIfEmpty(lock);
  return names[0];
}

/** The lock may belong to another process by now. */
function removeIfEmpty(lock: string): void {
  attempt(() => rmdirSync(lock), ["ENOTEMPTY", "EEXIST", "ENOENT"]);
}

/** Returns undefined for an expected error. */
function attempt<T>(action: () => T, expected: readonly string[]): T | undefined {
  try {
    return action();
  } catch (error) {
    if (expected.includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Accepts connections at a path as long as this process lives. Undefined if the system has no sockets there. */
async function listenAt(path: string): Promise<Server | undefined> {
  return withAddress(path, async (address) => {
    const server = createServer((connection) => connection.destroy()).unref();
    try {
      await once(server.listen(address), "listening");
    } catch {
      return undefined; // an error of the folder itself shows when files are written
    }
    server.on("error", () => {}); // the system has accepted the connection by then, which is enough
    if (await acceptsConnections(address)) return server;
    server.close();
    rmSync(path, { force: true });
    return undefined; // a file system that has sockets, but does not connect them
  });
}

async function acceptsConnections(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    // Any other error means that the socket is there: another user's, or with too many connections.
    return !["ECONNREFUSED", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    socket.destroy();
  }
}

const MAX_ADDRESS_BYTES = 100; // systems accept socket paths of 103 bytes or more

/** Only Linux has another way to a long path. */
function canAddress(path: string): boolean {
  return isWindows() || process.platform === "linux" || Buffer.byteLength(path) <= MAX_ADDRESS_BYTES;
}

/** Shortens the path of a socket if it is too long. */
async function withAddress<T>(path: string, use: (address: string) => Promise<T>): Promise<T> {
  if (isWindows()) return use(`\\\\.\\pipe\\notifications-contract-${basename(path)}`);
  if (Buffer.byteLength(path) <= MAX_ADDRESS_BYTES) return use(path);
  const folder = openSync(dirname(path), "r");
  try {
    return await use(`/proc/self/fd/${folder}/${basename(path)}`);
  } finally {
    closeSync(folder);
  }
}
