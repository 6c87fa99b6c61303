// A disk of a megabyte that a test can fill, if this user may mount one.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createTemporaryFolder } from "./temporary-folder.js";

/** Returns false, with a message, if no small disk can be mounted; tests that need one must be skipped. */
export function canMountSmallDisk(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "notifications-contract-"));
  try {
    mount(folder);
    unmount(folder);
    return true;
  } catch (error) {
    const message = "No small disk can be mounted: tests of a full disk are skipped.";
    if (process.env.CI) throw new Error(message, { cause: error }); // skipped tests would look like passed ones
    process.stderr.write(`${message}\n`);
    return false;
  } finally {
    rmdirSync(folder);
  }
}

export async function mountSmallDisk(): Promise<string> {
  const folder = await createTemporaryFolder();
  mount(folder);
  onTestFinished(() => unmount(folder));
  return folder;
}

/** Fills the disk. Returns the function that frees the space. */
export async function fillDisk(disk: string): Promise<() => Promise<void>> {
  const path = join(disk, "ballast");
  const file = await open(path, "w");
  for (const size of [65_536, 4096, 1]) await writeUntilFull(() => file.write(Buffer.alloc(size)));
  await file.close();
  return () => rm(path);
}

async function writeUntilFull(write: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) await write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

function mount(folder: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
}

function unmount(folder: string): void {
  execFileSync("umount", [folder], { stdio: "ignore" });
}
