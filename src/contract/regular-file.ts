// Files that end. Another process may have put something else in the place of a contract, a seed or an environment.
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";

export class NotRegularFileError extends Error {}

/** A FIFO or a device might never end. A missing file and a folder fail when read. @throws NotRegularFileError */
export function assertRegularFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile() && !stats.isDirectory()) throw new NotRegularFileError(`${path} is not a regular file`);
}

/** @throws NotRegularFileError */
export async function readRegularFile(path: string): Promise<Buffer> {
  assertRegularFile(path);
  return readFile(path);
}
