// The files of an environment: opened, created and removed as a whole. What happens to them while they are open is in
// journaled-file.ts.
import { rm } from "node:fs/promises";
import type { EnvironmentContents } from "../../domain/state.js";
import { InvalidEnvironmentError } from "../format/invalid-environment-error.js";
import { syncFolderOf } from "./data-folder.js";
import { createDatabase, isRemoval, readJournal, type StoredEnvironment } from "./environment-database.js";
import { type EnvironmentPlace, toJournalPath } from "./environment-folder.js";
import { fileStamp } from "./file-stamp.js";
import { createJournal, openJournal } from "./journal.js";
import { createJournaledFile, type JournaledFile, openJournalOf, runAtOnce, toFileEntry } from "./journaled-file.js";

/** Opens an environment's files; undefined when there are none, or the environment was removed. */
export async function openFiles(
  place: EnvironmentPlace,
): Promise<{ file: JournaledFile; stored: StoredEnvironment } | undefined> {
  const database = createDatabase(place);
  const data = await database.read();
  if (data) return { stored: data, file: createJournaledFile(place, database, await openJournalOf(place, data)) };
  await finishRemoval(place.path);
  await rm(toJournalPath(place.path), { force: true }); // one without commits, of a file that was taken away
  return undefined;
}

/**
 * Makes the files of a new environment, or puts other contents in the place of what they held. When it rejects, there are
 * no files of a new environment.
 */
export async function createFiles(place: EnvironmentPlace, contents: EnvironmentContents): Promise<JournaledFile> {
  const journalPath = toJournalPath(place.path);
  const stamp = await fileStamp(place.path);
  const previous = await readJournal(journalPath).catch(ignoreInvalid);
  const commit = previous?.commits.at(-1)?.commit ?? previous?.files.at(-1)?.commit ?? 0;
  // The former journal is one of either text; a new one continues a text that will be there, or nothing.
  const journal = previous
    ? await openJournal(journalPath, previous.length)
    : await createJournal(journalPath, toFileEntry(place, "", commit));
  const compacted = previous ? undefined : commit;
  const file = createJournaledFile(place, createDatabase(place), { journal, commit, compacted, stamp });
  try {
    await file.compact({ snapshot: () => contents, exclusive: runAtOnce });
    return file;
  } catch (error) {
    await file.close();
    if (stamp === undefined) await removeFiles(place.path).catch(() => {}); // the error says why
    throw error;
  }
}

/** Removes what is left of an environment whose removal is in its journal. */
export async function finishRemoval(path: string): Promise<void> {
  const journal = await readJournal(toJournalPath(path)).catch(ignoreInvalid);
  if (journal?.commits.some(isRemoval)) await removeFiles(path);
}

/** The journal last: it is what tells a removed environment from another. */
async function removeFiles(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolderOf(path);
  await rm(toJournalPath(path), { force: true });
}

function ignoreInvalid(error: unknown): undefined {
  if (!(error instanceof InvalidEnvironmentError)) throw error;
}
