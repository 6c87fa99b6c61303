// Node's disk under a rule, which decides each call: it lets the call proceed, rejects it, or does something before.
import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { afterAll } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: any function of the disk
type Call = (...args: any[]) => any;

export interface DiskCall {
  name: (typeof OF_DISK)[number] | (typeof OF_FILES)[number];
  /** The first argument, or the path under which the file was opened. */
  path: string;
  /** Of the file. */
  flags: string;
  /** The open file; undefined for a call of the disk itself. */
  file: FileHandle | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: those of any function of the disk
  args: any[];
  /** Makes the call, perhaps with other arguments. */
  proceed: Call;
}

/** Gives the result of a call, or throws. A rename may be synchronous, so only rules of other calls may be async. */
export type DiskRule = (call: DiskCall) => unknown;

const OF_DISK = ["open", "rename", "rm", "mkdir", "copyFile"] as const;
const OF_FILES = ["write", "writeFile", "sync", "datasync", "truncate", "close"] as const;

const healthy: DiskRule = ({ proceed, args }) => proceed(...args);

/** Replaces the real disk until the end of the test file, also for modules that have imported it already. */
export class FaultyDisk {
  rule: DiskRule;
  #calls = 0;

  constructor(rule = healthy) {
    this.rule = rule;
    const actual = { ...fs.promises };
    const { renameSync } = fs;
    const decide = (name: DiskCall["name"], proceed: Call, args: unknown[]) =>
      this.rule({ name, path: String(args[0]), flags: String(args[1] ?? "r"), file: undefined, args, proceed });
    for (const name of OF_DISK) {
      Object.assign(fs.promises, { [name]: async (...args: unknown[]) => decide(name, actual[name], args) });
    }
    const open = async (...args: unknown[]) =>
      this.#watch(args, (await decide("open", actual.open, args)) as FileHandle);
    Object.assign(fs.promises, { open });
    Object.assign(fs, { renameSync: (...args: unknown[]) => decide("rename", renameSync, args) });
    syncBuiltinESMExports();
    afterAll(() => {
      Object.assign(fs.promises, actual);
      Object.assign(fs, { renameSync });
      syncBuiltinESMExports();
    });
  }

  /** Rejects calls from now on by number, starting with 1, or by name. */
  refuse(which: (call: number, name: string) => boolean): void {
    this.#calls = 0;
    this.rule = (call) => {
      if (call.name === "close") return healthy(call);
      this.#calls += 1;
      if (!which(this.#calls, call.name)) return healthy(call);
      const error = Object.assign(new Error(`EIO: ${call.name} is rejected`), { code: "EIO", syscall: call.name });
      if (call.name !== "write") throw error;
      const [bytes, offset, length, position] = call.args; // a full disk writes a part of the data
      return call.proceed(bytes, offset, Math.ceil(length / 2), position).then(() => Promise.reject(error));
    };
  }

  /** Acts once, when a function of a file is called the next time. */
  before(name: DiskCall["name"], act: () => unknown): void {
    this.rule = (call) => {
      if (call.name !== name) return healthy(call);
      this.heal();
      return (async () => {
        await act();
        return healthy(call);
      })();
    };
  }

  /** Lets all calls succeed again. Returns the number of those since `refuse`. */
  heal(): number {
    this.rule = healthy;
    return this.#calls;
  }

  #watch([path, flags = "r"]: unknown[], file: FileHandle): FileHandle {
    for (const name of OF_FILES) {
      const proceed = (file[name] as Call).bind(file);
      const call = { name, path: String(path), flags: String(flags), file, proceed };
      Object.assign(file, { [name]: async (...args: unknown[]) => this.rule({ ...call, args }) });
    }
    return file;
  }
}
