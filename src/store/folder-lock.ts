// One process owns a data folder. Its lock is the folder `.lock`, which holds one empty file named by the owner's pid:
// both taking it and taking it over from a dead owner are one rename, so that of many processes exactly one succeeds.
import { mkdirSync, readdirSync, realpathSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder belongs to another process that is alive. */
export class FolderInUseError extends Error {
  constructor(folder: string, pid: string) {
    super(
      `${folder} is in use by process ${pid}. Stop that server, or give this one a folder of its own with --data <folder>.`,
    );
    this.name = "FolderInUseError";
  }
}

const OWN_PID = String(process.pid);

// A pid says nothing about this process itself: in a container every run may have the same one.
const heldHere = new Set<string>();

/**
 * Takes a folder for this process and returns the function that gives it back. The lock of a process that is gone is
 * taken over.
 * @throws FolderInUseError when its owner is alive.
 */
export function lockFolder(folder: string): () => void {
  const lock = join(realpathSync(folder), ".lock");
  if (heldHere.has(lock)) throw new FolderInUseError(folder, OWN_PID);
  const claim = `${lock}.${OWN_PID}`;
  succeeds(() => mkdirSync(claim), ["EEXIST"]); // left over from a process with this pid
  try {
    writeFileSync(join(claim, OWN_PID), "");
    for (let isTaken = false; !isTaken; ) {
      const owner = readOwner(lock);
      if (owner !== undefined && owner !== OWN_PID && isAlive(owner)) throw new FolderInUseError(folder, owner);
      isTaken = owner === undefined ? putInPlace(claim, lock) : takeOver(lock, owner);
    }
  } finally {
    rmSync(claim, { recursive: true, force: true });
  }
  heldHere.add(lock);
  let isHeld = true;
  return () => {
    if (!isHeld) return; // a second call must not give back what somebody else has taken since
    isHeld = false;
    heldHere.delete(lock);
    release(lock);
  };
}

/** The pid in a lock. One that names nobody is removed. */
function readOwner(lock: string): string | undefined {
  let names: string[] = [];
  succeeds(() => (names = readdirSync(lock)), ["ENOENT"]);
  const owner = names.find((name) => /^[1-9]\d*$/.test(name));
  if (owner !== undefined) return owner;
  for (const stray of names) rmSync(join(lock, stray), { recursive: true, force: true });
  removeIfEmpty(lock);
  return undefined;
}

/** A folder cannot be renamed onto one that holds something: here the lock of whoever was faster. */
function putInPlace(claim: string, lock: string): boolean {
  return succeeds(() => renameSync(claim, lock), ["ENOTEMPTY", "EEXIST"]);
}

/** The rename names the dead owner, so it cannot hit the lock of whoever was faster. */
function takeOver(lock: string, owner: string): boolean {
  return succeeds(() => renameSync(join(lock, owner), join(lock, OWN_PID)), ["ENOENT"]);
}

function release(lock: string): void {
  rmSync(join(lock, OWN_PID), { force: true });
  removeIfEmpty(lock);
}

/** Another process may have taken it in the meantime. */
function removeIfEmpty(lock: string): void {
  succeeds(() => rmdirSync(lock), ["ENOTEMPTY", "EEXIST", "ENOENT"]);
}

function isAlive(pid: string): boolean {
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
