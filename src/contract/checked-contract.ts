// The contract as the build has checked it. Reading and checking the YAML takes most of a start; the same text needs it
// only once. Another text, even by a byte, is read and checked anew.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ContractFile } from "./contract-file.js";

const PATH = fileURLToPath(new URL("./checked-contract.json", import.meta.url));

interface CheckedContract {
  /** SHA-256 of the text. */
  digest: string;
  value: unknown;
}

/** The value of a checked text; undefined where this text has not been checked by the build. */
export function loadCheckedValue(digest: string): unknown {
  try {
    const checked: CheckedContract = JSON.parse(readFileSync(PATH, "utf8"));
    return checked.digest === digest ? checked.value : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // run from the sources
    throw error;
  }
}

/** Called by the build, after the checks. */
export function storeCheckedValue({ digest, value }: ContractFile): void {
  const checked: CheckedContract = { digest, value };
  writeFileSync(PATH, JSON.stringify(checked));
}
