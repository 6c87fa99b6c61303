// The files of an environment: opened, created and removed as a whole. What happens to them while they are open is in
// journaled-file.ts.
import { rename, rm } from "node:fs/promises";
import type { EnvironmentContents } from "../../domain/state.js";
import { InvalidEnvironmentError } from "../invalid-environment-error.js";
import { syncFolderOf } from "./data-folder.js";
import { createDatabase, readJournal, type StoredEnvironment } from "./environment-database.js";
import { type EnvironmentPlace, toJournalPath } from "./environment-place.js";
import { fileStamp, ignoreMissing } from "./file-stamp.js";
import { createJournal, type Journal, openJournal } from "./journal.js";
import { toLine } from "./journal-text.js";
import {
  createJournaledFile,
  type JournaledFile,
  openJournalOf,
  toFileEntry,
  writtenVersion,
} from "./journaled-file.js";

export interface OpenedFiles {
  file: JournaledFile;
  stored: StoredEnvironment;
}

/** Opens an environment's files; undefined when there are none. */
export async function openFiles(place: EnvironmentPlace): Promise<OpenedFiles | undefined> {
  const journalPath = toJournalPath(place.path);
  const database = createDatabase(place);
  const stored = await database.read();
  if (!stored) {
    await rm(journalPath, { force: true }); // one without commits, of a file that was taken away
    return undefined;
  }
  return { stored, file: createJournaledFile(place, database, await openJournalOf(place, stored)) };
}

/**
 * Makes the files of a new environment, or puts other contents in the place of what they held. When it rejects, there are
 * no files of a new environment.
 */
export async function createFiles(place: EnvironmentPlace, contents: EnvironmentContents): Promise<JournaledFile> {
  const { path } = place;
  const journalPath = toJournalPath(path);
  const isNew = (await fileStamp(path)) === undefined;
  const text = await readJournal(journalPath).catch(ignoreInvalid);
  const former = text && (await openJournal(journalPath, text.length));
  const commit = text?.commits.at(-1)?.commit ?? text?.files.at(-1)?.commit ?? 0;
  const database = createDatabase(place);
  const { file, db } = database;
  let journal: Journal | undefined;
  // The former journal is one of either text; a new one continues a text that will be there, or nothing.
  file.beforeReplace = async ({ digest }) => {
    const entry = toFileEntry(place, digest, commit);
    if (former) await former.append(toLine(entry));
    else journal = await createJournal(journalPath, entry);
  };
  db.data = contents;
  try {
    await db.write();
    journal ??= await createJournal(journalPath, toFileEntry(place, writtenVersion(file).digest, commit));
    return createJournaledFile(place, database, { journal, commit, compacted: commit });
  } catch (error) {
    await journal?.close();
    if (isNew) for (const made of [path, journalPath]) await rm(made, { force: true }).catch(() => {}); // the error says why
    throw error;
  } finally {
    await former?.close();
  }
}

/** What the name of a JSON file ends with while its environment is being removed. */
export const REMOVED = ".removed";

/**
 * Removes an environment's files so that they stay removed: a crash in between leaves all of it or nothing. When it rejects,
 * they are all there, as far as the disk allows.
 */
export async function removeFiles(path: string): Promise<void> {
  const removed = `${path}${REMOVED}`;
  await rename(path, removed).catch(ignoreMissing);
  try {
    await syncFolderOf(path);
  } catch (error) {
    await rename(removed, path).catch(() => {}); // the error says why
    throw error;
  }
  await finishRemoval(path).catch(() => {}); // the next start, or who takes the name, finishes it
}

/** Removes what is left of an environment that was removed. */
export async function finishRemoval(path: string): Promise<void> {
  await rm(toJournalPath(path), { force: true });
  await rm(`${path}${REMOVED}`, { force: true });
  await syncFolderOf(path);
}

function ignoreInvalid(error: unknown): undefined {
  if (!(error instanceof InvalidEnvironmentError)) throw error;
}
