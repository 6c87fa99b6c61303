// A disk that records writes, and computes its contents after a power cut.
import { statSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import type { DiskCall, DiskRule } from "./faulty-disk.js";

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

/** Records all calls, which proceed. */
export const recordCalls: DiskRule = (call) => {
  if (!isRecording) return call.proceed(...call.args);
  if (call.name === "open") return open(call);
  if (call.name === "sync" || call.name === "datasync") return sync(call);
  if (call.name === "rename") recordRename(call);
  if (call.name === "rm") recordRemoval(call);
  if (call.name === "write")
    recordWrite(call, call.args[0].subarray(call.args[1], call.args[1] + call.args[2]), call.args[3]);
  if (call.name === "writeFile") recordWrite(call, call.args[0], contentsOf(call).end);
  if (call.name === "truncate") record(contentsOf(call).id, (disk) => resize(disk, contentsOf(call).id, call.args[0]));
  return call.proceed(...call.args);
};

/** Open files, with the end of what was written. */
const opened = new WeakMap<FileHandle, { id: number; end: number }>();

function contentsOf({ file }: DiskCall): { id: number; end: number } {
  return (file && opened.get(file)) ?? { id: 0, end: 0 };
}

async function open({ path, flags, args, proceed }: DiskCall): Promise<FileHandle> {
  const name = basename(path);
  const known = live.get(name);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const isNew = known === undefined && !isFolder && flags !== "r";
  const id = isNew ? files + 1 : (known ?? 0);
  if (isNew) {
    files = id;
    live.set(name, id);
    record(0, ({ entries }) => entries.set(name, id));
  } else if (flags === "w") record(id, (disk) => resize(disk, id, 0));
  const file = (await proceed(...args)) as FileHandle;
  opened.set(file, { id, end: 0 });
  return file;
}

async function sync(call: DiskCall): Promise<void> {
  const syncedSince = events.length;
  await call.proceed();
  if (isRecording) events.push({ at: events.length, id: contentsOf(call).id, syncedSince });
}

function recordRename({ args }: DiskCall): void {
  const [before = "", after = ""] = args.map((path) => basename(path));
  const id = live.get(before) ?? 0;
  live.delete(before);
  live.set(after, id);
  record(0, ({ entries }) => {
    entries.delete(before);
    entries.set(after, id);
  });
}

function recordRemoval({ path }: DiskCall): void {
  const name = basename(path);
  if (live.delete(name)) record(0, ({ entries }) => entries.delete(name));
}

function recordWrite(call: DiskCall, bytes: Buffer, position: number): void {
  const contents = contentsOf(call);
  const copy = Buffer.from(bytes);
  contents.end = position + copy.length;
  record(contents.id, (disk) => put(disk, contents.id, copy, position));
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
