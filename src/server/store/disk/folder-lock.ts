// One process owns a data folder. A *lock* is the folder `.lock` in it, with one file named after the owner's pid and a
// random number. The file is a socket, which accepts connections as long as its owner lives:
//   data/environments/.lock/4711-9f3c02aa
// Process 4712 creates `.lock.4712-0b1e77d2/4712-0b1e77d2` and renames that folder to `.lock`. The rename fails while
// `.lock` holds a file, so exactly one process succeeds. 4712 then connects to 4711's socket. If it accepts, the folder
// is in use. If it refuses, 4711 has ended, in whatever container it was, and 4712 removes that file and renames again.
// Windows has no sockets in folders: there the file is empty, and the owner listens at a named pipe of the same name.
// On a file system without sockets, the file tells which process its owner is (process-identity.ts). If 4712 cannot see
// that process, as from another container, it does not start: only a person can know whether that one has ended.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { isWindows, syncFolderOf } from "./durable-json-file.js";
import { findProcess, writeIdentity } from "./process-identity.js";

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

const OWNER = /^([1-9]\d*)(-[0-9a-f]+)?$/;

// The owner's name in each lock of this process. Its pid does not tell: in a container, every run may have the same.
const heldHere = new Map<string, string>();

/**
 * Creates a folder if there is none, locks it for this process and returns the function that unlocks it.
 * @throws FolderUnusableError, such as a FolderInUseError
 */
export async function takeFolder(folder: string): Promise<() => void> {
  try {
    await makeFolder(resolve(folder));
    return await lockFolder(folder);
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

/** Syncs the parent of each new folder, since that holds its entry. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await syncFolderOf(folder);
  await writeFile(join(path, ".gitignore"), "*\n"); // keeps state out of commits
}

/**
 * Locks a folder for this process, taking over the lock of a process that has ended, and returns the function that
 * unlocks it.
 * @throws FolderInUseError if its owner is alive.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const lock = join(realpathSync(folder), ".lock");
  if (heldHere.has(lock)) throw new FolderInUseError(folder, String(process.pid));
  const owner = `${process.pid}-${randomBytes(4).toString("hex")}`;
  heldHere.set(lock, owner);
  const claim = `${lock}.${owner}`;
  let server: Server | undefined;
  try {
    mkdirSync(claim);
    server = await listenAt(join(claim, owner));
    if (!server || isWindows()) writeFileSync(join(claim, owner), isWindows() ? "" : writeIdentity());
    for (let isTaken = false; !isTaken; ) {
      const other = readOwner(lock);
      if (other === undefined) isTaken = putInPlace(claim, lock);
      else if (await isInUse(join(lock, other), other)) throw new FolderInUseError(folder, parsePid(other));
      else rmSync(join(lock, other), { force: true }); // safe: no other lock will ever have this name
    }
  } catch (error) {
    heldHere.delete(lock);
    server?.close();
    throw error;
  } finally {
    rmSync(claim, { recursive: true, force: true });
  }
  return () => {
    if (heldHere.get(lock) !== owner) return; // a second call must not unlock for a later owner
    heldHere.delete(lock);
    rmSync(join(lock, owner), { force: true });
    removeIfEmpty(lock);
    server?.close();
  };
}

/**
 * Call it before writing to a folder whose files were removed.
 * @throws if the lock was removed as well: the folder may belong to another process by now.
 */
export function assertStillLocked(folder: string): void {
  const lock = join(realpathSync(folder), ".lock");
  const owner = heldHere.get(lock);
  if (owner !== undefined && existsSync(join(lock, owner))) return;
  throw new Error(`The lock of ${folder} was removed: the server writes nothing there until you restart it.`);
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

function parsePid(owner: string): string {
  return OWNER.exec(owner)?.[1] ?? "";
}

/** Returns false if another process was faster: a folder cannot be renamed onto one that holds a file. */
function putInPlace(claim: string, lock: string): boolean {
  attempt(() => renameSync(claim, lock), ["ENOTEMPTY", "EEXIST"]);
  return !existsSync(claim);
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

/** @throws FolderUnusableError if the owner cannot be seen from here. */
async function isInUse(path: string, owner: string): Promise<boolean> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return false; // removed since it was listed
  const accepts = stats.isSocket() || isWindows() ? await withAddress(path, acceptsConnections) : undefined;
  if (accepts !== undefined) return accepts;
  const identity = stats.isFile() ? attempt(() => readFileSync(path, "utf8"), ["ENOENT"]) : "";
  if (identity === undefined) return false;
  const state = findProcess(Number(parsePid(owner)), identity);
  if (state !== "unknown") return state === "runs";
  throw new FolderUnusableError(
    `${dirname(dirname(path))} may be in use by process ${parsePid(owner)} of another container or machine, ` +
      "which this process cannot see. " +
      `If no server runs there any more, delete ${path} and start again. ` +
      "Otherwise, use another folder: --data <folder>.",
  );
}

const MAX_ADDRESS_BYTES = 100; // systems accept socket paths of 103 bytes or more

/** Accepts connections at a path as long as this process lives. Undefined if the system has no sockets there. */
async function listenAt(path: string): Promise<Server | undefined> {
  return withAddress(path, async (address) => {
    const server = createServer((connection) => connection.destroy()).unref();
    try {
      await once(server.listen(address), "listening");
    } catch {
      return undefined; // an error of the folder itself shows when a file is written instead
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

/** Shortens the path of a socket through /proc if it is too long. Undefined on systems without /proc. */
async function withAddress<T>(path: string, use: (address: string) => Promise<T>): Promise<T | undefined> {
  if (isWindows()) return use(`\\\\.\\pipe\\notifications-contract-${basename(path)}`);
  if (Buffer.byteLength(path) <= MAX_ADDRESS_BYTES) return use(path);
  if (!existsSync("/proc/self/fd")) return undefined;
  const folder = openSync(dirname(path), "r");
  try {
    return await use(`/proc/self/fd/${folder}/${basename(path)}`);
  } finally {
    closeSync(folder);
  }
}
