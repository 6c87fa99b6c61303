// The seeds of this package as the build has checked them. Compiling what checks a seed takes most of the time that a small
// one needs; the same text under the same contract needs it only once. See contract/checked-contract.ts.
import { hash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { Contract } from "../contract/contract.js";

const PATH = new URL("./checked.seeds.json", import.meta.url);

/** Whether the build has checked this text under this contract. */
export function isCheckedSeed(bytes: Buffer, contract: Contract): boolean {
  try {
    const checked = JSON.parse(readFileSync(PATH, "utf8")) as string[]; // as written below
    return checked.includes(toProof(bytes, contract));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false; // run from the sources
    throw error;
  }
}

/** Called by the build, after the checks. */
export function storeCheckedSeeds(texts: readonly Buffer[], contract: Contract): void {
  writeFileSync(PATH, JSON.stringify(texts.map((bytes) => toProof(bytes, contract))));
}

/** SHA-256 of the text and of the contract. Another one of either, even by a byte, has another proof. */
function toProof(bytes: Buffer, contract: Contract): string {
  return `${hash("sha256", bytes)} ${contract.file.digest}`;
}
