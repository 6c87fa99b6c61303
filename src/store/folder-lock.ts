// One process owns a data folder. Its lock is the folder `.lock`, which holds one file named by the owner's pid and a number
// that nobody has twice. Taking it is one rename, so that of many processes exactly one succeeds. The file is a socket
// where there can be one: its owner takes connections as long as it lives, however busy it is, and whoever shares the folder can ask, also from
// another container, where a pid says nothing.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { dirname, join, relative } from "node:path";

/** The folder belongs to another process that is alive. */
export class FolderInUseError extends Error {
  constructor(folder: string, pid: string) {
    super(
      `${folder} is in use by process ${pid}. Stop that server, or give this one a folder of its own with --data <folder>.`,
    );
    this.name = "FolderInUseError";
  }
}

const OWNER = /^([1-9]\d*)(-[0-9a-f]+)?$/;
const CLAIM_MS = 60_000; // far more than a claim is there for
const LONGEST_ADDRESS = 100; // of a socket, in bytes; the systems take 103 or more

// A pid says nothing about this process itself: in a container every run may have the same one.
const heldHere = new Set<string>();

/**
 * Takes a folder for this process and returns the function that gives it back. The lock of a process that is gone is
 * taken over.
 * @throws FolderInUseError when its owner is alive.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const lock = join(realpathSync(folder), ".lock");
  if (heldHere.has(lock)) throw new FolderInUseError(folder, String(process.pid));
  heldHere.add(lock);
  const own = `${process.pid}-${randomBytes(4).toString("hex")}`;
  const claim = `${lock}.${own}`;
  let life: Server | undefined;
  try {
    mkdirSync(claim);
    life = await listen(join(claim, own));
    if (!life) writeFileSync(join(claim, own), "");
    await removeLeftClaims(lock);
    for (let isTaken = false; !isTaken; ) {
      const owner = readOwner(lock);
      if (owner === undefined) isTaken = putInPlace(claim, lock);
      else if (await isAlive(join(lock, owner), owner)) throw new FolderInUseError(folder, toPid(owner));
      else rmSync(join(lock, owner), { force: true }); // nobody else will ever have this name
    }
  } catch (error) {
    heldHere.delete(lock);
    life?.close();
    throw error;
  } finally {
    rmSync(claim, { recursive: true, force: true });
  }
  let isHeld = true;
  return () => {
    if (!isHeld) return; // a second call must not give back what somebody else has taken since
    isHeld = false;
    heldHere.delete(lock);
    rmSync(join(lock, own), { force: true });
    removeIfEmpty(lock);
    life?.close();
  };
}

/** Who is named in a lock. One that names nobody is removed. */
function readOwner(lock: string): string | undefined {
  let names: string[] = [];
  succeeds(() => (names = readdirSync(lock)), ["ENOENT"]);
  const owner = names.find((name) => OWNER.test(name));
  if (owner !== undefined) return owner;
  for (const stray of names) rmSync(join(lock, stray), { recursive: true, force: true });
  removeIfEmpty(lock);
  return undefined;
}

function toPid(owner: string): string {
  return OWNER.exec(owner)?.[1] ?? "";
}

/** A folder cannot be renamed onto one that holds something: here the lock of whoever was faster. */
function putInPlace(claim: string, lock: string): boolean {
  return succeeds(() => renameSync(claim, lock), ["ENOTEMPTY", "EEXIST"]);
}

/** Another process may have taken it in the meantime. */
function removeIfEmpty(lock: string): void {
  succeeds(() => rmdirSync(lock), ["ENOTEMPTY", "EEXIST", "ENOENT"]);
}

/** Claims of processes that were killed before they had the lock. */
async function removeLeftClaims(lock: string): Promise<void> {
  const folder = dirname(lock);
  for (const name of readdirSync(folder).filter((one) => one.startsWith(".lock."))) {
    const claim = join(folder, name);
    const owner = name.slice(".lock.".length);
    if (!isOld(claim) || (await isAlive(join(claim, owner), owner))) continue;
    rmSync(claim, { recursive: true, force: true });
  }
}

/** Whether a claim is not just being made. */
function isOld(claim: string): boolean {
  let made = Number.POSITIVE_INFINITY;
  succeeds(() => (made = lstatSync(claim).mtimeMs), ["ENOENT"]);
  return Date.now() - made > CLAIM_MS;
}

async function isAlive(path: string, owner: string): Promise<boolean> {
  let isSocket = false;
  if (!succeeds(() => (isSocket = lstatSync(path).isSocket()), ["ENOENT"])) return false; // it has just gone
  const address = toAddress(path);
  return isSocket && address !== undefined ? answers(address) : isRunning(toPid(owner));
}

/** Takes connections at a path for as long as this process lives. Undefined where the file system has no sockets. */
async function listen(path: string): Promise<Server | undefined> {
  const address = toAddress(path);
  if (address === undefined) return undefined;
  const server = createServer((asking) => asking.destroy()).unref();
  try {
    await once(server.listen(address), "listening");
  } catch {
    return undefined; // what is wrong with the folder itself the file will say that is written instead
  }
  server.on("error", () => {}); // whoever asked has been answered by the system
  if (await answers(address)) return server;
  server.close();
  rmSync(path, { force: true });
  return undefined; // it can be made here, and not be asked
}

async function answers(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    // Any other error is one of a socket that is there: of another user, or with too many who ask.
    return !["ECONNREFUSED", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    socket.destroy();
  }
}

/** The path as short as it can be written; undefined where that is too long for a socket. */
function toAddress(path: string): string | undefined {
  const fromHere = relative(process.cwd(), path);
  const address = fromHere.length < path.length ? fromHere : path;
  return Buffer.byteLength(address) > LONGEST_ADDRESS ? undefined : address;
}

function isRunning(pid: string): boolean {
  if (Number(pid) === process.pid) return false; // of this process `heldHere` knows
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // alive, of another user
  }
}

function succeeds(action: () => void, expected: readonly string[]): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (expected.includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
