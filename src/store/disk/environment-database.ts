// The JSON file of an environment behind lowdb, read together with the journal beside it. How they are written is in
// environment-files.ts.
import { readFile } from "node:fs/promises";
import { Low } from "lowdb";
import type { Change } from "../../domain/change.js";
import type { EnvironmentContents } from "../../domain/state.js";
import { readOwnText, toEnvironmentChunks } from "../format/environment-text.js";
import { InvalidEnvironmentError } from "../format/invalid-environment-error.js";
import { DurableJsonFile } from "./durable-json-file.js";
import { type EnvironmentPlace, toJournalPath } from "./environment-place.js";
import { ignoreMissing } from "./file-stamp.js";
import { type FileEntry, type JournalText, readJournalText } from "./journal-text.js";

export type EnvironmentDatabase = ReturnType<typeof createDatabase>;

export interface StoredEnvironment {
  contents: EnvironmentContents;
  /** What the journal adds to the contents, oldest first. */
  changes: readonly Change[];
  journal: JournalText | undefined;
  /** What the journal says of the JSON file; undefined where the file was not written here. */
  entry: FileEntry | undefined;
  /** The number of the last commit. */
  commit: number;
  /** The number of the last one that the JSON file holds. */
  compacted: number;
}

export function createDatabase(place: EnvironmentPlace) {
  const journalPath = toJournalPath(place.path);
  let entries: readonly FileEntry[] = [];
  const findEntry = (digest: string) => entries.findLast(({ file }) => file === digest);

  /** The contract was checked when the file was written: nobody else can make a text with its digest. */
  function parse(bytes: Buffer, digest: string): EnvironmentContents {
    return findEntry(digest)?.contract === place.contract ? readOwnText(bytes) : place.parse(bytes);
  }

  const toChunks = (contents: EnvironmentContents | null) => toEnvironmentChunks(contents ?? {});
  const file = new DurableJsonFile<EnvironmentContents | null>(place.path, { toChunks, parse });
  const db = new Low<EnvironmentContents | null>(file, null);
  return {
    /** Its `data` is what the JSON file held when it was last read or written here. */
    db,
    file,
    /** What the journal is to say of the JSON file. */
    toFileEntry: (commit: number, version = file.version): FileEntry => ({
      file: version?.digest ?? "",
      contract: place.contract,
      commit,
    }),
    /**
     * Reads both files and writes nothing. Undefined where there is no JSON file, nor commits that continue one, and where
     * the environment was removed.
     */
    async read(): Promise<StoredEnvironment | undefined> {
      const journal = await readJournal(journalPath);
      const { files, commits } = journal ?? { files: [], commits: [] };
      if (isRemoved(journal)) return undefined;
      entries = files;
      await db.read();
      if (file.version && db.data) {
        const entry = findEntry(file.version.digest);
        const compacted = entry?.commit ?? files[0]?.commit ?? 0; // over a file that was edited, all commits count
        const changes = commits.filter(({ commit }) => commit > compacted).flatMap((commit) => commit.changes);
        const commit = Math.max(compacted, commits.at(-1)?.commit ?? 0);
        return { contents: db.data, changes, journal, entry, commit, compacted };
      }
      if (commits.length === 0) return undefined;
      throw new InvalidEnvironmentError(journalPath, undefined, `it continues ${place.path}, which is gone`);
    },
  };
}

/** Undefined where there is none. */
export async function readJournal(path: string): Promise<JournalText | undefined> {
  const bytes = await readFile(path).catch(ignoreMissing);
  return bytes && readJournalText(bytes, path);
}

/** Whether a commit has removed the environment. */
export function isRemoved(journal: JournalText | undefined): boolean {
  return journal?.commits.some(({ changes }) => changes.some(({ type }) => type === "removed")) ?? false;
}
