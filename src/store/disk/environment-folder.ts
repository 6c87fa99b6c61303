// Which files of a folder are environments, and whose they are.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Contract } from "../../contract/contract.js";
import type { EnvironmentContents, EnvironmentData } from "../../domain/state.js";
import { DEFAULT_ENVIRONMENT, ENVIRONMENT_NAME } from "../environment-name.js";
import { toContents } from "../format/environment-contents.js";
import { InvalidEnvironmentError } from "../format/invalid-environment-error.js";
import { parseEnvironment } from "../format/parse-environment.js";

/** Where the two files of an environment are, and how a JSON file that was not written here is read. */
export interface EnvironmentPlace {
  /** Of the JSON file. */
  path: string;
  /** Digest of the contract that contents are checked against. */
  contract: string;
  /** Checks a file that was not written here, or under another contract. Throws InvalidEnvironmentError. */
  parse(bytes: Buffer): EnvironmentContents;
}

export function placeOf(contract: Contract, folder: string, name: string): EnvironmentPlace {
  const path = join(folder, `${name}.json`);
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

export function toJournalPath(path: string): string {
  return path.replace(/\.json$/, ".journal");
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

/** The names of a folder's environments. */
export async function findEnvironments(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).flatMap((file) => /^(.+)\.(json|journal)$/.exec(file)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** Files of the names that the server itself gives: others are not its own. */
const HALF_WRITTEN = new RegExp(`${ENVIRONMENT_NAME.source.slice(0, -1)}\\.(?:json|journal)\\.tmp$`);

/** Removes what a killed process left half-written. To be called once all environments are open: the folder is ours then. */
export async function clearLeftovers(folder: string): Promise<void> {
  for (const file of await readdir(folder, { withFileTypes: true })) {
    if (file.isFile() && HALF_WRITTEN.test(file.name)) await rm(join(folder, file.name));
  }
}
