// The journal of an environment: a text file of the changes that the JSON file lacks, one line per commit:
//   51 98f60a42 [{"type":"subscriberRemoved","subscriberId":"ann"}]
// The line has the length of the JSON in bytes, its CRC-32, and the JSON. Callers wait for one call before the next one
// (core/state/environment.ts).
import { type BigIntStats, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { readRegularFile } from "../../contract/regular-file.js";
import { type Change, type EnvironmentData, toMemory, toPlain } from "../../core/domain/state.js";
import { InvalidEnvironmentError, UncertainAppendError } from "../../core/state/environment.js";
import { FileChangedError, ignoreMissing, syncData, syncFolderOf } from "./durable-json-file.js";

export interface JournalText {
  /** The changes of all commits, oldest first. */
  changes: readonly Change[];
  /** Bytes in whole lines. */
  length: number;
  /** Bytes after them, of a write that a crash cut short before it was acknowledged. */
  tornBytes: number;
}

export type Journal = ReturnType<typeof createJournal>;

/** Opens or creates a journal, and cuts it off after `length` bytes, which are whole lines. */
export async function openJournal(path: string, length: number): Promise<Journal> {
  const handle = await open(path, "a+", 0o600);
  try {
    const { size } = await handle.stat();
    if (size > length) await handle.truncate(length);
    if (size > 0) await syncData(handle); // always, since a killed process may not have done so
    if (length === 0) await syncFolderOf(path); // for a new file
    return createJournal(path, handle, await handle.stat({ bigint: true }));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function createJournal(path: string, handle: FileHandle, { dev, ino, size }: BigIntStats) {
  let length = Number(size); // of the whole lines, which are durable
  let hasTail = false; // true while bytes that are no durable line may follow them

  /** True if the file is still the one written here. Synchronous: the thread pool takes a fifth of an update. */
  function isInPlace(): boolean {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.dev === dev && stats.ino === ino && (hasTail || Number(stats.size) === length);
  }

  /** A journal that was removed or replaced is never read again. */
  function assertInPlace(): void {
    if (isInPlace()) return;
    throw new FileChangedError(
      `${path} was removed or replaced while the server runs, which rejects updates and writes nothing. ` +
        "Restart the server to read the files as they are.",
    );
  }

  async function cutTail(): Promise<void> {
    if (!hasTail) return;
    assertInPlace();
    await handle.truncate(length);
    await syncData(handle);
    hasTail = false;
  }

  /** Resolves when the changes are on disk. A rejection means never, except for an UncertainAppendError. */
  async function append(changes: readonly Change[]): Promise<void> {
    const line = formatLine(changes);
    await cutTail();
    assertInPlace();
    hasTail = true;
    try {
      await writeAll(handle, line, length);
      await syncData(handle);
    } catch (cause) {
      await cutTail().catch(() => {
        throw new UncertainAppendError((cause as Error).message, { cause }); // the next write cuts it off
      });
      throw cause;
    }
    hasTail = false;
    length += line.length;
    if (isInPlace()) return;
    length -= line.length;
    throw new UncertainAppendError(`${path} was removed or replaced`); // perhaps by a copy with the line
  }

  return {
    /** Bytes in whole, durable lines. */
    get length() {
      return length;
    },
    get isEmpty() {
      return length === 0 && !hasTail;
    },
    append,
    assertInPlace,
    /** Removes all lines. If it rejects, they may come back. */
    async empty() {
      assertInPlace();
      length = 0;
      hasTail = true;
      await cutTail();
    },
    close: () => handle.close(),
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten; // a nearly full disk writes a part
  }
}

/**
 * Reads a journal; undefined if there is none. A torn last line was never acknowledged.
 * @throws InvalidEnvironmentError for any other damaged line, and for a file that is no journal.
 */
export async function readJournal(path: string): Promise<JournalText | undefined> {
  const bytes = await readRegularFile(path).catch(ignoreMissing);
  if (!bytes) return undefined;
  const changes: Change[] = [];
  let length = 0;
  for (let number = 1; length < bytes.length; number += 1) {
    const line = readLine(bytes, length);
    if (line === undefined) {
      if (isTorn(bytes.subarray(length))) break;
      throw new InvalidEnvironmentError(path, number, "damaged, or not a line of a journal");
    }
    for (const change of line.changes) changes.push(readChange(change));
    length = line.end;
  }
  return { changes, length, tornBytes: bytes.length - length };
}

const LINE_FEED = 0x0a;
const HEAD = /^(\d{1,10}) ([0-9a-f]{8}) /;
const START_OF_LINE = /^(\d{0,10}|\d{1,10} [0-9a-f]{0,8}|\d{1,10} [0-9a-f]{8} (\[.*)?)\0*$/s;
const MAX_HEAD = 20;

type JournalChange = Exclude<Change, { type: "replaced" }> | { type: "replaced"; data: EnvironmentData };

function formatLine(changes: readonly Change[]): Buffer {
  const plain: JournalChange[] = changes.map((change) =>
    change.type === "replaced" ? { type: "replaced", data: toPlain(change.data) } : change,
  );
  const json = Buffer.from(JSON.stringify(plain));
  return Buffer.concat([Buffer.from(`${json.length} ${checksumOf(json)} `), json, Buffer.of(LINE_FEED)]);
}

function readChange(change: JournalChange): Change {
  return change.type === "replaced" ? { type: "replaced", data: toMemory(change.data) } : change;
}

/** The line that starts at a position; undefined if it is not whole. */
function readLine(bytes: Buffer, start: number): { changes: readonly JournalChange[]; end: number } | undefined {
  const json = findJson(bytes, start);
  if (!json || bytes[json.end] !== LINE_FEED) return undefined;
  return { changes: JSON.parse(bytes.toString("utf8", json.start, json.end)), end: json.end + 1 };
}

/** Finds the JSON of a line, if it is complete. */
function findJson(bytes: Buffer, start: number): { start: number; end: number } | undefined {
  const [head = "", length, checksum] = HEAD.exec(bytes.toString("latin1", start, start + MAX_HEAD)) ?? [];
  const [from, end] = [start + head.length, start + head.length + Number(length)];
  return head !== "" && checksumOf(bytes.subarray(from, end)) === checksum ? { start: from, end } : undefined;
}

/**
 * True if the write of a line was cut short: only its start is there, or zeros stand in the place of blocks that were
 * not written. A line with its end and without zeros was whole once, and is damaged.
 */
function isTorn(bytes: Buffer): boolean {
  if (!START_OF_LINE.test(bytes.toString("latin1", 0, MAX_HEAD))) return false;
  const lineFeed = bytes.indexOf(LINE_FEED);
  if (lineFeed !== -1) return lineFeed === bytes.length - 1 && bytes.includes(0);
  const behindJson = bytes.subarray(findJson(bytes, 0)?.end ?? bytes.length);
  return behindJson.every((byte) => byte === 0);
}

function checksumOf(json: Buffer): string {
  return crc32(json).toString(16).padStart(8, "0");
}
