// Temporary folders.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Removes the folder when the test ends, or with `afterAll` when the file ends. */
export async function createTemporaryFolder(
  atEnd: (remove: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "notifications-contract-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
