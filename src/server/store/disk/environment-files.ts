// An environment on disk: its JSON file through lowdb, and a *journal* of the changes that the file lacks.
//   default.json      …"preferences": []…
//   default.journal   104 12622fe5 [{"type":"preferencesSet","preferences":{"subscriberId":"ann",…}}]
// To *append* is to write a line to the journal and sync it: the change is durable. To *compact* is to rewrite the JSON
// file, with ann's preferences, and then empty the journal. After a crash between the two, the next start sets ann's
// preferences again: changes are idempotent. Callers wait for one call before the next one, as for the journal.
// data/README.md says what happens to files that another process has written.
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Low } from "lowdb";
import type { Change, MemoryData } from "../../../core/domain/state.js";
import { InvalidEnvironmentError, ignoreInvalid } from "../../../core/state/environment.js";
import {
  DurableJsonFile,
  FileChangedError,
  type FileFormat,
  fileStamp,
  ignoreMissing,
  syncFolderOf,
} from "./durable-json-file.js";
import { assertStillLocked } from "./folder-lock.js";
import { openJournal, readJournal } from "./journal.js";

export type EnvironmentFiles = Awaited<ReturnType<typeof toFiles>>;

type Contents = MemoryData;

type Format = FileFormat<Contents | null>;

/** The JSON file through lowdb, and the adapter that knows what was last read or written. */
interface Database {
  db: Low<Contents | null>;
  json: DurableJsonFile<Contents | null>;
}

// Or the length of the file: the cost of a change must not grow with the file.
const LONG_JOURNAL_BYTES = 32 * 1024 * 1024;

export function toJournalPath(path: string): string {
  return path.replace(/\.json$/, ".journal");
}

/** Opens an environment's files; undefined if there are none, or the environment was removed. */
export async function openFiles(path: string, format: Format) {
  const journal = await readJournal(toJournalPath(path));
  if (journal?.changes.some(isRemoval)) {
    await removeFiles(path);
    return undefined;
  }
  const database = createDatabase(path, format);
  const contents = await readContents(database);
  if (contents) {
    const files = await toFiles(path, database, journal?.length ?? 0);
    return { files, contents, changes: journal?.changes ?? [], tornBytes: journal?.tornBytes ?? 0 };
  }
  if (journal?.changes.length || journal?.tornBytes) {
    throw new InvalidEnvironmentError(toJournalPath(path), undefined, `it continues ${path}, which was removed`);
  }
  await rm(toJournalPath(path), { force: true }); // left by a file that was moved away
  return undefined;
}

/** Creates the files of a new environment. If it rejects, there are none, or those of another process. */
export async function createFiles(path: string, format: Format, contents: Contents): Promise<EnvironmentFiles> {
  const database = createDatabase(path, format);
  try {
    await writeContents(database, contents);
    return await toFiles(path, database, 0);
  } catch (error) {
    if (!(error instanceof FileChangedError)) await removeFiles(path).catch(() => {}); // `error` says why
    throw error;
  }
}

function createDatabase(path: string, format: Format): Database {
  const json = new DurableJsonFile(path, format);
  return { json, db: new Low(json, null) };
}

/** Null if there is no file. */
async function readContents({ db }: Database): Promise<Contents | null> {
  await db.read();
  const contents = db.data;
  db.data = null; // frees it: the state is in memory elsewhere
  return contents;
}

async function writeContents({ db }: Database, contents: Contents): Promise<void> {
  db.data = contents;
  await db.write().finally(() => (db.data = null));
}

async function toFiles(path: string, database: Database, journalLength: number) {
  const { json } = database;
  const journalPath = toJournalPath(path);
  let journal = await openJournal(journalPath, journalLength);
  let isRemoved = false;

  async function look() {
    const stamp = await fileStamp(path);
    const isJournalInPlace = journal.isInPlace();
    // Another process may still be writing the journal that it put in place.
    const journalStamp = isJournalInPlace ? "" : await fileStamp(journalPath);
    const writer = decideWriter(stamp, json.stamp, isJournalInPlace);
    return { stamp: `${stamp} ${journalStamp}`, writer, isJournalInPlace };
  }

  /** Continues with the journal at the path, or a new one. */
  async function reopenJournal(length: number): Promise<void> {
    const former = journal;
    journal = await openJournal(journalPath, length);
    await former.close();
  }

  return {
    /** The path of the JSON file. */
    path,
    /** How many bytes of the journal are not in the JSON file. */
    get pendingBytes() {
      return journal.length + Number(journal.hasTail);
    },
    /** True if the journal must be compacted even while changes keep coming. */
    get isJournalLong() {
      return journal.length > Math.max(LONG_JOURNAL_BYTES, json.length);
    },
    look,
    /** See `ChangeLog`. */
    async append(changes: readonly Change[]): Promise<void> {
      if (isRemoved || !existsSync(path)) throw new FileChangedError(`${path} was removed`);
      await journal.append(changes);
      isRemoved = changes.some(isRemoval);
    },
    /** Writes the contents, which include all appended changes, to the JSON file, and then empties the journal. */
    async compact(contents: Contents): Promise<void> {
      const { isJournalInPlace, writer } = await look();
      if (writer === "none") assertStillLocked(dirname(path));
      await writeContents(database, contents);
      if (isJournalInPlace) return journal.empty();
      // Another process's journal does not belong to these contents.
      await rename(journalPath, `${journalPath}.bak`).catch(ignoreMissing);
      return reopenJournal(0);
    },
    /**
     * Reads a JSON file that another process has written, and the journal's changes on top of it. The key stays the
     * same.
     * @throws InvalidEnvironmentError; then nothing has changed.
     */
    async reload(keyHash: string | undefined): Promise<{ contents: Contents; changes: readonly Change[] }> {
      const isJournalInPlace = journal.isInPlace();
      if (!isJournalInPlace) assertStillLocked(dirname(path));
      else await journal.cutTail(); // rejected changes must not be read
      const text = await readJournal(journalPath);
      if (text?.changes.some(isRemoval))
        throw new InvalidEnvironmentError(journalPath, undefined, "it removes the file");
      const { stamp, length } = json;
      try {
        const contents = await readEdited(path, database, keyHash);
        if (!isJournalInPlace) await reopenJournal(text?.length ?? 0);
        return { contents, changes: text?.changes ?? [] };
      } catch (error) {
        Object.assign(json, { stamp, length }); // the file still counts as edited
        throw error;
      }
    },
    close: () => journal.close(),
  };
}

/**
 * Decides who has written the files since they were last read or written here:
 *   JSON file             journal             writer
 *   as it was             as it was           this process
 *   as it was             missing or another  none
 *   missing               any                 none
 *   another or edited     any                 another process
 */
function decideWriter(stamp: string | undefined, last: string | undefined, isJournalInPlace: boolean) {
  if (stamp === undefined) return "none";
  if (stamp !== last) return "another process";
  return isJournalInPlace ? "this process" : "none";
}

async function readEdited(path: string, database: Database, keyHash: string | undefined): Promise<Contents> {
  const contents = await readContents(database);
  if (!contents) throw new FileChangedError(`${path} was removed`);
  if (contents.keyHash === keyHash) return contents;
  const reason = 'its member "keyHash" is not that of the running server: start it again to use another key';
  throw new InvalidEnvironmentError(path, undefined, reason);
}

/** Removes the rest of an environment's files if its removal is in the journal. */
export async function finishRemoval(path: string): Promise<void> {
  const journal = await readJournal(toJournalPath(path)).catch(ignoreInvalid);
  if (journal?.changes.some(isRemoval)) await removeFiles(path);
}

/** Removes the journal last, since it records the removal. */
async function removeFiles(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolderOf(path);
  await rm(toJournalPath(path), { force: true });
}

function isRemoval({ type }: Change): boolean {
  return type === "removed";
}
