// Where the two files of an environment are, and how a JSON file that was not written here is read.
import { join } from "node:path";
import type { Contract } from "../../contract/contract.js";
import type { EnvironmentContents, EnvironmentData } from "../../domain/state.js";
import { DEFAULT_ENVIRONMENT } from "../environment-name.js";
import { toContents } from "../format/environment-contents.js";
import { InvalidEnvironmentError } from "../format/invalid-environment-error.js";
import { parseEnvironment } from "../format/parse-environment.js";

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
