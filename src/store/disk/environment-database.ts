// The JSON file of an environment behind lowdb, and what the journal beside it adds. Reads both; how they are written is in
// journaled-file.ts.
import { readFile } from "node:fs/promises";
import { Low } from "lowdb";
import type { Change } from "../../domain/change.js";
import type { EnvironmentContents } from "../../domain/state.js";
import { readOwnText, toEnvironmentChunks } from "../format/environment-text.js";
import { InvalidEnvironmentError } from "../format/invalid-environment-error.js";
import { DurableJsonFile, type FileVersion } from "./durable-json-file.js";
import { type EnvironmentPlace, toJournalPath } from "./environment-folder.js";
import { ignoreMissing } from "./file-stamp.js";
import { type CommitEntry, type FileEntry, type JournalText, readJournalText } from "./journal-text.js";

export type EnvironmentDatabase = ReturnType<typeof createDatabase>;

export interface StoredEnvironment {
  contents: EnvironmentContents;
  /** What the journal adds to the contents, oldest first. */
  changes: readonly Change[];
  version: FileVersion;
  journal: JournalText | undefined;
  /** The journal's entry for the JSON file; undefined where the file was not written here. */
  entry: FileEntry | undefined;
}

export function createDatabase(place: EnvironmentPlace) {
  const journalPath = toJournalPath(place.path);
  let journal: JournalText | undefined;

  /** The contract was checked when the file was written: nobody else can make a text with its digest. */
  function parse(bytes: Buffer, digest: string): EnvironmentContents {
    const isChecked = findEntry(journal, digest, place.contract)?.contract === place.contract;
    return isChecked ? readOwnText(bytes) : place.parse(bytes);
  }

  const toChunks = (contents: EnvironmentContents | null) => toEnvironmentChunks(contents ?? {});
  const file = new DurableJsonFile<EnvironmentContents | null>(place.path, { toChunks, parse });
  const db = new Low<EnvironmentContents | null>(file, null);
  return {
    /** Its `data` is what the JSON file held when it was last read or written here. */
    db,
    file,
    /**
     * Reads both files and writes nothing. Undefined where there is no JSON file, nor commits that continue one, and where
     * the environment was removed.
     */
    async read(): Promise<StoredEnvironment | undefined> {
      journal = await readJournal(journalPath);
      const commits = journal?.commits ?? [];
      if (commits.some(isRemoval)) return undefined;
      await db.read();
      const { version } = file;
      if (version && db.data) {
        const entry = findEntry(journal, version.digest, place.contract);
        const base = entry?.commit ?? 0;
        const changes = commits.filter(({ commit }) => commit > base).flatMap((commit) => commit.changes);
        return { contents: db.data, changes, version, journal, entry };
      }
      if (commits.length === 0) return undefined;
      throw new InvalidEnvironmentError(journalPath, undefined, `it continues ${place.path}, which is gone`);
    },
  };
}

export async function readJournal(path: string): Promise<JournalText | undefined> {
  const bytes = await readFile(path).catch(ignoreMissing);
  return bytes && readJournalText(bytes, path);
}

/** Whether the environment was removed by a commit. */
export function isRemoval({ changes }: CommitEntry): boolean {
  return changes.some(({ type }) => type === "removed");
}

/** The last entry for a text, if possible one that says that it is inside the contract. */
function findEntry(journal: JournalText | undefined, digest: string, contract: string): FileEntry | undefined {
  const entries = journal?.files.filter(({ file }) => file === digest) ?? [];
  return entries.findLast((entry) => entry.contract === contract) ?? entries.at(-1);
}
