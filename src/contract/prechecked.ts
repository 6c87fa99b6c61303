// The contracts that the build has checked in full, by the SHA-256 of their bytes: a start takes the very same bytes as they
// are. Without that, a start takes 730 ms more of processor time (median of ten paired starts). Any other contract is checked
// when it is loaded. One record serves src/ and dist/.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Contracts as JSON text, so that each reader gets a value of its own. */
type Record = { [digest: string]: string };

const FILE = new URL("../../dist/prechecked.json", import.meta.url);

let record: Record | undefined;

export function isPrechecked(digest: string): boolean {
  return Object.hasOwn(readRecord(), digest);
}

/** The value of a contract that the build has checked. */
export function readPrechecked(digest: string): unknown {
  const text = isPrechecked(digest) ? readRecord()[digest] : undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

/** Called by the build alone. */
export function writePrechecked(values: Record): void {
  record = values;
  writeFileSync(FILE, JSON.stringify(values));
}

function readRecord(): Record {
  // Absent where the sources run before the first build.
  record ??= existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Record) : {};
  return record;
}
