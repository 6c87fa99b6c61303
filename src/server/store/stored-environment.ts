// Opens an environment that a folder has. For the name "ann":
//   ann.json and ann.journal      the contents of the file, with the changes in the journal made on top
//   a journal that ends torn      the same without the last, half-written line, which was never acknowledged: reported
//   a journal that removes ann    no environment; what is left of its files goes
//   a key that bob's file has     an InvalidEnvironmentError that names bob: the key would open either
import { join } from "node:path";
import type { Contract } from "../../contract/contract.js";
import { DEFAULT_ENVIRONMENT, InvalidEnvironmentError } from "../../core/state/environment.js";
import type { Report } from "./disk/compactor.js";
import { hintFor } from "./disk/data-folder.js";
import { openFiles, toJournalPath } from "./disk/environment-files.js";
import type { EnvironmentRegistry } from "./environment-registry.js";
import { createFormat } from "./format/parse-environment.js";

interface Parts {
  contract: Contract;
  folder: string;
  report: Report;
  registry: EnvironmentRegistry;
}

/** Adds the environment that a folder has under a name, if it has. */
export async function openStored(name: string, { contract, folder, report, registry }: Parts): Promise<void> {
  const path = join(folder, `${name}.json`);
  const opened = await openFiles(path, createFormat(contract, name, path)).catch((error: unknown) => {
    throw error instanceof InvalidEnvironmentError ? error.withHint(hintFor(folder, name)) : error;
  });
  if (!opened) return;
  const { files, contents, changes, tornBytes } = opened;
  const namesake = registry.findNamesake(name, contents);
  if (namesake !== undefined) {
    await files.close();
    throw toKeyError(path, namesake);
  }
  registry.add(name, contents, files).state.apply(changes);
  if (tornBytes === 0) return;
  const dropped = `dropped ${tornBytes} bytes of a change that was never acknowledged`;
  report("warn", `${toJournalPath(path)}: ${dropped}.`);
}

function toKeyError(path: string, namesake: string): InvalidEnvironmentError {
  const isDefault = namesake === DEFAULT_ENVIRONMENT;
  const reason = isDefault ? "the server's API key opens it, too" : `the key of ${namesake} opens it, too`;
  const hint = `Move the file out of the folder${isDefault ? ", or give the server another key" : ""}.`;
  return new InvalidEnvironmentError(path, undefined, reason).withHint(hint);
}
