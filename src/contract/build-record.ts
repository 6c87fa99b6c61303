// What the build leaves beside the compiled code for quick starts. Run from the sources, there is none.
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** What the build has left at a place; undefined where it has left nothing. */
export function readBuildRecord<T>(place: URL): T | undefined {
  try {
    return JSON.parse(readFileSync(place, "utf8")) as T; // as written below
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Leaves a value at a place: whole, or, when the build is stopped, not at all. */
export function writeBuildRecord(place: URL, value: unknown): void {
  const unfinished = new URL(`${place.href}.${process.pid}.tmp`);
  writeFileSync(unfinished, JSON.stringify(value));
  renameSync(unfinished, place);
}
