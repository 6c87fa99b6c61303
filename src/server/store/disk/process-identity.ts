// Whether the process that wrote an identity still runs, where its pid cannot tell: the first process of every
// container has pid 1, and pids are given again. An identity on Linux:
//   {"boot":"a18edfd0-…","namespace":"pid:[4026531836]","start":"338933"}
// Elsewhere it is empty, and the pid has to do.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

interface Identity {
  /** The id of this start of the machine. */
  boot: string;
  /** The namespace in which the pid counts: a container usually has its own. */
  namespace: string;
  /** When the process started, in clock ticks since the machine did. */
  start: string;
}

/** The identity of a process that is visible here, as a text; empty where the system does not tell. */
export function writeIdentity(pid: number | "self" = "self"): string {
  const identity = readIdentity(pid);
  return identity ? JSON.stringify(identity) : "";
}

/** @returns `unknown` for a process that cannot be seen from here, as in another container. */
export function findProcess(pid: number, text: string): "runs" | "ended" | "unknown" {
  const own = readIdentity("self");
  const wanted = parseIdentity(text);
  // A lock of this process is known without it.
  if (!own || !wanted) return pid !== process.pid && isRunning(pid) ? "runs" : "ended";
  if (wanted.boot !== own.boot) return "unknown"; // an earlier start of this machine, or another machine
  if (wanted.namespace === own.namespace) return readIdentity(pid)?.start === wanted.start ? "runs" : "ended";
  if (own.namespace !== INITIAL_NAMESPACE) return "unknown";
  return findInContainers(pid, wanted);
}

/** Sees every process of the machine, also those of containers. */
const INITIAL_NAMESPACE = "pid:[4026531836]";

function findInContainers(pid: number, { start }: Identity): "runs" | "ended" | "unknown" {
  if (!readIdentity(1)) return "unknown"; // /proc hides the processes of other users
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const owner = pids.find((seen) => pidsOf(seen).at(-1) === String(pid) && readIdentity(Number(seen))?.start === start);
  return owner === undefined ? "ended" : "runs";
}

/** The pids of a process: here, and in each namespace within this one. */
function pidsOf(pid: string): string[] {
  try {
    return /^NSpid:\s+(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]?.split(/\s+/) ?? [];
  } catch {
    return []; // it has just ended
  }
}

function readIdentity(pid: number | "self"): Identity | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // A program's name may have parentheses.
    const [, state = "", start = ""] = /^.*\) (\S)(?: \S+){18} (\d+)/s.exec(stat) ?? [];
    if (ENDED.test(state)) return undefined;
    return { boot, namespace: readlinkSync("/proc/self/ns/pid"), start };
  } catch {
    return undefined; // no such process, or no /proc
  }
}

/** A zombie has ended, although it has an entry until its parent has asked for its exit code. */
const ENDED = /[ZX]/;

function parseIdentity(text: string): Identity | undefined {
  try {
    const { boot, namespace, start } = JSON.parse(text);
    return { boot, namespace, start };
  } catch {
    return undefined; // empty: of a system without /proc
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // alive, but another user's
  }
}
