// An environment on disk: its JSON file, and beside it the journal of the commits that the file does not hold yet. At
// every moment the two together are what has been acknowledged; data/README.md says how they are read.
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Change } from "../../domain/change.js";
import type { EnvironmentContents } from "../../domain/state.js";
import type { EnvironmentDatabase, StoredEnvironment } from "./environment-database.js";
import { type EnvironmentPlace, toJournalPath } from "./environment-folder.js";
import { FileChangedError, fileStamp } from "./file-stamp.js";
import { assertStillLocked } from "./folder-lock.js";
import { closeFirst, createJournal, type Journal, openJournal, type RunExclusive } from "./journal.js";
import { type FileEntry, toCommitLine, toLine } from "./journal-text.js";

/** The environment in memory, as far as its files are concerned. */
export interface LiveContents {
  snapshot(): EnvironmentContents;
  replace(contents: EnvironmentContents, changes: readonly Change[]): void;
  /** Runs a task while nothing is appended and no change becomes visible. */
  exclusive: RunExclusive;
}

export interface JournaledFile {
  /** How many commits the JSON file lacks. */
  readonly pending: number;
  /** Whether the journal is so long that it is to be compacted although commits keep coming. */
  readonly isJournalLong: boolean;
  /** Resolves when the changes are on disk, in the journal. */
  append(changes: readonly Change[]): Promise<void>;
  /**
   * What the files look like, and who has written the JSON file since it was last read or written here: nobody where it
   * or its journal is missing.
   */
  poll(): Promise<{ stamp: string; writer: "us" | "others" | "nobody"; isJournalInPlace: boolean }>;
  /** Rewrites the JSON file while commits keep coming, then begins the journal anew. */
  compact(live: Pick<LiveContents, "snapshot" | "exclusive">): Promise<void>;
  /**
   * Makes what others have written, and the journal's commits on top of it, the live contents.
   * @returns whether they have changed the text.
   * @throws InvalidEnvironmentError; then nothing has changed.
   */
  reload(live: Pick<LiveContents, "replace" | "exclusive">): Promise<boolean>;
  close(): Promise<void>;
}

/** The journal of an environment, and how far it and the JSON file go. */
export interface OpenedJournal {
  journal: Journal;
  /** The number of the last commit. */
  commit: number;
  /** The last commit that the JSON file holds; undefined where that is not known. */
  compacted: number | undefined;
  /** See file-stamp.ts; of the JSON file. */
  stamp: string | undefined;
}

/** Opens the journal of what has just been read, or begins it anew where it is not of this file, release or contract. */
export async function openJournalOf(place: EnvironmentPlace, stored: StoredEnvironment): Promise<OpenedJournal> {
  const { version, entry, journal: text } = stored;
  const path = toJournalPath(place.path);
  const base = toFileEntry(place, version.digest, entry?.commit ?? text?.files[0]?.commit ?? 0);
  const journal = text ? await openJournal(path, text.length) : await createJournal(path, base);
  if (text && !(text.isCurrentVersion && entry?.contract === place.contract)) {
    await journal.restart(base, text.start, runAtOnce).catch(closeFirst(journal)); // the file has been checked now
  }
  const commit = text?.commits.at(-1)?.commit ?? base.commit;
  return { journal, commit, compacted: base.commit, stamp: version.stamp };
}

const LONG_JOURNAL_BYTES = 32 * 1024 * 1024; // of a longer file, as much as that: so a change costs the same whatever is stored

export function createJournaledFile(
  place: EnvironmentPlace,
  database: EnvironmentDatabase,
  opened: OpenedJournal,
): JournaledFile {
  const { db, file } = database;
  const { path } = place;
  const journalPath = toJournalPath(path);
  let { journal, commit, compacted } = opened;
  let ownStamps = [opened.stamp];
  let isRemoved = false;

  async function poll() {
    const stamp = await fileStamp(path);
    const isJournalInPlace = journal.isInPlace();
    const isOwn = ownStamps.includes(stamp);
    const writer = stamp !== undefined && !isOwn ? "others" : stamp && isJournalInPlace ? "us" : "nobody";
    // One that others put in place may not be whole yet.
    const journalStamp = isJournalInPlace ? "" : await fileStamp(journalPath);
    return { stamp: `${stamp} ${journalStamp}`, writer, isJournalInPlace } as const;
  }

  /** Writes the JSON file as of a commit. The commits that it holds then leave the journal. */
  async function rewrite(base: Base, exclusive: RunExclusive): Promise<void> {
    let entry = toFileEntry(place, "", base.commit);
    file.beforeReplace = ({ digest, stamp }) =>
      exclusive(async () => {
        entry = toFileEntry(place, digest, base.commit);
        if (base.isJournalInPlace) await journal.append(toLine(entry));
        ownStamps.push(stamp); // from now on either may be in place
        if ((await poll()).writer === "others") throw new FileChangedError(`${path} was changed`);
        if (!base.isJournalInPlace) await rm(journalPath, { force: true }); // what stands in its place continues nothing
      });
    db.data = base.contents;
    await db.write();
    ownStamps = [file.version?.stamp];
    if (base.commit !== compacted || !base.isJournalInPlace) await journal.restart(entry, base.position, exclusive);
    compacted = base.commit;
  }

  return {
    get pending() {
      return commit - (compacted ?? 0);
    },
    get isJournalLong() {
      return journal.length > Math.max(LONG_JOURNAL_BYTES, file.version?.length ?? 0);
    },
    poll,
    async append(changes) {
      if (isRemoved) throw new FileChangedError(`${path} was removed`);
      await journal.append(toCommitLine({ commit: commit + 1, changes }));
      commit += 1;
      isRemoved = changes.some(({ type }) => type === "removed");
    },
    async compact({ snapshot, exclusive }) {
      const base = await exclusive(async () => {
        const isJournalInPlace = journal.isInPlace();
        const present = { contents: snapshot(), position: journal.length, commit, isJournalInPlace };
        if (isJournalInPlace) return present;
        assertStillLocked(dirname(path));
        await rewrite(present, runAtOnce); // nothing is acknowledged that no file would hold
        return undefined;
      });
      if (base) await rewrite(base, exclusive);
    },
    reload: ({ replace, exclusive }) =>
      exclusive(async () => {
        const isJournalInPlace = journal.isInPlace();
        if (!isJournalInPlace) assertStillLocked(dirname(path));
        const data = await database.read();
        if (!data) throw new FileChangedError(`${path} is gone`);
        ownStamps = [data.version.stamp];
        if (data.entry && isJournalInPlace) return false;
        const previous = journal;
        replace(data.contents, data.changes);
        ({ journal, commit, compacted } = await openJournalOf(place, data));
        await previous.close();
        return true;
      }),
    close: () => journal.close(),
  };
}

/** The contents as of a commit, and where in the journal those behind it begin. */
interface Base {
  contents: EnvironmentContents;
  commit: number;
  position: number;
  isJournalInPlace: boolean;
}

export const runAtOnce: RunExclusive = (task) => task();

export function toFileEntry({ contract }: EnvironmentPlace, file: string, commit: number): FileEntry {
  return { file, contract, commit };
}
