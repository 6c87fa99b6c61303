// A disk with a slow fsync: compiles a library that delays it, and preloads it into a program.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
static int slow(const char *name, int file) {
  usleep(1000 * atoi(getenv("FSYNC_MS")));
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}
int fsync(int file) { return slow("fsync", file); }
int fdatasync(int file) { return slow("fdatasync", file); }
`;

/** Returns the environment variables that delay a program's fsync; none, with a message, if there is no C compiler. */
export function toSlowDisk(fsyncMs: number): Record<string, string> {
  if (fsyncMs === 0) return {};
  const folder = mkdtempSync(join(tmpdir(), "notifications-contract-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  const library = join(folder, "slow.so");
  writeFileSync(join(folder, "slow.c"), SOURCE);
  try {
    execFileSync("cc", ["-shared", "-fPIC", "-o", library, join(folder, "slow.c"), "-ldl"], { stdio: "ignore" });
  } catch {
    process.stderr.write("There is no C compiler: fsync takes as long as it does here.\n");
    return {};
  }
  return { LD_PRELOAD: library, FSYNC_MS: String(fsyncMs) };
}
