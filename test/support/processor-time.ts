// Runs before each test file: notes for the reporter how much processor time the file takes, its child processes included.
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

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern that no fixture is needed
afterAll(({}, file) => {
  file.meta.processorSeconds = readProcessorSeconds() - atStart;
});

/** Processor time of this process and of its children that have ended. Elsewhere than on Linux, of this process alone. */
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
