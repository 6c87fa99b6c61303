// A folder of a test's own, or of its file's.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Gone when the test ends, or with `afterAll` the file. */
export async function createTemporaryFolder(
  atEnd: (remove: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "notifications-contract-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
