// `reset`: restores the default environment of a folder to a seed.
import { copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Contract } from "../contract/contract.js";
import { type Seed, toMemory } from "../core/domain/state.js";
import { DEFAULT_ENVIRONMENT, ignoreInvalid } from "../core/state/environment.js";
import { type ChangingState, createEnvironmentState } from "../core/state/environment-state.js";
import { createFromSeed } from "../core/state/seed.js";
import { createFormat, journalPathOf, openFiles } from "../server/store/durable-environment.js";
import {
  DurableJsonFile,
  FileChangedError,
  fileStamp,
  ignoreMissing,
  syncFile,
  syncFolderOf,
} from "../server/store/durable-json-file.js";
import { FolderUnusableError, takeFolder, translateFolderError } from "../server/store/folder-lock.js";
import { readJournal } from "../server/store/journal.js";

/**
 * Restores the default environment of a folder to a seed, even if its files cannot be read. The JSON file is kept as
 * `.bak`, with the changes of the journal in it; if either cannot be read, the journal is kept as well. A failure or a
 * kill loses neither file.
 * @returns the path of the backup; undefined if there was no file
 * @throws FolderUnusableError, such as a FolderInUseError
 */
export async function resetFolder(
  folder: string,
  seed: Seed,
  contract: Contract,
  now: Date,
): Promise<string | undefined> {
  const state = createEnvironmentState(toMemory(createFromSeed(seed, contract, DEFAULT_ENVIRONMENT, now)));
  const unlock = await takeFolder(folder);
  try {
    const path = join(folder, `${DEFAULT_ENVIRONMENT}.json`);
    const format = createFormat(contract, DEFAULT_ENVIRONMENT, path);
    const isReadable = await compactFiles(path, format);
    const json = new DurableJsonFile(path, format);
    json.stamp = await fileStamp(path); // not to overwrite what another process writes from here on
    const backup = `${path}.bak`;
    const isThere = await copyFile(path, backup).then(() => true, ignoreMissing);
    if (isThere) await syncFile(backup);
    if (isReadable) await json.write(state);
    else await replaceUnreadable(journalPathOf(path), json, state);
    return isThere ? backup : undefined;
  } catch (error) {
    if (error instanceof FileChangedError)
      throw new FolderUnusableError(`${folder} was changed during the reset. Try again.`);
    throw translateFolderError(folder, error);
  } finally {
    unlock();
  }
}

/** Compacts the journal into the JSON file. Returns false if there are no files, or invalid ones. */
async function compactFiles(path: string, format: ReturnType<typeof createFormat>): Promise<boolean> {
  const opened = await openFiles(path, format).catch(ignoreInvalid);
  if (!opened) return false;
  await opened.files.compact().finally(() => opened.files.close());
  return true;
}

/** Replaces an invalid file last, since no server opens the folder before that. */
async function replaceUnreadable(journalPath: string, json: DurableJsonFile<ChangingState>, state: ChangingState) {
  const isJournalValid = await readJournal(journalPath).then(Boolean, ignoreInvalid);
  if (!isJournalValid) {
    await json.write(state);
    await rename(journalPath, `${journalPath}.bak`).catch(ignoreMissing);
    return syncFolderOf(journalPath);
  }
  const { stamp } = json;
  await rename(journalPath, `${journalPath}.bak`);
  try {
    await syncFolderOf(journalPath);
    await json.write(state);
  } catch (error) {
    const isReplaced = json.stamp !== stamp;
    if (!isReplaced) await rename(`${journalPath}.bak`, journalPath); // needed if somebody fixes the JSON file
    throw error;
  }
}
