// The contracts as the build has checked them. Reading and checking the YAML takes most of a start; the same text needs it
// only once. Another text, even by a byte, is read and checked anew.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContractFile, ContractText } from "./contract-file.js";

interface CheckedContract {
  /** SHA-256 of the text. */
  digest: string;
  value: unknown;
}

/** The value of a checked text; undefined where this text has not been checked by the build. */
export function loadCheckedValue({ path, digest }: ContractText): unknown {
  try {
    const checked: CheckedContract = JSON.parse(readFileSync(toCheckedPath(path), "utf8"));
    return checked.digest === digest ? checked.value : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // run from the sources
    throw error;
  }
}

/** Called by the build, after the checks. */
export function storeCheckedValue({ path, digest, value }: ContractFile): void {
  const checked: CheckedContract = { digest, value };
  writeFileSync(toCheckedPath(path), JSON.stringify(checked));
}

/** By the name of the file: of another one with that name the digest differs. */
function toCheckedPath(path: string): string {
  return fileURLToPath(new URL(`./checked.${basename(path, ".yaml")}.json`, import.meta.url));
}
