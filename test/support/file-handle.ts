import { type FileHandle, open } from "node:fs/promises";

/** Returns the prototype of file handles, whose class is not exported, for tests to watch. */
export async function findFileHandlePrototype(): Promise<FileHandle> {
  const handle = await open(import.meta.filename, "r");
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}
