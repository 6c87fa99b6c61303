// What a file looks like from outside: it changes whenever somebody writes the file or puts another in its place.
import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";

/** A file was changed by others while it was about to be written. It was left as they made it. */
export class FileChangedError extends Error {
  override name = "FileChangedError";
}

/** The stamp of the file at a path; undefined where there is none. */
export async function fileStamp(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(ignoreMissing);
  return stats && toStamp(stats);
}

export function toStamp({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

/** Handles the rejection of a call that needs a file: undefined where the file does not exist. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
