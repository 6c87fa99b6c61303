// The journal of an environment as text: one entry a line, each behind its checksum, so that a torn end shows.
// data/README.md describes it for whoever wants to read one.
import { crc32 } from "node:zlib";
import type { Change } from "../../domain/change.js";
import { InvalidEnvironmentError } from "../format/invalid-environment-error.js";
import { type FormerChange, readChange, toStoredChange } from "./stored-change.js";

const FORMAT = "notifications-contract/journal";
const VERSION = 2;
const LINE_FEED = 0x0a;
const NOT_A_JOURNAL = "not a journal";

/** The JSON file with this digest holds every commit up to this one. */
export interface FileEntry {
  /** SHA-256 of the file's bytes, hexadecimal. */
  file: string;
  /** Digest of the contract that the file was inside when it was written. */
  contract: string;
  commit: number;
}

/** Changes that became durable together. */
export interface CommitEntry {
  commit: number;
  changes: readonly Change[];
}

export interface JournalText {
  /** Whether this release has begun it. */
  isCurrentVersion: boolean;
  files: FileEntry[];
  commits: CommitEntry[];
  /** Where the entries behind the first file entry start. */
  start: number;
  /** How many bytes are whole entries. */
  length: number;
  /** How many follow them: the process or the machine died in a write that was never acknowledged. */
  tornBytes: number;
}

/** The start of each journal: what it is, and the file that it continues. */
export function toJournalStart(file: FileEntry): Buffer {
  return Buffer.concat([toLine({ format: FORMAT, version: VERSION }), toLine(file)]);
}

export function toCommitLine({ commit, changes }: CommitEntry): Buffer {
  return toLine({ commit, changes: changes.map(toStoredChange) });
}

export function toLine(entry: object): Buffer {
  const json = Buffer.from(JSON.stringify(entry));
  return Buffer.concat([Buffer.from(`${checksumOf(json)} `), json, Buffer.of(LINE_FEED)]);
}

/**
 * Reads a journal. A broken entry at its very end is one that was never acknowledged.
 * @throws InvalidEnvironmentError for a broken entry before others, or for what is not a journal that this release reads.
 */
export function readJournalText(bytes: Buffer, path: string): JournalText {
  const text: JournalText = { isCurrentVersion: true, files: [], commits: [], start: 0, length: 0, tornBytes: 0 };
  for (let line = 1; text.length < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, text.length);
    const isLast = end === -1 || end === bytes.length - 1;
    const entry = end === -1 ? undefined : readLine(bytes.subarray(text.length, end));
    if (!entry && isLast && line > 2) {
      text.tornBytes = bytes.length - text.length;
      return text;
    }
    if (!entry) {
      throw new InvalidEnvironmentError(path, line, line > 2 ? "broken, but whole entries follow" : NOT_A_JOURNAL);
    }
    text.length = end + 1;
    if (line <= 2) text.start = text.length;
    if (line === 1) text.isCurrentVersion = readVersion(entry, path) === VERSION;
    else {
      assertNext(text, entry as StoredCommit | FileEntry, line, path); // its checksum proves it to be ours
      if ("changes" in entry) text.commits.push(toCommit(entry as StoredCommit));
      else text.files.push(entry as FileEntry);
    }
  }
  if (text.files.length === 0) throw new InvalidEnvironmentError(path, 1, NOT_A_JOURNAL);
  return text;
}

interface StoredCommit {
  commit: number;
  changes: readonly FormerChange[];
}

/** A commit has the number after the one before it; a file holds no commit that is not there. */
function assertNext(
  { files, commits }: JournalText,
  entry: StoredCommit | FileEntry,
  line: number,
  path: string,
): void {
  const last = commits.at(-1)?.commit ?? files[0]?.commit;
  const next = (last ?? entry.commit) + ("changes" in entry ? 1 : 0);
  // The first commits may be some that the file already holds: a journal that was begun anew by an earlier start.
  const isEarlier = entry.commit < next && (commits.length === 0 || !("changes" in entry));
  if (entry.commit === next || isEarlier) return;
  const order = `commit ${entry.commit} after ${last}`;
  throw new InvalidEnvironmentError(path, line, `${order}: lines are missing, repeated or out of order`);
}

function toCommit({ commit, changes }: StoredCommit): CommitEntry {
  return { commit, changes: changes.map(readChange) };
}

function readLine(line: Buffer): object | undefined {
  const json = line.subarray(9);
  if (line.toString("latin1", 0, 9) !== `${checksumOf(json)} `) return undefined;
  return JSON.parse(json.toString());
}

function readVersion(entry: object, path: string): number {
  const { format, version } = entry as { format?: string; version: number };
  if (format !== FORMAT) throw new InvalidEnvironmentError(path, 1, NOT_A_JOURNAL);
  if (version <= VERSION) return version;
  const reason = `written by a newer release (version ${version}; this one reads ${VERSION})`;
  throw new InvalidEnvironmentError(path, 1, reason);
}

function checksumOf(json: Buffer): string {
  return crc32(json).toString(16).padStart(8, "0");
}
