// The files of an environment: opened, created and removed as a whole. What happens to them while they are open is in
// journaled-file.ts.
import { rm } from "node:fs/promises";
import type { EnvironmentContents } from "../../domain/state.js";
import { createDatabase, isRemoved, readJournal, type StoredEnvironment } from "./environment-database.js";
import { type EnvironmentPlace, toJournalPath } from "./environment-place.js";
import { fileStamp } from "./file-stamp.js";
import { createJournal, openJournal } from "./journal.js";
import { createJournaledFile, type JournaledFile } from "./journaled-file.js";
import { syncFolderOf } from "./whole-file.js";

/** Opens an environment's files; undefined when there are none, or the environment was removed. */
export async function openFiles(
  place: EnvironmentPlace,
): Promise<{ file: JournaledFile; stored: StoredEnvironment } | undefined> {
  const database = createDatabase(place);
  const journalPath = toJournalPath(place.path);
  const data = await database.read();
  if (!data) {
    await removeFiles(place.path); // what a removal has left, or the journal of a file that was taken away
    return undefined;
  }
  const { journal: text, entry, changes } = data;
  // One that is not of this file or contract is begun anew, unless what it holds is about to be compacted.
  const isContinued = text && (changes.length > 0 || entry?.contract === place.contract);
  const journal = isContinued
    ? await openJournal(journalPath, text.length)
    : await createJournal(journalPath, database.toFileEntry(data.compacted));
  return { stored: data, file: createJournaledFile(database, journal, data) };
}

/**
 * Makes the files of a new environment, or of one whose files cannot be read. When it rejects, there are no files of a new
 * environment.
 */
export async function createFiles(place: EnvironmentPlace, contents: EnvironmentContents): Promise<JournaledFile> {
  const database = createDatabase(place);
  const journalPath = toJournalPath(place.path);
  const isNew = (await fileStamp(place.path)) === undefined;
  try {
    await rm(journalPath, { force: true }); // one that cannot be read
    await syncFolderOf(journalPath);
    database.db.data = contents;
    await database.db.write();
    const journal = await createJournal(journalPath, database.toFileEntry(0));
    return createJournaledFile(database, journal, { commit: 0, compacted: 0 });
  } catch (error) {
    if (isNew) await removeFiles(place.path).catch(() => {}); // the error says why
    throw error;
  }
}

/** Removes what is left of an environment whose removal is in its journal. */
export async function finishRemoval(path: string): Promise<void> {
  if (isRemoved(await readJournal(toJournalPath(path)))) await removeFiles(path);
}

/** The journal last: it is what tells a removed environment from another. */
export async function removeFiles(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolderOf(path);
  await rm(toJournalPath(path), { force: true });
}
