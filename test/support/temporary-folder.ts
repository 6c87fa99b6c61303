// A folder of a test's own, gone when the test is.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "notifications-contract-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
