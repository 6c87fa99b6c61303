// The journal of an environment on disk: appended to, each entry durable before it counts, and begun anew once the JSON
// file holds what it held. Calls come one after the other, but for what `restart` says; whoever shares a journal sees to
// that (see environment.ts).
import { type FileHandle, open } from "node:fs/promises";
import { syncFolderOf } from "./data-folder.js";
import { type FileEntry, toJournalStart } from "./journal-text.js";
import { readAll, truncateTo, writeAll, writeBeside } from "./whole-file.js";

export interface Journal {
  /** How many bytes of it are whole, durable entries: a position to begin it anew from. */
  readonly length: number;
  /** Resolves when the line is on disk. When it rejects, nothing of the line will ever be read. */
  append(line: Buffer): Promise<void>;
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
  let length = whole;
  let pendingRepair: (() => Promise<void>) | undefined = repair;

  async function finishRepair(): Promise<void> {
    await pendingRepair?.();
    pendingRepair = undefined;
  }

  async function append(line: Buffer): Promise<void> {
    await finishRepair();
    try {
      await writeAll(handle, line, length);
      await handle.datasync();
      length += line.length;
    } catch (error) {
      // Part of the line may be in the file, or all of it without being durable: nobody may find it there.
      pendingRepair = () => truncateTo(handle, length);
      await finishRepair().catch(() => {}); // tried again before the next write, which fails with it
      throw error;
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
        await putInPlace();
        const former = handle;
        handle = next;
        length += start.length - position;
        pendingRepair = () => syncFolderOf(path); // before that a power cut would bring the former one back
        await former.close();
        await finishRepair();
      });
    });
  }

  try {
    await finishRepair();
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    get length() {
      return length;
    },
    append,
    restart,
    close: () => handle.close(),
  };
}
