// Where the two files of an environment are, and how a JSON file that was not written here is read.
import type { EnvironmentContents } from "../../domain/state.js";

export interface EnvironmentPlace {
  /** Of the JSON file. */
  path: string;
  /** Digest of the contract that contents are checked against. */
  contract: string;
  /** Checks a file that was not written here, or under another contract. Throws InvalidEnvironmentError. */
  parse(bytes: Buffer): EnvironmentContents;
}

export function toJournalPath(path: string): string {
  return path.replace(/\.json$/, ".journal");
}
