// `reset`: the default environment of a folder that no server uses goes back to a seed.
import { join } from "node:path";
import type { Contract } from "../contract/contract.js";
import type { Seed } from "../domain/state.js";
import { takeFolder, toFolderError } from "./disk/data-folder.js";
import { replaceFiles } from "./disk/environment-files.js";
import { DEFAULT_ENVIRONMENT } from "./environment.js";
import { createFormat } from "./format/parse-environment.js";
import { toEnvironment } from "./seeds/seed-environment.js";
import { toContents } from "./state/serialized-notification.js";

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
  const contents = toContents(toEnvironment(seed, contract, DEFAULT_ENVIRONMENT, now));
  const unlock = await takeFolder(folder);
  try {
    const path = join(folder, `${DEFAULT_ENVIRONMENT}.json`);
    return await replaceFiles(path, createFormat(contract, DEFAULT_ENVIRONMENT, path), contents);
  } catch (error) {
    throw toFolderError(folder, error);
  } finally {
    unlock();
  }
}
