// A folder of environments: created durably, locked for this process, and searched for environments.
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DEFAULT_ENVIRONMENT } from "../../../core/state/environment.js";
import { syncFolderOf } from "./durable-json-file.js";
import { FolderUnusableError, lockFolder } from "./folder-lock.js";

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

export async function findEnvironments(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).flatMap((file) => /^(.+)\.(json|journal)$/.exec(file)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** What to do about a file that cannot be used. */
export function hintFor(folder: string, name: string): string {
  if (name !== DEFAULT_ENVIRONMENT) return "Fix the file, or move it out of the folder.";
  return `Fix the file, or restore a seed (the file is kept as .bak): notifications-contract reset --data ${folder}`;
}

/** Removes files that a killed process left half-written. Call it once all environments are open: they are ours. */
export async function clearLeftovers(folder: string, environments: readonly string[]): Promise<void> {
  for (const name of environments) await rm(join(folder, `${name}.json.tmp`), { force: true });
}
