import { type FileHandle, open } from "node:fs/promises";

/** What all file handles inherit from, for a test to watch: their class is not exported. */
export async function findFileHandlePrototype(): Promise<FileHandle> {
  const handle = await open(import.meta.filename, "r");
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}
