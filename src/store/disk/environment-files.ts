// The files of an environment: opened, created and removed as a whole. What happens to them while they are open is in
// journaled-file.ts.
import { rename, rm } from "node:fs/promises";
import type { EnvironmentContents } from "../../domain/state.js";
import { InvalidEnvironmentError } from "../invalid-environment-error.js";
import { syncFolderOf } from "./data-folder.js";
import { createDatabase, readJournal, type StoredEnvironment } from "./environment-database.js";
import { type EnvironmentPlace, toJournalPath } from "./environment-place.js";
import { createJournal, type Journal, openJournal } from "./journal.js";
import { toLine } from "./journal-text.js";
import { createJournaledFile, type JournaledFile, runAtOnce, toFileEntry, writtenVersion } from "./journaled-file.js";

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
  const { version, entry, journal: text } = stored;
  const base = toFileEntry(place, version.digest, entry?.commit ?? text?.files[0]?.commit ?? 0);
  const journal = text ? await openJournal(journalPath, text.length) : await createJournal(journalPath, base);
  if (text && !(text.isCurrentVersion && entry?.contract === place.contract)) {
    await journal.restart(base, text.start, runAtOnce).catch(closeFirst(journal)); // the file has been checked now
  }
  const commit = text?.commits.at(-1)?.commit ?? base.commit;
  return { stored, file: createJournaledFile({ place, database, journal, commit, compacted: base.commit }) };
}

/** Makes the files of a new environment, or puts other contents in the place of what they held. */
export async function createFiles(place: EnvironmentPlace, contents: EnvironmentContents): Promise<JournaledFile> {
  const journalPath = toJournalPath(place.path);
  const text = await readJournal(journalPath).catch(ignoreInvalid);
  if (!text) await rm(journalPath, { force: true });
  const former = text && (await openJournal(journalPath, text.length));
  const commit = text?.commits.at(-1)?.commit ?? text?.files.at(-1)?.commit ?? 0;
  const database = createDatabase(place);
  database.file.beforeReplace = async ({ digest }) => former?.append(toLine(toFileEntry(place, digest, commit)));
  database.db.data = contents;
  try {
    await database.db.write();
  } finally {
    await former?.close();
  }
  const journal = await createJournal(journalPath, toFileEntry(place, writtenVersion(database.file).digest, commit));
  return createJournaledFile({ place, database, journal, commit, compacted: commit });
}

/** What the name of a JSON file ends with while its environment is being removed. */
export const REMOVED = ".removed";

/** Removes an environment's files so that they stay removed: a crash in between leaves all of it or nothing. */
export async function removeFiles(path: string): Promise<void> {
  await rename(path, `${path}${REMOVED}`);
  await syncFolderOf(path);
  await finishRemoval(path);
}

export async function finishRemoval(path: string): Promise<void> {
  await rm(toJournalPath(path), { force: true });
  await rm(`${path}${REMOVED}`, { force: true });
  await syncFolderOf(path);
}

function closeFirst(journal: Journal): (error: unknown) => Promise<never> {
  return async (error) => {
    await journal.close();
    throw error;
  };
}

function ignoreInvalid(error: unknown): undefined {
  if (!(error instanceof InvalidEnvironmentError)) throw error;
}
