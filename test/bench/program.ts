// A server under test: a process of its own on the loopback, with its log discarded; and what Linux tells about it (man 5 proc).
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT } from "../support/command.js";

export interface Program {
  /** As in `http://127.0.0.1:4010`. */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const BETWEEN_TRIES_MS = 20;

/** Runs a program that prints where it listens. */
export async function startProgram(args: readonly string[]): Promise<Program> {
  const child = spawnNode(args, "pipe");
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      output = (output + chunk).slice(-10_000); // read to the end: a full pipe would stop the program
      const listening = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (listening) resolve(listening);
    });
    child.once("close", (code) => reject(toStartError(args, code)));
  });
  return toProgram(child, url);
}

/** Runs a program that is given its port. */
export async function startProgramOnPort(toArgs: (port: number) => readonly string[]): Promise<Program> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const args = toArgs(port);
  const child = spawnNode(args, "ignore");
  while (!(await isResponding(url))) {
    if (child.exitCode !== null) throw toStartError(args, child.exitCode);
    await pause(BETWEEN_TRIES_MS);
  }
  return toProgram(child, url);
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL"); // nothing outlives the bench, however it ends
});

function spawnNode(args: readonly string[], stdout: "pipe" | "ignore"): ChildProcess {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm|NC|NODE)_/i.test(name)));
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", stdout, "ignore"] });
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

function toProgram(child: ChildProcess, url: string): Program {
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      const closed = once(child, "close");
      child.kill("SIGTERM");
      await closed;
    },
  };
}

function toStartError(args: readonly string[], code: number | null): Error {
  return new Error(`a server exited with ${code} before it listened; to see why: node ${args.join(" ")}`);
}

async function isResponding(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false; // nobody listens yet
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  server.close();
  await once(server, "close");
  return port;
}

const TICKS_PER_SECOND = 100; // of every Linux that Node runs on (sysconf _SC_CLK_TCK)

/** Resident memory in MB of 1,024 × 1,024 bytes; undefined elsewhere than on Linux. */
export async function readMemoryMb({ pid }: Program): Promise<number | undefined> {
  const [kilobytes] = await readFacts(pid, "status", /^VmRSS:\s+(\d+) kB$/m);
  return kilobytes === undefined ? undefined : kilobytes / 1024;
}

/** Processor time so far; undefined elsewhere than on Linux. */
export async function readProcessorMs({ pid }: Program): Promise<number | undefined> {
  const [user, system] = await readFacts(pid, "stat", /\) (?:\S+ ){11}(\d+) (\d+) /);
  return user === undefined || system === undefined ? undefined : ((user + system) * 1000) / TICKS_PER_SECOND;
}

async function readFacts(pid: number, file: string, pattern: RegExp): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const [, ...facts] = pattern.exec(await readFile(`/proc/${pid}/${file}`, "utf8")) ?? [];
  return facts.map(Number);
}
