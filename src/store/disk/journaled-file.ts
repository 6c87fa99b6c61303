// An environment on disk: its JSON file, and beside it the journal of the commits that the file does not hold yet. At
// every moment the two together are what has been acknowledged; data/README.md says how they are read.
import type { Change } from "../../domain/change.js";
import type { EnvironmentContents } from "../../domain/state.js";
import type { FileVersion } from "./durable-json-file.js";
import type { EnvironmentDatabase } from "./environment-database.js";
import type { EnvironmentPlace } from "./environment-place.js";
import { fileStamp } from "./file-stamp.js";
import type { Journal, RunExclusive } from "./journal.js";
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
  /** The stamp of the JSON file, and who has written it since it was last read or written here. */
  poll(): Promise<{ stamp: string | undefined; writer: "us" | "others" | "nobody" }>;
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

/** The file was changed by others while it was about to be replaced. It was left as they made it. */
export class FileChangedError extends Error {
  override name = "FileChangedError";
}

export interface JournaledFileParts {
  place: EnvironmentPlace;
  /** Has been read or written. */
  database: EnvironmentDatabase;
  journal: Journal;
  /** The number of the last commit. */
  commit: number;
  /** The last commit that the JSON file holds. */
  compacted: number;
}

const LONG_JOURNAL_BYTES = 32 * 1024 * 1024; // of a longer file, as much as that: so a change costs the same whatever is stored

export function createJournaledFile({ place, database, journal, ...last }: JournaledFileParts): JournaledFile {
  const { db, file } = database;
  let { commit, compacted } = last;
  let ownStamps = [file.version?.stamp];

  async function poll() {
    const stamp = await fileStamp(place.path);
    const writer = stamp === undefined ? "nobody" : ownStamps.includes(stamp) ? "us" : "others";
    return { stamp, writer } as const;
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
      const taken = await exclusive(async () => ({ contents: snapshot(), position: journal.length, commit }));
      file.beforeReplace = (next) =>
        exclusive(async () => {
          await journal.append(toLine(toFileEntry(place, next.digest, taken.commit)));
          ownStamps.push(next.stamp); // from now on either may be in place
          if ((await poll()).writer === "others") throw new FileChangedError(`${place.path} was changed`);
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
        const stored = await database.read();
        if (!stored?.journal) throw new FileChangedError(`${place.path} or its journal is gone`);
        const { contents, changes, version, entry, journal: text } = stored;
        ownStamps = [version.stamp];
        if (entry) return false;
        replace(contents, changes);
        compacted = text.files[0]?.commit ?? 0;
        await journal.restart(toFileEntry(place, version.digest, compacted), text.start, runAtOnce);
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
