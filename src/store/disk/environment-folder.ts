// Which files of a folder are environments, and whose they are.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Contract } from "../../contract/contract.js";
import type { EnvironmentData } from "../../domain/state.js";
import { toContents } from "../environment-contents.js";
import { DEFAULT_ENVIRONMENT, ENVIRONMENT_NAME } from "../environment-name.js";
import { InvalidEnvironmentError } from "../invalid-environment-error.js";
import { parseEnvironment } from "../parse-environment.js";
import { finishRemoval, REMOVED } from "./environment-files.js";
import type { EnvironmentPlace } from "./environment-place.js";

/** Where an environment's files are, and how a file that was not written here is checked. */
export function placeOf(contract: Contract, folder: string, name: string): EnvironmentPlace {
  const path = pathOf(folder, name);
  return {
    path,
    contract: contract.file.digest,
    parse(bytes) {
      const data = parseEnvironment(bytes, path, contract);
      assertBelongs(data, name, path);
      return toContents(data);
    },
  };
}

/** A file that was copied or renamed by hand would open with a key of another, or with none. */
function assertBelongs(data: EnvironmentData, name: string, path: string): void {
  if (data.name !== name) throw new InvalidEnvironmentError(path, undefined, `its member "name" must be "${name}"`);
  if (name !== DEFAULT_ENVIRONMENT && data.keyHash === undefined) {
    throw new InvalidEnvironmentError(path, undefined, 'it needs the member "keyHash", or no key opens it');
  }
}

/** How to get past a file that cannot be used. */
export function hintFor(folder: string, name: string): string {
  if (name !== DEFAULT_ENVIRONMENT) return "Fix the file, or move it out of the folder.";
  return `Fix the file, or restore a seed (the file is kept as .bak): notifications-contract reset --data ${folder}`;
}

/** The names of a folder's environments, but for those that were being removed. */
export async function findEnvironments(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  const going = new Set(files.flatMap((file) => REMOVED_FILE.exec(file)?.[1] ?? []));
  const names = files.flatMap((file) => /^(.+)\.(json|journal)$/.exec(file)?.[1] ?? []);
  return [...new Set(names)].filter((name) => !going.has(name) || files.includes(`${name}.json`)).toSorted();
}

const REMOVED_FILE = toPattern(`\\.json\\${REMOVED}`);
const HALF_WRITTEN = toPattern("\\.(?:json|journal)\\.tmp");

/** Removes what a killed process left half-done. To be called once all environments are open: the folder is ours then. */
export async function clearLeftovers(folder: string): Promise<void> {
  const files = (await readdir(folder, { withFileTypes: true }))
    .filter((file) => file.isFile())
    .map(({ name }) => name);
  for (const file of files.filter((name) => HALF_WRITTEN.test(name))) await rm(join(folder, file));
  for (const name of files.flatMap((file) => REMOVED_FILE.exec(file)?.[1] ?? [])) {
    // An environment that has been made under the name since has a journal of its own.
    if (files.includes(`${name}.json`)) await rm(join(folder, `${name}.json${REMOVED}`));
    else await finishRemoval(pathOf(folder, name));
  }
}

/** Files of the names that the server itself gives: others are not its own. */
function toPattern(end: string): RegExp {
  return new RegExp(`${ENVIRONMENT_NAME.source.replace("^", "^(").replace("$", ")")}${end}$`);
}

/** The path of an environment's JSON file. */
export function pathOf(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}
