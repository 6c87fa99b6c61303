// A disk that rejects the calls that a test chooses.
import type { FileHandle } from "node:fs/promises";
import { type Disk, replaceDisk, type SyncDisk } from "./replaced-disk.js";

// biome-ignore lint/suspicious/noExplicitAny: any function of the disk
type Call = (...args: any[]) => Promise<unknown>;

const WRITING = ["rename", "rm", "mkdir", "copyFile"] as const;
const OF_HANDLES = ["write", "writeFile", "sync", "datasync", "truncate"] as const;

let calls = 0;
let isRefused: (call: number, name: string) => boolean = () => false;

/** Rejects calls from now on by number, starting with 1, or by name. */
export function refuse(which: (call: number, name: string) => boolean): void {
  calls = 0;
  isRefused = which;
}

/** Lets all calls succeed again. Returns their number. */
export function heal(): number {
  isRefused = () => false;
  return calls;
}

/** Replaces the real disk until the end of the test file. */
export function replaceByFailingDisk(): void {
  replaceDisk(toFailingDisk, toFailingSync);
}

function toFailingDisk(actual: Disk): Partial<Disk> {
  const open: Disk["open"] = async (...args) => {
    const handle = (await counted("open", actual.open as Call)(...args)) as FileHandle;
    for (const name of OF_HANDLES)
      Object.assign(handle, { [name]: counted(name, (handle[name] as Call).bind(handle)) });
    return handle;
  };
  const own = Object.fromEntries(WRITING.map((name) => [name, counted(name, actual[name] as Call)]));
  return { ...own, open };
}

function toFailingSync(actual: SyncDisk): Partial<SyncDisk> {
  const renameSync: SyncDisk["renameSync"] = (from, to) => {
    calls += 1;
    if (isRefused(calls, "rename")) throw toError("rename");
    actual.renameSync(from, to);
  };
  return { renameSync };
}

function counted(name: string, call: Call): Call {
  return async (...args) => {
    calls += 1;
    if (!isRefused(calls, name)) return call(...args);
    // A full disk writes a part of the data.
    if (name === "write") await call(args[0], args[1], Math.ceil(args[2] / 2), args[3]);
    throw toError(name);
  };
}

function toError(name: string): Error {
  return Object.assign(new Error(`EIO: ${name} is rejected`), { code: "EIO", syscall: name });
}
