// The contracts as the build has checked them. Reading and checking the YAML takes most of a start; the same text needs it
// only once. Another text, even by a byte, is read and checked anew.
import { basename } from "node:path";
import { readBuildRecord, writeBuildRecord } from "./build-record.js";
import type { ContractFile, ContractText } from "./contract-file.js";

interface CheckedContract {
  /** SHA-256 of the text. */
  digest: string;
  value: unknown;
}

/** The value of a checked text; undefined where this text has not been checked by the build. */
export function loadCheckedValue({ path, digest }: ContractText): unknown {
  const checked = readBuildRecord<CheckedContract>(toPlace(path));
  return checked?.digest === digest ? checked.value : undefined;
}

/** Called by the build, after the checks. */
export function storeCheckedValue({ path, digest, value }: ContractFile): void {
  const checked: CheckedContract = { digest, value };
  writeBuildRecord(toPlace(path), checked);
}

/** By the name of the file: of another one with that name the digest differs. */
function toPlace(path: string): URL {
  return new URL(`./checked.${encodeURIComponent(basename(path, ".yaml"))}.json`, import.meta.url);
}
