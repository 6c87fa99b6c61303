// The journal of an environment on disk: appended to, each entry durable before it counts, and begun anew once the JSON
// file holds what it held. Calls come one after the other, but for what `restart` says; whoever shares a journal sees to
// that (see environment.ts).
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { syncFolderOf } from "./data-folder.js";
import { type FileEntry, toJournalStart, toLine } from "./journal-text.js";

export interface Journal {
  /** How many bytes of it are whole, durable entries: a place to begin it anew from. */
  readonly length: number;
  /** Resolves when the entry is on disk. When it rejects, nothing of the entry will ever be read. */
  append(entry: object): Promise<void>;
  /**
   * Begins anew with the file that is continued and the entries that stand from `position` on. Others may append until
   * `alone` runs its task.
   */
  restart(file: FileEntry, position: number, alone: Alone): Promise<void>;
  close(): Promise<void>;
}

/** Runs a task while nobody appends. */
type Alone = (task: () => Promise<void>) => Promise<void>;

/** Begins the journal of a file. */
export async function createJournal(path: string, file: FileEntry): Promise<Journal> {
  const start = toJournalStart(file);
  const handle = await writeBeside(path, async (beside, putInPlace) => {
    await writeAll(beside, start, 0);
    await putInPlace();
  });
  return finish(
    handle,
    toJournal(path, handle, start.length, () => syncFolderOf(path)),
  );
}

/** Opens a journal whose first `length` bytes are whole; what follows them is cut off. */
export async function openJournal(path: string, length: number): Promise<Journal> {
  const handle = await open(path, "r+");
  return finish(
    handle,
    toJournal(path, handle, length, () => cutOff(handle, length)),
  );
}

async function finish(handle: FileHandle, { journal, repaired }: ReturnType<typeof toJournal>): Promise<Journal> {
  try {
    await repaired();
    return journal;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @param unfinished has to succeed before anything is written: until then the disk does not hold what it should. */
function toJournal(path: string, opened: FileHandle, whole: number, unfinished: () => Promise<void>) {
  let handle = opened;
  let length = whole;
  let repair: (() => Promise<void>) | undefined = unfinished;

  async function repaired(): Promise<void> {
    await repair?.();
    repair = undefined;
  }

  const journal: Journal = {
    get length() {
      return length;
    },
    async append(entry) {
      await repaired();
      const line = toLine(entry);
      try {
        await writeAll(handle, line, length);
        await handle.datasync();
        length += line.length;
      } catch (error) {
        // Part of the entry may be in the file, or all of it without being durable: nobody may find it there.
        repair = () => cutOff(handle, length);
        await repaired().catch(() => {}); // tried again before the next write, which fails with it
        throw error;
      }
    },
    async restart(file, position, alone) {
      const start = toJournalStart(file);
      let copied = position;

      async function catchUp(next: FileHandle): Promise<void> {
        const entries = Buffer.alloc(length - copied);
        await readAll(handle, entries, copied);
        await writeAll(next, entries, start.length + copied - position);
        copied += entries.length;
      }

      await writeBeside(path, async (next, putInPlace) => {
        await writeAll(next, start, 0);
        await catchUp(next);
        await next.sync(); // so that little is left for the time in which others wait
        await alone(async () => {
          await catchUp(next);
          await putInPlace();
          const former = handle;
          handle = next;
          length += start.length - position;
          repair = () => syncFolderOf(path); // before that a power cut would bring the former one back
          await former.close();
          await repaired();
        });
      });
    },
    close: () => handle.close(),
  };
  return { journal, repaired };
}

/**
 * Fills a new file beside a path. `putInPlace` makes it durable, but for its entry in the folder, and gives it the path;
 * whoever fails before that leaves nothing behind.
 */
async function writeBeside(
  path: string,
  fill: (handle: FileHandle, putInPlace: () => Promise<void>) => Promise<void>,
): Promise<FileHandle> {
  const temporary = `${path}.tmp`;
  const handle = await open(temporary, "w+", 0o600);
  let isInPlace = false;
  try {
    await fill(handle, async () => {
      await handle.sync();
      await rename(temporary, path);
      isInPlace = true;
    });
    return handle;
  } catch (error) {
    if (isInPlace) throw error;
    await handle.close().finally(() => rm(temporary, { force: true }));
    throw error;
  }
}

async function cutOff(handle: FileHandle, length: number): Promise<void> {
  await handle.truncate(length);
  await handle.datasync();
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten; // a nearly full disk takes part of it, and refuses the rest
  }
}

async function readAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Error("the journal is shorter than what was written to it");
    done += bytesRead;
  }
}
