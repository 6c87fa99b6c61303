// The two files of an environment, read together and the JSON one replaced. Nothing is kept open here, and nothing is
// remembered: journaled-file.ts does that.
import { readFile } from "node:fs/promises";
import { Low } from "lowdb";
import type { EnvironmentContents } from "../domain/state.js";
import { BrokenEnvironmentError } from "./broken-environment.js";
import { DurableJsonFile, type FileVersion } from "./durable-json-file.js";
import { readOwnText, toEnvironmentSlices } from "./environment-text.js";
import { type FileEntry, type JournalText, readJournalText } from "./journal-text.js";

/** How an environment's files are found and read. */
export interface Place {
  /** Of the JSON file. */
  path: string;
  /** Digest of the contract that contents are checked against. */
  contract: string;
  /** Checks a file that was not written here, or under another contract. Throws BrokenEnvironmentError. */
  parse(bytes: Buffer): EnvironmentContents;
}

export const GONE = "gone";

export function toJournalPath(path: string): string {
  return path.replace(/\.json$/, ".journal");
}

/**
 * Reads both files. Nothing is written.
 * @param expected whose text the JSON file probably is: our own is read while its digest is computed, which takes as long
 */
export async function readFiles(place: Place, expected: "ours" | "foreign") {
  const text = await readJournal(toJournalPath(place.path));
  const commits = text?.commits ?? [];
  let version: FileVersion | undefined;
  let continued: FileEntry | undefined;
  const fromBytes = async (bytes: Buffer, its: Promise<FileVersion>) => {
    const own = expected === "ours" && text ? attempt(() => readOwnText(bytes)) : undefined;
    version = await its;
    const { digest } = version;
    const entries = text?.files.filter(({ file }) => file === digest) ?? [];
    continued = entries.findLast(({ contract }) => contract === place.contract) ?? entries.at(-1);
    // Proven when it was written: another text does not have the digest of ours.
    return continued?.contract === place.contract ? (own ?? readOwnText(bytes)) : place.parse(bytes);
  };
  const db = new Low(new DurableJsonFile<Held>(place.path, { toSlices, fromBytes }), null);
  await db.read();
  if (!db.data || !version) {
    if (commits.length === 0) return undefined;
    throw new BrokenEnvironmentError(toJournalPath(place.path), undefined, `it continues ${place.path}, which is gone`);
  }
  const held = continued?.commit ?? 0;
  return {
    text,
    version,
    continued,
    contents: db.data,
    changes: commits.filter(({ commit }) => commit > held).flatMap(({ changes }) => changes),
    isForeign: text !== undefined && continued === undefined,
    tornBytes: text?.tornBytes ?? 0,
  };
}

/**
 * Puts a new JSON file in the place of the old one.
 * @param before see FileForm
 */
export async function replaceFile(
  place: Place,
  contents: EnvironmentContents,
  before: (version: FileVersion) => Promise<void>,
): Promise<FileVersion> {
  let written: FileVersion | undefined;
  const beforeReplacing = async (version: FileVersion) => {
    await before(version);
    written = version;
  };
  const form = { toSlices, beforeReplacing, fromBytes: place.parse };
  await new Low(new DurableJsonFile<Held>(place.path, form), contents as Held).write();
  if (!written) throw new Error("lowdb has written nothing");
  return written;
}

/** What a task returns, or nothing where it fails: whoever attempts it has another way. */
function attempt<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}

/** What lowdb holds: nothing until it has read. */
type Held = EnvironmentContents | null;

function toSlices(contents: Held): Iterable<Buffer> {
  return toEnvironmentSlices(contents ?? {});
}

export async function readJournal(path: string): Promise<JournalText | undefined> {
  const bytes = await readFile(path).catch(ignoreMissing);
  return bytes === GONE ? undefined : readJournalText(bytes, path);
}

export function toFileEntry({ contract }: Place, file: string, commit: number): FileEntry {
  return { file, contract, commit };
}

export function ignoreMissing(error: NodeJS.ErrnoException): typeof GONE {
  if (error.code === "ENOENT") return GONE;
  throw error;
}
