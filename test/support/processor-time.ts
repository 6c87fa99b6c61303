// Runs before each test file. Measures its processor time, including child processes, for the reporter.
import { readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** User and system time of the file in seconds. */
    processorSeconds?: number;
  }
}

const TICKS_PER_SECOND = 100; // of the kernel's statistics, on every Linux

const atStart = readProcessorSeconds();

// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern
afterAll(({}, file) => {
  file.meta.processorSeconds = readProcessorSeconds() - atStart;
});

/** Includes child processes that have ended, on Linux only. */
function readProcessorSeconds(): number {
  if (process.platform !== "linux") {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15).map(Number);
  return (utime + stime + cutime + cstime) / TICKS_PER_SECOND;
}
