// An environment on disk: its JSON file, and beside it the journal of the commits that the file does not hold yet. At
// every moment the two together are what has been acknowledged; data/README.md says how they are read.
import type { Change } from "../../domain/change.js";
import type { EnvironmentContents } from "../../domain/state.js";
import type { ChangeLog } from "../environment.js";
import type { EnvironmentDatabase, StoredEnvironment } from "./environment-database.js";
import { FileChangedError, fileStamp } from "./file-stamp.js";
import type { Journal, RunExclusive } from "./journal.js";
import { toCommitLine, toLine } from "./journal-text.js";

/** The environment in memory, as far as its files are concerned. */
export interface LiveContents {
  snapshot(): EnvironmentContents;
  replace(contents: EnvironmentContents, changes: readonly Change[]): void;
  /** Runs a task while nothing is appended and no change becomes visible. */
  exclusive: RunExclusive;
}

export interface JournaledFile extends ChangeLog {
  /** Of the JSON file. */
  readonly path: string;
  /** How many commits the JSON file lacks. */
  readonly pending: number;
  /** Whether the journal is so long that it is to be compacted although commits keep coming. */
  readonly isJournalLong: boolean;
  /**
   * What the JSON file looks like, and whether others have written it since it was last read or written here.
   * @throws JournalLostError: then nothing can be stored.
   */
  poll(): Promise<{ stamp: string | undefined; isEdited: boolean }>;
  /** Rewrites the JSON file while commits keep coming, then begins the journal anew; not of a removed environment. */
  compact(live: Pick<LiveContents, "snapshot" | "exclusive">): Promise<void>;
  /**
   * Makes what others have written, and the journal's commits on top of it, the live contents.
   * @returns whether they have changed the text.
   * @throws InvalidEnvironmentError; then nothing has changed.
   */
  reload(live: Pick<LiveContents, "replace" | "exclusive">): Promise<boolean>;
  close(): Promise<void>;
}

const LONG_JOURNAL_BYTES = 32 * 1024 * 1024; // or as long as the JSON file, if that is longer: the cost of a change does not grow

export function createJournaledFile(
  { db, file, read, toFileEntry }: EnvironmentDatabase,
  journal: Journal,
  commits: Pick<StoredEnvironment, "commit" | "compacted">,
): JournaledFile {
  let { commit, compacted } = commits;
  let isRemoved = false;

  async function poll() {
    journal.assertInPlace();
    const stamp = await fileStamp(file.path);
    return { stamp, isEdited: stamp !== undefined && stamp !== file.version?.stamp };
  }

  return {
    path: file.path,
    get pending() {
      return commit - compacted;
    },
    get isJournalLong() {
      return journal.length > Math.max(LONG_JOURNAL_BYTES, file.version?.length ?? 0);
    },
    poll,
    async append(changes) {
      if (isRemoved) throw new FileChangedError(`${file.path} was removed`);
      await journal.append(toCommitLine({ commit: commit + 1, changes }));
      commit += 1;
      isRemoved = changes.some(({ type }) => type === "removed");
    },
    async compact({ snapshot, exclusive }) {
      const base = await exclusive(async () => ({ contents: snapshot(), position: journal.length, commit }));
      if (isRemoved) return; // a compaction would drop the removal
      file.beforeReplace = (version) =>
        exclusive(async () => {
          await journal.append(toLine(toFileEntry(base.commit, version))); // after a crash, either file may be in place
          if ((await poll()).isEdited) throw new FileChangedError(`${file.path} was changed`);
        });
      db.data = base.contents;
      await db.write();
      await journal.restart(toFileEntry(base.commit), base.position, exclusive);
      compacted = base.commit;
    },
    reload: ({ replace, exclusive }) =>
      exclusive(async () => {
        const previousVersion = file.version;
        const data = await read();
        if (!data) throw new FileChangedError(`${file.path} is gone`);
        if (file.version?.digest === previousVersion?.digest) return false;
        replace(data.contents, data.changes);
        ({ compacted } = data);
        if (!data.entry) await journal.append(toLine(toFileEntry(compacted)));
        return true;
      }),
    close: () => journal.close(),
  };
}
