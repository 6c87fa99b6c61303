// The contracts that the build has checked in full, by the SHA-256 of their bytes: a start takes the very same bytes as they
// are. That halves the processor time of a start, 1310 ms without it (medians of ten starts). Any other is checked when it is
// loaded. One record serves src/ and dist/.
import { readFileSync, renameSync, writeFileSync } from "node:fs";

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

/** Called by the build alone. One that is stopped leaves the record as it was before. */
export function writePrechecked(values: Record): void {
  record = values;
  const unfinished = new URL(`${FILE.href}.${process.pid}.tmp`);
  writeFileSync(unfinished, JSON.stringify(values));
  renameSync(unfinished, FILE);
}

function readRecord(): Record {
  record ??= load();
  return record;
}

function load(): Record {
  try {
    return JSON.parse(readFileSync(FILE, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {}; // run from the sources, before the first build
    throw error;
  }
}
