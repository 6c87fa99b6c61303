// A disk that records writes, and computes its contents after a power cut.
import type { PathLike } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { type Disk, replaceDisk, type SyncDisk } from "./replaced-disk.js";

// biome-ignore lint/suspicious/noExplicitAny: any function of the disk
type Call = (...args: any[]) => Promise<unknown>;

/**
 * A write or truncation of a file, or a change of the folder's entries. Unless synced, it may reach the disk at any
 * time, or never.
 */
interface Operation {
  at: number;
  /** The file; 0 for the folder. */
  id: number;
  apply: (disk: Contents) => void;
}

/** Names and bytes. */
interface Contents {
  entries: Map<string, number>;
  bytes: Map<number, Buffer>;
}

type Event = Operation | { at: number; id: number; syncedSince: number } | { at: number; note: () => void };

let events: Event[] = [];
let live = new Map<string, number>(); // names, as the process sees them
let files = 0;
let isRecording = false;

export function startRecording(): void {
  events = [];
  live = new Map();
  isRecording = true;
}

/** Ends the recording. Returns the number of moments at which the power may be cut. */
export function stopRecording(): number {
  isRecording = false;
  return events.length;
}

/** Lets each later `cutAt` behind this moment call `run`. */
export function note(run: () => void): void {
  if (isRecording) events.push({ at: events.length, note: run });
}

/**
 * Returns the contents of the disk if the power is cut behind a number of events.
 * @param survives returns true if an operation that was not synced has reached the disk. Those on the folder survive in
 * order.
 * @param isHonest false if fsync has no effect.
 */
export function cutAt(count: number, survives: () => boolean, isHonest = true): Map<string, Buffer> {
  const disk: Contents = { entries: new Map(), bytes: new Map() };
  let pending: Operation[] = [];
  for (const event of events.slice(0, count)) {
    if ("note" in event) event.note();
    else if ("apply" in event) pending.push(event);
    else if (isHonest) {
      const isSynced = ({ id, at }: Operation) => id === event.id && at < event.syncedSince;
      for (const operation of pending.filter(isSynced)) operation.apply(disk);
      pending = pending.filter((operation) => !isSynced(operation));
    }
  }
  let isFolderOver = false;
  for (const operation of pending) {
    const isLost: boolean = (operation.id === 0 && isFolderOver) || !survives();
    if (operation.id === 0) isFolderOver ||= isLost;
    if (!isLost) operation.apply(disk);
  }
  return new Map([...disk.entries].map(([name, id]) => [name, disk.bytes.get(id) ?? Buffer.alloc(0)]));
}

/** Replaces the real disk until the end of the test file. */
export function replaceByRecordedDisk(): void {
  replaceDisk(toRecordedDisk, toRecordedSync);
}

function toRecordedDisk(actual: Disk): Partial<Disk> {
  const open: Disk["open"] = async (path, flags = "r", mode) => {
    const name = basename(String(path));
    const isNew = flags !== "r" && isRecording;
    if (isNew && !live.has(name)) {
      files += 1;
      const id = files;
      live.set(name, id);
      record(0, ({ entries }) => entries.set(name, id));
    } else if (isNew && flags === "w") record(live.get(name) ?? 0, (disk) => resize(disk, live.get(name) ?? 0, 0));
    const handle = await actual.open(path, flags, mode);
    const isFolder = (await handle.stat()).isDirectory();
    return isRecording ? watch(handle, isFolder ? 0 : (live.get(name) ?? 0)) : handle;
  };
  const rename: Disk["rename"] = (from, to) => {
    recordRename(from, to);
    return actual.rename(from, to);
  };
  const rm: Disk["rm"] = (path, options) => {
    const name = basename(String(path));
    if (live.delete(name)) record(0, ({ entries }) => entries.delete(name));
    return actual.rm(path, options);
  };
  return { open, rename, rm };
}

function toRecordedSync(actual: SyncDisk): Partial<SyncDisk> {
  const renameSync: SyncDisk["renameSync"] = (from, to) => {
    recordRename(from, to);
    actual.renameSync(from, to);
  };
  return { renameSync };
}

function recordRename(from: PathLike, to: PathLike): void {
  const [before, after] = [basename(String(from)), basename(String(to))];
  const id = live.get(before) ?? 0;
  live.delete(before);
  live.set(after, id);
  record(0, ({ entries }) => {
    entries.delete(before);
    entries.set(after, id);
  });
}

function watch(handle: FileHandle, id: number): FileHandle {
  let end = 0; // of what was appended
  const [write, writeFile, truncate] = [handle.write, handle.writeFile, handle.truncate].map((call) =>
    (call as Call).bind(handle),
  ) as [Call, Call, Call];
  const synced =
    (sync: () => Promise<void>): (() => Promise<void>) =>
    async () => {
      const syncedSince = events.length;
      await sync.call(handle);
      if (isRecording) events.push({ at: events.length, id, syncedSince });
    };
  return Object.assign(handle, {
    write: (bytes: Buffer, offset: number, length: number, position: number) => {
      const copy = Buffer.from(bytes.subarray(offset, offset + length));
      record(id, (disk) => put(disk, id, copy, position));
      return write(bytes, offset, length, position);
    },
    writeFile: (bytes: Buffer) => {
      const [copy, position] = [Buffer.from(bytes), end];
      end += copy.length;
      record(id, (disk) => put(disk, id, copy, position));
      return writeFile(bytes);
    },
    truncate: (length: number) => {
      record(id, (disk) => resize(disk, id, length));
      return truncate(length);
    },
    sync: synced(handle.sync),
    datasync: synced(handle.datasync),
  });
}

function record(id: number, apply: Operation["apply"]): void {
  if (isRecording) events.push({ at: events.length, id, apply });
}

function put({ bytes }: Contents, id: number, piece: Buffer, position: number): void {
  const before = bytes.get(id) ?? Buffer.alloc(0);
  const after = Buffer.alloc(Math.max(before.length, position + piece.length));
  before.copy(after);
  piece.copy(after, position);
  bytes.set(id, after);
}

function resize({ bytes }: Contents, id: number, length: number): void {
  const after = Buffer.alloc(length);
  bytes.get(id)?.copy(after);
  bytes.set(id, after);
}
