// An environment on disk: its JSON file through lowdb, and beside it the *journal* of what the file does not hold yet.
//   default.json      …"preferences": []…
//   default.journal   104 12622fe5 [{"type":"preferencesSet","preferences":{"subscriberId":"ann",…}}]
// To *append* is to write a line to the journal, and to sync it: the change is durable. To *compact* is to write the JSON file anew,
// with ann's preferences, and then to empty the journal. A crash between the two leaves both, and the next start sets ann's preferences
// once more: a change that is made twice is as if made once. Calls come one after the other, as those of the journal do.
// data/README.md says what is made of files that others have written.
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Low } from "lowdb";
import type { Change, EnvironmentData, SerializedNotification } from "../../../core/domain/state.js";
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

type Contents = EnvironmentData<SerializedNotification>;

/** The contents of the two files. */
interface StoredContents {
  contents: Contents;
  /** Changes that the journal adds to the contents, oldest first. */
  changes: readonly Change[];
}

type Format = FileFormat<Contents | null>;
type JsonFile = DurableJsonFile<Contents | null>;

const LONG_JOURNAL_BYTES = 32 * 1024 * 1024; // of a longer file, as much as that: so a change costs the same whatever is stored

export function toJournalPath(path: string): string {
  return path.replace(/\.json$/, ".journal");
}

/** Opens an environment's files; undefined when there are none, or the environment was removed. */
export async function openFiles(path: string, format: Format) {
  const journal = await readJournal(toJournalPath(path));
  if (journal?.changes.some(isRemoval)) {
    await removeFiles(path);
    return undefined;
  }
  const json: JsonFile = new DurableJsonFile(path, format);
  const contents = await json.read();
  if (contents) {
    const files = await toFiles(path, json, journal?.length ?? 0);
    return { files, contents, changes: journal?.changes ?? [], tornBytes: journal?.tornBytes ?? 0 };
  }
  if (journal?.changes.length || journal?.tornBytes) {
    throw new InvalidEnvironmentError(toJournalPath(path), undefined, `it continues ${path}, which is gone`);
  }
  await rm(toJournalPath(path), { force: true }); // of a file that was taken away
  return undefined;
}

/** Makes the files of a new environment. When it rejects, there are none, or those that others have put there just then. */
export async function createFiles(path: string, format: Format, contents: Contents): Promise<EnvironmentFiles> {
  const json = new DurableJsonFile(path, format);
  try {
    await json.write(contents);
    return await toFiles(path, json, 0);
  } catch (error) {
    if (!(error instanceof FileChangedError)) await removeFiles(path).catch(() => {}); // the error says why
    throw error;
  }
}

async function toFiles(path: string, json: JsonFile, journalLength: number) {
  const journalPath = toJournalPath(path);
  const db = new Low(json, null);
  let journal = await openJournal(journalPath, journalLength);
  let isRemoved = false;

  async function look() {
    const stamp = await fileStamp(path);
    const isJournalInPlace = journal.isInPlace();
    // A journal that others put in place may not be whole yet.
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
    /** How many bytes of the journal the JSON file lacks. */
    get pendingBytes() {
      return journal.length + Number(journal.hasTail);
    },
    /** True if the journal is so long that it is to be compacted although changes keep coming. */
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
    /** Makes the JSON file hold the contents, which are all that was appended, and then empties the journal. */
    async compact(contents: Contents): Promise<void> {
      const { isJournalInPlace, writer } = await look();
      if (writer === "nobody") assertStillLocked(dirname(path));
      db.data = contents;
      await db.write().finally(() => (db.data = null)); // it is in memory elsewhere
      if (isJournalInPlace) return journal.empty();
      await rename(journalPath, `${journalPath}.bak`).catch(ignoreMissing); // what stands in its place continues nothing
      return reopenJournal(0);
    },
    /**
     * Reads what others have written, and the journal on top of it. The environment is opened by the same key as before.
     * @throws InvalidEnvironmentError; then nothing has changed.
     */
    async reload(keyHash: string | undefined): Promise<StoredContents> {
      const isJournalInPlace = journal.isInPlace();
      if (!isJournalInPlace) assertStillLocked(dirname(path));
      else await journal.cutTail(); // what was rejected is not to be read
      const text = await readJournal(journalPath);
      if (text?.changes.some(isRemoval))
        throw new InvalidEnvironmentError(journalPath, undefined, "it removes the file");
      const { stamp, length } = json;
      try {
        const contents = await readEdited(path, json, keyHash);
        if (!isJournalInPlace) await reopenJournal(text?.length ?? 0);
        return { contents, changes: text?.changes ?? [] };
      } catch (error) {
        Object.assign(json, { stamp, length }); // it stays a file that others have written
        throw error;
      }
    },
    close: () => journal.close(),
  };
}

/**
 * Tells who has written the files since they were last read or written here:
 *   JSON file             journal             writer
 *   as it was             as it was           us
 *   as it was             missing or another  nobody
 *   missing               any                 nobody
 *   another or edited     any                 others
 */
function decideWriter(stamp: string | undefined, last: string | undefined, isJournalInPlace: boolean) {
  if (stamp === undefined) return "nobody";
  if (stamp !== last) return "others";
  return isJournalInPlace ? "us" : "nobody";
}

async function readEdited(path: string, json: JsonFile, keyHash: string | undefined): Promise<Contents> {
  const contents = await json.read();
  if (!contents) throw new FileChangedError(`${path} is gone`);
  if (contents.keyHash === keyHash) return contents;
  const reason = 'its member "keyHash" is not that of the running server: start it again to use another key';
  throw new InvalidEnvironmentError(path, undefined, reason);
}

/** Removes what is left of an environment whose removal is in its journal. */
export async function finishRemoval(path: string): Promise<void> {
  const journal = await readJournal(toJournalPath(path)).catch(ignoreInvalid);
  if (journal?.changes.some(isRemoval)) await removeFiles(path);
}

/** The journal last: it is what tells a removed environment from another. */
async function removeFiles(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolderOf(path);
  await rm(toJournalPath(path), { force: true });
}

function isRemoval({ type }: Change): boolean {
  return type === "removed";
}
