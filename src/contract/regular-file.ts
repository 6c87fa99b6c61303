// Reads regular files only: a read of a FIFO or a device may never end.
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Says nothing of a path where nothing is, nor of a folder, which no read hangs on. @throws NotRegularFileError */
export function assertRegularFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile() && !stats.isDirectory()) throw new NotRegularFileError(`${path} is no regular file`);
}

export async function readRegularFile(path: string): Promise<Buffer> {
  assertRegularFile(path);
  return readFile(path);
}

export class NotRegularFileError extends Error {}
