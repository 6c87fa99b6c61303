// What Linux tells about another process (man 5 proc). Elsewhere it is not known.
import { readFile } from "node:fs/promises";
import type { Program } from "./program.js";

const TICKS_PER_SECOND = 100; // of every Linux that Node runs on (sysconf _SC_CLK_TCK)

/** What it has of its memory in RAM, in MB of 1,024 × 1,024 bytes. */
export async function readMemoryMb(server: Program): Promise<number | undefined> {
  const [kilobytes] = await readFacts(server, "status", /^VmRSS:\s+(\d+) kB$/m);
  return kilobytes === undefined ? undefined : kilobytes / 1024;
}

/** How long it has kept a processor busy; without its children. */
export async function readProcessorMs(server: Program): Promise<number | undefined> {
  const [user, system] = await readFacts(server, "stat", /\) (?:\S+ ){11}(\d+) (\d+) /);
  return user === undefined || system === undefined ? undefined : ((user + system) * 1000) / TICKS_PER_SECOND;
}

async function readFacts({ pid }: Program, file: string, pattern: RegExp): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const [, ...found] = pattern.exec(await readFile(`/proc/${pid}/${file}`, "utf8")) ?? [];
  return found.map(Number);
}
