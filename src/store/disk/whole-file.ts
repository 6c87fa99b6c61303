// Reads and writes of open files that end when all bytes are through, and new files that take a path only once they are whole.
import { type FileHandle, open, rename, rm } from "node:fs/promises";

/** Fills a new file beside a path. `putInPlace` gives it the path; whoever fails before that leaves nothing behind. */
export async function writeBeside(
  path: string,
  fill: (handle: FileHandle, putInPlace: () => Promise<void>) => Promise<void>,
): Promise<FileHandle> {
  const temporary = `${path}.tmp`;
  const handle = await open(temporary, "w+", 0o600);
  let isInPlace = false;
  try {
    await fill(handle, async () => {
      await rename(temporary, path);
      isInPlace = true;
    });
    return handle;
  } catch (error) {
    if (isInPlace) throw error;
    await handle.close().finally(() => rm(temporary, { force: true }));
    throw error;
  }
}

export async function truncateTo(handle: FileHandle, length: number): Promise<void> {
  await handle.truncate(length);
  await handle.datasync();
}

export async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten; // a nearly full disk takes part of it, and rejects the rest
  }
}

export async function readAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Error("the file is shorter than what was written to it");
    done += bytesRead;
  }
}
