// The journal of an environment as text: one entry a line, each behind its checksum, so that a torn end shows.
// data/README.md describes it for whoever wants to read one.
import { crc32 } from "node:zlib";
import type { Change } from "../domain/environment-view.js";
import { BrokenEnvironmentError } from "./broken-environment.js";

const FORMAT = "notifications-contract/journal";
const VERSION = 1;
const LINE_END = 0x0a;
const NOT_ONE = "not a journal";

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
  files: FileEntry[];
  commits: CommitEntry[];
  /** Where its first entry after the file that it continues stands. */
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

export function toLine(entry: object): Buffer {
  const json = Buffer.from(JSON.stringify(entry));
  return Buffer.concat([Buffer.from(`${checksumOf(json)} `), json, Buffer.of(LINE_END)]);
}

/**
 * Reads a journal. A broken entry at its very end is one that was never acknowledged.
 * @throws BrokenEnvironmentError for a broken entry before others, or for what is not a journal that this release reads.
 */
export function readJournalText(bytes: Buffer, path: string): JournalText {
  const text: JournalText = { files: [], commits: [], start: 0, length: 0, tornBytes: 0 };
  for (let line = 1; text.length < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_END, text.length);
    const isLast = end === -1 || end === bytes.length - 1;
    const entry = end === -1 ? undefined : readEntry(bytes.subarray(text.length, end));
    if (!entry && isLast && line > 2) {
      text.tornBytes = bytes.length - text.length;
      return text;
    }
    if (!entry) throw new BrokenEnvironmentError(path, line, line > 2 ? "broken, but whole entries follow" : NOT_ONE);
    text.length = end + 1;
    if (line <= 2) text.start = text.length;
    if (line === 1) assertFormat(entry, path);
    else if ("changes" in entry)
      text.commits.push(entry as CommitEntry); // its checksum proves it to be ours
    else text.files.push(entry as FileEntry);
  }
  if (text.files.length === 0) throw new BrokenEnvironmentError(path, 1, NOT_ONE);
  return text;
}

function readEntry(line: Buffer): object | undefined {
  const json = line.subarray(9);
  if (line.toString("latin1", 0, 9) !== `${checksumOf(json)} `) return undefined;
  return JSON.parse(json.toString());
}

function assertFormat(entry: object, path: string): void {
  const { format, version } = entry as { format?: string; version?: number };
  if (format !== FORMAT) throw new BrokenEnvironmentError(path, 1, NOT_ONE);
  if (version === VERSION) return;
  throw new BrokenEnvironmentError(
    path,
    1,
    `written by a newer release (version ${version}; this one reads ${VERSION})`,
  );
}

function checksumOf(json: Buffer): string {
  return crc32(json).toString(16).padStart(8, "0");
}
