// A server under test: a process of its own on the loopback, with its log discarded; and what Linux tells about it (man
// 5 proc).
import { randomInt } from "node:crypto";
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { devNull } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { type Running, run, stop } from "../support/command.js";

export interface Program {
  /** As in `http://127.0.0.1:4010`. */
  url: string;
  pid: number;
  stop(): Promise<unknown>;
}

const BETWEEN_TRIES_MS = 20;

/** Runs a program that prints where it listens. */
export async function startProgram(args: readonly string[]): Promise<Program> {
  const running = runNode(args);
  const [url] = await running.printed(/http:\/\/127\.0\.0\.1:\d+/);
  return toProgram(running, url);
}

/** Runs a program that is given its port. */
export async function startProgramOnPort(toArgs: (port: number) => readonly string[]): Promise<Program> {
  const port = randomInt(20_000, 30_000);
  const url = `http://127.0.0.1:${port}`;
  const running = runNode(toArgs(port));
  while (!(await fetch(url).catch(() => undefined))) {
    if (running.child.exitCode !== null) throw new Error(`a server ended before it listened at ${url}`);
    await pause(BETWEEN_TRIES_MS);
  }
  return toProgram(running, url);
}

const started: Running[] = [];
process.once("exit", () => {
  for (const { child } of started) child.kill("SIGKILL"); // nothing outlives the bench, however it ends
});

function runNode(args: readonly string[]): Running {
  const running = run(process.execPath, [...args], { stderr: openSync(devNull, "w") });
  started.push(running);
  return running;
}

function toProgram(running: Running, url: string): Program {
  return { url, pid: running.child.pid ?? 0, stop: () => stop(running) };
}

const TICKS_PER_SECOND = 100; // of every Linux that Node runs on (sysconf _SC_CLK_TCK)

/** Resident memory in MB of 1,024 × 1,024 bytes; NaN elsewhere than on Linux. */
export async function readMemoryMb({ pid }: Program): Promise<number> {
  const [kilobytes = Number.NaN] = await readFacts(pid, "status", /^VmRSS:\s+(\d+) kB$/m);
  return kilobytes / 1024;
}

/** Processor time so far; NaN elsewhere than on Linux. */
export async function readProcessorMs({ pid }: Program): Promise<number> {
  const [user = Number.NaN, system = Number.NaN] = await readFacts(pid, "stat", /\) (?:\S+ ){11}(\d+) (\d+) /);
  return ((user + system) * 1000) / TICKS_PER_SECOND;
}

async function readFacts(pid: number, file: string, pattern: RegExp): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const [, ...facts] = pattern.exec(await readFile(`/proc/${pid}/${file}`, "utf8")) ?? [];
  return facts.map(Number);
}
