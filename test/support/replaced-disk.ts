// Replaces functions of Node's file system, also for modules that have imported them already.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterAll } from "vitest";

export type Disk = typeof fs.promises;
export type SyncDisk = typeof fs;

/** Replaces functions of `node:fs/promises` and `node:fs` until the end of the test file. */
export function replaceDisk(
  toDisk: (actual: Disk) => Partial<Disk>,
  toSyncDisk: (actual: SyncDisk) => Partial<SyncDisk>,
): void {
  const [disk, syncDisk] = [{ ...fs.promises }, { ...fs }];
  const replaced = [toDisk(disk), toSyncDisk(syncDisk)] as const;
  put(...replaced);
  afterAll(() => put(pick(disk, replaced[0]), pick(syncDisk, replaced[1])));
}

function put(disk: Partial<Disk>, syncDisk: Partial<SyncDisk>): void {
  Object.assign(fs.promises, disk);
  Object.assign(fs, syncDisk);
  syncBuiltinESMExports();
}

function pick<T extends object>(all: T, names: object): Partial<T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in names)) as Partial<T>;
}
