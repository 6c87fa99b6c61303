// The journal of an environment on disk: appended to, each entry durable before it counts, and begun anew once the JSON
// file holds what it held. Calls come one after the other, but for what `restart` says; whoever shares a journal sees to
// that (see environment.ts).
import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { UncertainAppendError } from "../environment.js";
import { syncFolderOf } from "./data-folder.js";
import { FileChangedError } from "./file-stamp.js";
import { type FileEntry, toJournalStart } from "./journal-text.js";
import { readAll, truncateTo, writeAll, writeBeside } from "./whole-file.js";

export interface Journal {
  /** How many bytes of it are whole, durable entries: a position to begin it anew from. */
  readonly length: number;
  /**
   * Resolves when the line is on disk, at the journal's path. When it rejects, nothing of the line will ever be read, unless it
   * rejects with an UncertainAppendError.
   */
  append(line: Buffer): Promise<void>;
  /** Whether the file at the journal's path is still the one that is written here, as it was written. */
  isInPlace(): boolean;
  /**
   * Begins anew with the file that is continued and the entries from `position` on. Others may append until `exclusive`
   * runs its task.
   */
  restart(file: FileEntry, position: number, exclusive: RunExclusive): Promise<void>;
  close(): Promise<void>;
}

/** Runs a task while nobody appends. */
export type RunExclusive = <T>(task: () => Promise<T>) => Promise<T>;

/** Begins the journal of a file. */
export async function createJournal(path: string, file: FileEntry): Promise<Journal> {
  const start = toJournalStart(file);
  const handle = await writeBeside(path, async (next, putInPlace) => {
    await writeAll(next, start, 0);
    await next.sync();
    await putInPlace();
  });
  return startJournal(path, handle, start.length, () => syncFolderOf(path));
}

/** Opens a journal whose first `length` bytes are whole; what follows them is cut off. */
export async function openJournal(path: string, length: number): Promise<Journal> {
  const handle = await open(path, "r+");
  return startJournal(path, handle, length, () => truncateTo(handle, length));
}

/** @param repair has to succeed before anything is written: until then the disk does not hold what it should. */
async function startJournal(
  path: string,
  opened: FileHandle,
  whole: number,
  repair: () => Promise<void>,
): Promise<Journal> {
  let handle = opened;
  let own = await handle.stat({ bigint: true }).catch(closeFirst(handle));
  let length = whole;
  let pendingRepair: (() => Promise<void>) | undefined = repair;
  let isAppending = false;

  async function finishRepair(): Promise<void> {
    await pendingRepair?.();
    pendingRepair = undefined;
  }

  /** Synchronous: the thread pool would take a fifth of an update, and the system has in memory what was just written. */
  function isInPlace(): boolean {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats?.dev !== own.dev || stats.ino !== own.ino) return false;
    // While something is appended or to be cut off, its size says nothing.
    return Number(stats.size) === length || isAppending || pendingRepair !== undefined;
  }

  /** What is appended to a journal that others have removed or replaced would never be read. */
  function assertInPlace(): void {
    if (!isInPlace()) throw new FileChangedError(`${path} was removed or replaced`);
  }

  async function append(line: Buffer): Promise<void> {
    await finishRepair();
    assertInPlace(); // one that was overwritten with a shorter one would get a gap
    isAppending = true;
    try {
      await writeAll(handle, line, length);
      await handle.datasync();
      assertInPlace();
      length += line.length;
    } catch (cause) {
      // Part of the line may be in the file, or all of it without being durable: nobody may find it there.
      pendingRepair = () => truncateTo(handle, length);
      await finishRepair().catch(() => {
        throw new UncertainAppendError((cause as Error).message, { cause }); // tried again before the next write
      });
      throw cause;
    } finally {
      isAppending = false;
    }
  }

  async function restart(file: FileEntry, position: number, exclusive: RunExclusive): Promise<void> {
    const start = toJournalStart(file);
    let copied = position;

    async function copyEntries(next: FileHandle): Promise<void> {
      const entries = Buffer.alloc(length - copied);
      await readAll(handle, entries, copied);
      await writeAll(next, entries, start.length + copied - position);
      copied += entries.length;
    }

    await writeBeside(path, async (next, putInPlace) => {
      await writeAll(next, start, 0);
      await copyEntries(next);
      await next.sync(); // so that little is left for the time in which others wait
      await exclusive(async () => {
        await copyEntries(next);
        await next.sync();
        const stats = await next.stat({ bigint: true });
        await putInPlace();
        const previous = handle;
        handle = next;
        own = stats;
        length += start.length - position;
        pendingRepair = () => syncFolderOf(path); // before that a power cut would bring the former one back
        await previous.close();
        await finishRepair();
      });
    });
  }

  await finishRepair().catch(closeFirst(handle));
  return {
    get length() {
      return length;
    },
    append,
    isInPlace,
    restart,
    close: () => handle.close(),
  };
}

/** Handles a rejection: what was opened is closed before the error goes on. */
export function closeFirst(resource: { close(): Promise<void> }): (error: unknown) => Promise<never> {
  return async (error) => {
    await resource.close();
    throw error;
  };
}
