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
import { type ChangeLog, InvalidEnvironmentError, ignoreInvalid } from "../../../core/state/environment.js";
import {
  DurableJsonFile,
  FileChangedError,
  type FileFormat,
  fileStamp,
  ignoreMissing,
  syncFolderOf,
} from "./durable-json-file.js";
import { assertStillLocked } from "./folder-lock.js";
import { type Journal, openJournal, readJournal } from "./journal.js";

type Format = FileFormat<MemoryData | null>;

/** At least: a journal may be as long as its file, so that the cost of a change does not grow with the file. */
const LONG_JOURNAL_BYTES = 32 * 1024 * 1024;

export function journalPathOf(path: string): string {
  return path.replace(/\.json$/, ".journal");
}

/** Opens an environment's files; undefined if there are none, or the environment was removed. */
export async function openFiles(path: string, format: Format) {
  const journal = await readJournal(journalPathOf(path));
  if (journal?.changes.some(isRemoval)) {
    await removeFiles(path);
    return undefined;
  }
  const file = new JsonFile(path, format);
  const contents = await file.read();
  if (contents) {
    const files = await createOpenFiles(file, journal?.length ?? 0);
    return { files, contents, changes: journal?.changes ?? [], tornBytes: journal?.tornBytes ?? 0 };
  }
  if (journal?.changes.length || journal?.tornBytes) {
    throw new InvalidEnvironmentError(journalPathOf(path), undefined, `it continues ${path}, which was removed`);
  }
  await rm(journalPathOf(path), { force: true }); // left by a file that was moved away
  return undefined;
}

/** Creates the files of a new environment. If it rejects, there are none, or those of another process. */
export async function createFiles(path: string, format: Format, contents: MemoryData): Promise<EnvironmentFiles> {
  const file = new JsonFile(path, format);
  try {
    await file.write(contents);
    return await createOpenFiles(file, 0);
  } catch (error) {
    if (!(error instanceof FileChangedError)) await removeFiles(path).catch(() => {}); // `error` says why
    throw error;
  }
}

async function createOpenFiles(file: JsonFile, journalLength: number): Promise<EnvironmentFiles> {
  return new EnvironmentFiles(file, await openJournal(journalPathOf(file.path), journalLength));
}

/** The JSON file through lowdb, and its adapter, which knows what was last read or written. */
export class JsonFile {
  readonly adapter: DurableJsonFile<MemoryData | null>;
  readonly #db: Low<MemoryData | null>;

  constructor(
    readonly path: string,
    format: Format,
  ) {
    this.adapter = new DurableJsonFile(path, format);
    this.#db = new Low(this.adapter, null);
  }

  /** Null if there is no file. */
  async read(): Promise<MemoryData | null> {
    await this.#db.read();
    const contents = this.#db.data;
    this.#db.data = null; // frees it: the state is in memory elsewhere
    return contents;
  }

  async write(contents: MemoryData): Promise<void> {
    this.#db.data = contents;
    await this.#db.write().finally(() => (this.#db.data = null));
  }
}

/** The files of an open environment. A class, since its methods share the journal, which may be replaced. */
export class EnvironmentFiles implements ChangeLog {
  /** The path of the JSON file. */
  readonly path: string;
  readonly #file: JsonFile;
  /** Another one after another process has put one in its place. */
  #journal: Journal;
  #isRemoved = false;

  constructor(file: JsonFile, journal: Journal) {
    this.path = file.path;
    this.#file = file;
    this.#journal = journal;
  }

  get #journalPath(): string {
    return journalPathOf(this.path);
  }

  /** How many bytes of the journal are not in the JSON file. */
  get pendingBytes(): number {
    return this.#journal.length + Number(this.#journal.hasTail);
  }

  /** True if the journal must be compacted even while changes keep coming. */
  get isJournalLong(): boolean {
    return this.#journal.length > Math.max(LONG_JOURNAL_BYTES, this.#file.adapter.length);
  }

  async look() {
    const stamp = await fileStamp(this.path);
    const isJournalInPlace = this.#journal.isInPlace();
    // Another process may still be writing the journal that it put in place.
    const journalStamp = isJournalInPlace ? "" : await fileStamp(this.#journalPath);
    const writer = decideWriter(stamp, this.#file.adapter.stamp, isJournalInPlace);
    return { stamp: `${stamp} ${journalStamp}`, writer, isJournalInPlace };
  }

  async append(changes: readonly Change[]): Promise<void> {
    if (this.#isRemoved || !existsSync(this.path)) throw new FileChangedError(`${this.path} was removed`);
    await this.#journal.append(changes);
    this.#isRemoved = changes.some(isRemoval);
  }

  /** Writes the contents, which include all appended changes, to the JSON file, and then empties the journal. */
  async compact(contents: MemoryData): Promise<void> {
    const { isJournalInPlace, writer } = await this.look();
    if (writer === "none") assertStillLocked(dirname(this.path));
    await this.#file.write(contents);
    if (isJournalInPlace) return this.#journal.empty();
    // Another process's journal does not belong to these contents.
    await rename(this.#journalPath, `${this.#journalPath}.bak`).catch(ignoreMissing);
    return this.#reopenJournal(0);
  }

  /**
   * Reads a JSON file that another process has written, and the journal's changes on top of it. The key stays the same.
   * @throws InvalidEnvironmentError; then nothing has changed.
   */
  async reload(keyHash: string | undefined): Promise<{ contents: MemoryData; changes: readonly Change[] }> {
    const isJournalInPlace = this.#journal.isInPlace();
    if (!isJournalInPlace) assertStillLocked(dirname(this.path));
    else await this.#journal.cutTail(); // rejected changes must not be read
    const text = await readJournal(this.#journalPath);
    if (text?.changes.some(isRemoval))
      throw new InvalidEnvironmentError(this.#journalPath, undefined, "it removes the file");
    const { stamp, length } = this.#file.adapter;
    try {
      const contents = await readEdited(this.#file, keyHash);
      if (!isJournalInPlace) await this.#reopenJournal(text?.length ?? 0);
      return { contents, changes: text?.changes ?? [] };
    } catch (error) {
      Object.assign(this.#file.adapter, { stamp, length }); // the file still counts as edited
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** Continues with the journal at the path, or a new one. */
  async #reopenJournal(length: number): Promise<void> {
    const former = this.#journal;
    this.#journal = await openJournal(this.#journalPath, length);
    await former.close();
  }
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

async function readEdited(file: JsonFile, keyHash: string | undefined): Promise<MemoryData> {
  const { path } = file;
  const contents = await file.read();
  if (!contents) throw new FileChangedError(`${path} was removed`);
  if (contents.keyHash === keyHash) return contents;
  const reason = 'its member "keyHash" is not that of the running server: start it again to use another key';
  throw new InvalidEnvironmentError(path, undefined, reason);
}

/** Removes the rest of an environment's files if its removal is in the journal. */
export async function finishRemoval(path: string): Promise<void> {
  const journal = await readJournal(journalPathOf(path)).catch(ignoreInvalid);
  if (journal?.changes.some(isRemoval)) await removeFiles(path);
}

/** Removes the journal last, since it records the removal. */
async function removeFiles(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolderOf(path);
  await rm(journalPathOf(path), { force: true });
}

function isRemoval({ type }: Change): boolean {
  return type === "removed";
}
