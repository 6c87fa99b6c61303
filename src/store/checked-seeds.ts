// The seeds of this package as the build has checked them. Compiling what checks a seed takes most of the time that a small
// one needs; the same text under the same contract needs it only once. See contract/checked-contract.ts.
import { hash } from "node:crypto";
import { readBuildRecord, writeBuildRecord } from "../contract/build-record.js";
import type { Contract } from "../contract/contract.js";

const PLACE = new URL("./checked.seeds.json", import.meta.url);

/** Whether the build has checked this text under this contract. */
export function isCheckedSeed(bytes: Buffer, contract: Contract): boolean {
  return readBuildRecord<string[]>(PLACE)?.includes(toProof(bytes, contract)) ?? false;
}

/** Called by the build, after the checks. */
export function storeCheckedSeeds(texts: readonly Buffer[], contract: Contract): void {
  writeBuildRecord(
    PLACE,
    texts.map((bytes) => toProof(bytes, contract)),
  );
}

/** SHA-256 of the text and of the contract. Another one of either, even by a byte, has another proof. */
function toProof(bytes: Buffer, contract: Contract): string {
  return `${hash("sha256", bytes)} ${contract.file.digest}`;
}
