// The journal of an environment on disk: appended to, each entry durable before it counts, and begun anew once the JSON
// file holds what it held. Calls come one after the other, but for what `restart` says; whoever shares a journal sees to
// that (see environment.ts).
import { type BigIntStats, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { UncertainAppendError } from "../environment.js";
import { type FileEntry, toJournalStart } from "./journal-text.js";
import { readAll, syncFolderOf, truncateTo, writeAll, writeBeside } from "./whole-file.js";

export interface Journal {
  /** How many bytes of it are whole, durable entries: a position to begin it anew from. */
  readonly length: number;
  /**
   * Resolves when the line is on disk, at the journal's path. When it rejects, nothing of the line will ever be read, unless it
   * rejects with an UncertainAppendError.
   */
  append(line: Buffer): Promise<void>;
  /** @throws JournalLostError */
  assertInPlace(): void;
  /**
   * Begins anew with the file that is continued and the entries from `position` on. Others may append until `exclusive`
   * runs its task.
   */
  restart(file: FileEntry, position: number, exclusive: RunExclusive): Promise<void>;
  close(): Promise<void>;
}

/** Others have removed or replaced the journal: what would be appended would never be read. */
export class JournalLostError extends Error {
  constructor(path: string) {
    super(`${path} was removed or replaced: updates are rejected until the server is started again.`);
    this.name = "JournalLostError";
  }
}

/** Runs a task while nobody appends. */
export type RunExclusive = <T>(task: () => Promise<T>) => Promise<T>;

/** Begins the journal of a file. */
export async function createJournal(path: string, file: FileEntry): Promise<Journal> {
  const start = toJournalStart(file);
  await writeBeside(path, async (next, putInPlace) => {
    await writeAll(next, start, 0);
    await next.sync();
    await next.close();
    await putInPlace();
  });
  await syncFolderOf(path);
  return openJournal(path, start.length);
}

/** Opens a journal whose first `whole` bytes are whole; what follows them is cut off. */
export async function openJournal(path: string, whole: number): Promise<Journal> {
  let handle = await open(path, "r+");
  let own: BigIntStats;
  let length = whole;
  /** Has to succeed before anything is written: until then the disk does not hold what it should. */
  let pendingRepair: (() => Promise<void>) | undefined = () => truncateTo(handle, length);
  try {
    await finishRepair();
    own = await handle.stat({ bigint: true });
  } catch (error) {
    await handle.close();
    throw error;
  }

  async function finishRepair(): Promise<void> {
    await pendingRepair?.();
    pendingRepair = undefined;
  }

  /** Synchronous: the thread pool would take a fifth of an update, and the system has in memory what was just written. */
  function assertInPlace(size?: number): void {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    const isOwn = stats?.dev === own.dev && stats.ino === own.ino;
    if (!isOwn || (size !== undefined && Number(stats.size) !== size)) throw new JournalLostError(path);
  }

  async function append(line: Buffer): Promise<void> {
    await finishRepair();
    assertInPlace(length); // one that was overwritten with a shorter one would get a gap
    try {
      await writeAll(handle, line, length);
      await handle.datasync();
      assertInPlace(length + line.length);
      length += line.length;
    } catch (cause) {
      // Part of the line may be in the file, or all of it without being durable: nobody may find it there.
      pendingRepair = () => truncateTo(handle, length);
      await finishRepair().catch(() => {
        throw new UncertainAppendError((cause as Error).message, { cause }); // tried again before the next write
      });
      throw cause;
    }
  }

  async function restart(file: FileEntry, position: number, exclusive: RunExclusive): Promise<void> {
    const start = toJournalStart(file);
    let copied = position;

    async function copyEntries(next: FileHandle): Promise<void> {
      const entries = Buffer.alloc(length - copied);
      await readAll(handle, entries, copied);
      await writeAll(next, entries, start.length + copied - position);
      await next.sync();
      copied += entries.length;
    }

    await writeBeside(path, async (next, putInPlace) => {
      await writeAll(next, start, 0);
      await copyEntries(next); // so that little is left for the time in which others wait
      await exclusive(async () => {
        if (copied < length) await copyEntries(next);
        const stats = await next.stat({ bigint: true });
        assertInPlace();
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

  return {
    get length() {
      return length;
    },
    append,
    assertInPlace: () => assertInPlace(),
    restart,
    close: () => handle.close(),
  };
}
