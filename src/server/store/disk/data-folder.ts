// A folder of environments: made so that it lasts, taken for this process, which of its files are environments, and its
// errors in words.
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DEFAULT_ENVIRONMENT } from "../../../core/state/environment.js";
import { syncFolderOf } from "./durable-json-file.js";
import { FolderUnusableError, lockFolder } from "./folder-lock.js";

/**
 * Makes a folder where there is none, takes it for this process and returns the function that gives it back.
 * @throws FolderUnusableError; a FolderInUseError is one.
 */
export async function takeFolder(folder: string): Promise<() => void> {
  try {
    await makeFolder(resolve(folder));
    return await lockFolder(folder);
  } catch (error) {
    throw toFolderError(folder, error);
  }
}

/** An error of the system as one of the folder, which is not one, is full, or may not be read or written; any other as it is. */
export function toFolderError(folder: string, error: unknown): unknown {
  if (!(error instanceof Error && "syscall" in error)) return error;
  const message = `${folder} cannot be used: ${error.message}. Give another folder with --data <folder>.`;
  return new FolderUnusableError(message, { cause: error });
}

/** Each new folder is an entry of the one above it, and that has to be on disk as well. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await syncFolderOf(folder);
  await writeFile(join(path, ".gitignore"), "*\n"); // nobody commits state by accident
}

/** The names of a folder's environments. */
export async function findEnvironments(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).flatMap((file) => /^(.+)\.(json|journal)$/.exec(file)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** How to get past a file that cannot be used. */
export function hintFor(folder: string, name: string): string {
  if (name !== DEFAULT_ENVIRONMENT) return "Fix the file, or move it out of the folder.";
  return `Fix the file, or restore a seed (the file is kept as .bak): notifications-contract reset --data ${folder}`;
}

/** Removes what a killed process left half-written of environments. To be called once all are open: the folder is ours then. */
export async function clearLeftovers(folder: string, environments: readonly string[]): Promise<void> {
  for (const name of environments) await rm(join(folder, `${name}.json.tmp`), { force: true });
}
