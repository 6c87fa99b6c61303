// One process owns a data folder: a lock file that names the owner's pid.
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder belongs to another process that is alive. */
export class FolderInUseError extends Error {
  constructor(folder: string, pid: number) {
    super(
      `${folder} is in use by process ${pid}. Stop that server, or give this one a folder of its own with --data <folder>.`,
    );
    this.name = "FolderInUseError";
  }
}

// A pid says nothing about this process itself: in a container every run may have the same one.
const heldHere = new Set<string>();

/**
 * Takes a folder for this process and returns the function that gives it back. The lock of a process that is gone is
 * taken over.
 * @throws FolderInUseError when its owner is alive.
 */
export function lockFolder(folder: string): () => void {
  const path = join(resolve(folder), ".lock");
  if (heldHere.has(path)) throw new FolderInUseError(folder, process.pid);
  for (;;) {
    if (create(path)) break;
    const owner = readOwner(path);
    if (owner !== undefined && owner !== process.pid && isAlive(owner)) throw new FolderInUseError(folder, owner);
    discard(path, owner);
  }
  heldHere.add(path);
  return () => {
    heldHere.delete(path);
    rmSync(path, { force: true });
  };
}

function create(path: string): boolean {
  try {
    const file = openSync(path, "wx");
    writeSync(file, `${process.pid}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The pid in a lock file; undefined when the file is gone or its owner died before writing it. */
function readOwner(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Moves a dead owner's lock away. Another process may have done so and locked anew: then its lock is put back. */
function discard(path: string, owner: number | undefined): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readOwner(aside) === owner) rmSync(aside);
  else renameSync(aside, path);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // alive, of another user
  }
}
