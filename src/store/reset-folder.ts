// `reset`: the default environment of a folder that no server uses goes back to a seed.
import { copyFile } from "node:fs/promises";
import type { Contract } from "../contract/contract.js";
import type { Seed } from "../domain/state.js";
import { takeFolder, toFolderError } from "./data-folder.js";
import { GONE, ignoreMissing, toJournalPath } from "./environment-files.js";
import { DEFAULT_ENVIRONMENT, placeOf } from "./environment-folder.js";
import { toContents } from "./environment-state.js";
import { writeJournaledFile } from "./journaled-file.js";
import { toEnvironment } from "./seed.js";

/**
 * Puts the default environment of a folder back to a seed. The file it replaces is kept beside it as `.bak`.
 * @returns the path of the kept file, or undefined when there was none.
 * @throws FolderInUseError while a server runs on the folder, or FolderUnusableError.
 */
export async function resetFolder(
  folder: string,
  seed: Seed,
  contract: Contract,
  now: Date,
): Promise<string | undefined> {
  const unlock = await takeFolder(folder);
  try {
    const place = placeOf(contract, folder, DEFAULT_ENVIRONMENT);
    const kept = `${place.path}.bak`;
    const copied = await copyFile(place.path, kept).catch(ignoreMissing);
    const journal = toJournalPath(place.path);
    await copyFile(journal, `${journal}.bak`).catch(ignoreMissing);
    const file = await writeJournaledFile(place, toContents(toEnvironment(seed, contract, DEFAULT_ENVIRONMENT, now)));
    await file.close();
    return copied === GONE ? undefined : kept;
  } catch (error) {
    throw toFolderError(folder, error);
  } finally {
    unlock();
  }
}
