// `reset`: the default environment of a folder that no server uses goes back to a seed.
import { copyFile } from "node:fs/promises";
import type { Contract } from "../contract/contract.js";
import type { Seed } from "../domain/state.js";
import { takeFolder, toFolderError } from "./disk/data-folder.js";
import { createFiles } from "./disk/environment-files.js";
import { placeOf, toJournalPath } from "./disk/environment-folder.js";
import { ignoreMissing } from "./disk/file-stamp.js";
import { DEFAULT_ENVIRONMENT } from "./environment-name.js";
import { toContents } from "./format/environment-contents.js";
import { toEnvironment } from "./seeds/seed-environment.js";

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
    const backup = await backUp(place.path);
    await backUp(toJournalPath(place.path));
    const file = await createFiles(place, toContents(toEnvironment(seed, contract, DEFAULT_ENVIRONMENT, now)));
    await file.close();
    return backup;
  } catch (error) {
    throw toFolderError(folder, error);
  } finally {
    unlock();
  }
}

function backUp(path: string): Promise<string | undefined> {
  const backup = `${path}.bak`;
  return copyFile(path, backup).then(() => backup, ignoreMissing);
}
