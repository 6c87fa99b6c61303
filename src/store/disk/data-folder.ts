// A folder of environments: made so that it lasts, taken for this process, and its errors in words.
import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { lockFolder } from "./folder-lock.js";

/** The system rejects the folder: it is not one, is full, or may not be read or written. */
export class FolderUnusableError extends Error {
  constructor(folder: string, cause: Error) {
    super(`${folder} cannot be used: ${cause.message}. Give another folder with --data <folder>.`, { cause });
    this.name = "FolderUnusableError";
  }
}

/**
 * Makes a folder where there is none, takes it for this process and returns the function that gives it back.
 * @throws FolderInUseError or FolderUnusableError
 */
export async function takeFolder(folder: string): Promise<() => void> {
  try {
    await makeFolder(resolve(folder));
    return await lockFolder(folder);
  } catch (error) {
    throw toFolderError(folder, error);
  }
}

/** An error of the system as one of the folder; any other as it is. */
export function toFolderError(folder: string, error: unknown): unknown {
  return error instanceof Error && "syscall" in error ? new FolderUnusableError(folder, error) : error;
}

/** Each new folder is an entry of the one above it, and that has to be on disk as well. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await syncFolderOf(folder);
}

/** Makes durable that a file or folder exists, or that it does not: an entry of the folder above it. */
export async function syncFolderOf(path: string): Promise<void> {
  const folder = await open(dirname(path), "r");
  await folder.sync().finally(() => folder.close());
}
