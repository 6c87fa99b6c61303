// An environment on disk: its JSON file, and beside it the journal of the commits that the file does not hold yet. At
// every moment the two together are what has been acknowledged; data/README.md says how they are read.
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Change } from "../../domain/change.js";
import type { EnvironmentContents } from "../../domain/state.js";
import type { FileVersion } from "./durable-json-file.js";
import type { EnvironmentDatabase, StoredEnvironment } from "./environment-database.js";
import { type EnvironmentPlace, toJournalPath } from "./environment-place.js";
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
  /** The last commit that the JSON file holds. */
  compacted: number;
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
  return { journal, commit: text?.commits.at(-1)?.commit ?? base.commit, compacted: base.commit };
}

const LONG_JOURNAL_BYTES = 32 * 1024 * 1024; // of a longer file, as much as that: so a change costs the same whatever is stored

/** @param database has been read or written. */
export function createJournaledFile(
  place: EnvironmentPlace,
  database: EnvironmentDatabase,
  opened: OpenedJournal,
): JournaledFile {
  const { db, file } = database;
  let { journal, commit, compacted } = opened;
  let ownStamps = [file.version?.stamp];

  async function poll() {
    const stamp = await fileStamp(place.path);
    const isJournalInPlace = await journal.isInPlace();
    const isOwn = ownStamps.includes(stamp);
    const writer = stamp !== undefined && !isOwn ? "others" : stamp && isJournalInPlace ? "us" : "nobody";
    // One that others put in place may not be whole yet.
    const journalStamp = isJournalInPlace ? "" : await fileStamp(toJournalPath(place.path));
    return { stamp: `${stamp} ${journalStamp}`, writer, isJournalInPlace } as const;
  }

  /** Right before the JSON file is replaced. */
  async function assertUnchanged(next: FileVersion): Promise<void> {
    ownStamps.push(next.stamp); // from now on either may be in place
    if ((await poll()).writer === "others") throw new FileChangedError(`${place.path} was changed`);
  }

  /** Writes both files anew where the journal is gone: whatever stands in its place continues nothing. */
  async function writeAnew(contents: EnvironmentContents): Promise<void> {
    assertStillLocked(dirname(place.path));
    file.beforeReplace = async (next) => {
      await assertUnchanged(next);
      await rm(toJournalPath(place.path), { force: true });
    };
    db.data = contents;
    await db.write();
    const version = writtenVersion(file);
    ownStamps = [version.stamp];
    await journal.restart(toFileEntry(place, version.digest, commit), journal.length, runAtOnce);
    compacted = commit;
  }

  return {
    get pending() {
      return commit - compacted;
    },
    get isJournalLong() {
      return journal.length > Math.max(LONG_JOURNAL_BYTES, file.version?.length ?? 0);
    },
    poll,
    async append(changes) {
      await journal.append(toCommitLine({ commit: commit + 1, changes }));
      commit += 1;
    },
    async compact({ snapshot, exclusive }) {
      const taken = await exclusive(async () => {
        const contents = snapshot();
        if (await journal.isInPlace()) return { contents, position: journal.length, commit };
        await writeAnew(contents);
        return undefined;
      });
      if (!taken) return;
      file.beforeReplace = (next) =>
        exclusive(async () => {
          await journal.append(toLine(toFileEntry(place, next.digest, taken.commit)));
          await assertUnchanged(next);
        });
      db.data = taken.contents;
      await db.write();
      const version = writtenVersion(file);
      ownStamps = [version.stamp];
      await journal.restart(toFileEntry(place, version.digest, taken.commit), taken.position, exclusive);
      compacted = taken.commit;
    },
    reload: ({ replace, exclusive }) =>
      exclusive(async () => {
        const isJournalInPlace = await journal.isInPlace();
        if (!isJournalInPlace) assertStillLocked(dirname(place.path));
        const stored = await database.read();
        if (!stored) throw new FileChangedError(`${place.path} is gone`);
        ownStamps = [stored.version.stamp];
        if (stored.entry && isJournalInPlace) return false;
        const former = journal;
        replace(stored.contents, stored.changes);
        ({ journal, commit, compacted } = await openJournalOf(place, stored));
        await former.close();
        return true;
      }),
    close: () => journal.close(),
  };
}

/** What lowdb has written; without data it would have written nothing. */
export function writtenVersion({ version }: EnvironmentDatabase["file"]): FileVersion {
  if (version) return version;
  throw new Error("lowdb has written nothing");
}

export const runAtOnce: RunExclusive = (task) => task();

export function toFileEntry({ contract }: EnvironmentPlace, file: string, commit: number): FileEntry {
  return { file, contract, commit };
}
