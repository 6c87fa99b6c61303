// An environment on disk: its JSON file, and beside it the journal of the commits that the file does not hold yet. At
// every moment the two together are what has been acknowledged; data/README.md says how they are read.
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { Change } from "../domain/environment-view.js";
import type { EnvironmentContents } from "../domain/state.js";
import { BrokenEnvironmentError } from "./broken-environment.js";
import { syncFolderOf } from "./data-folder.js";
import { type FileVersion, lookAt } from "./durable-json-file.js";
import type { ChangeLog, Environment } from "./environment.js";
import {
  GONE,
  ignoreMissing,
  type Place,
  readFiles,
  readJournal,
  replaceFile,
  toFileEntry,
  toJournalPath,
} from "./environment-files.js";
import { createJournal, type Journal, openJournal } from "./journal.js";

export interface Loaded {
  contents: EnvironmentContents;
  /** What the journal adds to the contents, oldest first. */
  changes: readonly Change[];
  /** Whether others have written the file since it was written here. */
  isForeign: boolean;
  /** How many bytes of an entry that was never acknowledged stood at the journal's end. */
  tornBytes: number;
}

export interface JournaledFile extends ChangeLog {
  /** How many commits the JSON file lacks. */
  readonly pending: number;
  /** Whether the journal is so long that the file is to be written anew although the environment does not rest. */
  readonly isJournalLong: boolean;
  /** What the file looks like, and who has made it so since it was last read or written here. */
  look(): Promise<{ appearance: string; owner: "us" | "others" | "nobody" }>;
  /** Rewrites the JSON file while the environment goes on, then begins the journal anew. */
  fold(environment: Environment): Promise<void>;
  /**
   * Gives up the text that the last fold has replaced. To free a large one may keep the disk busy, with all who wait for
   * it: a third of a second for 250 MB where the file system is mounted with `discard`.
   */
  release(): Promise<void>;
  /**
   * Makes what others have written, and the journal's commits on top of it, the state of the environment.
   * @returns whether they have changed the text.
   * @throws BrokenEnvironmentError; then nothing has changed.
   */
  takeIn(environment: Environment): Promise<boolean>;
  close(): Promise<void>;
}

/** The file was changed by others while it was about to be replaced. It was left as they made it. */
export class FileChangedError extends Error {
  override name = "FileChangedError";
}

const LONG_JOURNAL_BYTES = 32 * 1024 * 1024; // of a longer file, as much as that: so a change costs the same whatever is stored

/** Opens an environment's files; undefined when there are none. */
export async function openJournaledFile(place: Place): Promise<(Loaded & { file: JournaledFile }) | undefined> {
  const loaded = await readFiles(place, "ours");
  if (!loaded) {
    await rm(toJournalPath(place.path), { force: true }); // one without commits, of a file that was taken away
    return undefined;
  }
  const { text, version, continued } = loaded;
  const base = toFileEntry(place, version.digest, continued?.commit ?? text?.files[0]?.commit ?? 0);
  const journalPath = toJournalPath(place.path);
  const journal = text ? await openJournal(journalPath, text.length) : await createJournal(journalPath, base);
  const isKnown = continued?.contract === place.contract;
  if (text && !isKnown) await journal.restart(base, text.start, nobodyElse).catch(closeFirst(journal)); // it has been checked now
  const commit = text?.commits.at(-1)?.commit ?? base.commit;
  return { ...loaded, file: toJournaledFile(place, journal, { version, commit, folded: base.commit }) };
}

/** Makes the files of a new environment, or puts other contents in the place of what they held. */
export async function writeJournaledFile(place: Place, contents: EnvironmentContents): Promise<JournaledFile> {
  const journalPath = toJournalPath(place.path);
  const text = await readJournal(journalPath).catch(ignoreBroken);
  if (!text) await rm(journalPath, { force: true });
  const former = text && (await openJournal(journalPath, text.length));
  const commit = text?.commits.at(-1)?.commit ?? text?.files.at(-1)?.commit ?? 0;
  try {
    const version = await replaceFile(place, contents, async ({ digest }) =>
      former?.append(toFileEntry(place, digest, commit)),
    );
    const journal = await createJournal(journalPath, toFileEntry(place, version.digest, commit));
    return toJournaledFile(place, journal, { version, commit, folded: commit });
  } finally {
    await former?.close();
  }
}

/** Removes an environment's files so that they stay removed: a crash in between leaves all of it or nothing. */
export async function removeJournaledFile(path: string): Promise<void> {
  const removed = `${path}${REMOVED}`;
  await rename(path, removed);
  await syncFolderOf(path);
  await finishRemoval(path);
}

/** What the name of a JSON file ends with while its environment is being removed. */
export const REMOVED = ".removed";

export async function finishRemoval(path: string): Promise<void> {
  await rm(toJournalPath(path), { force: true });
  await rm(`${path}${REMOVED}`, { force: true });
  await syncFolderOf(path);
}

/** @param known what the JSON file is, the last commit, and the last one that the file holds. */
function toJournaledFile(
  place: Place,
  journal: Journal,
  known: { version: FileVersion; commit: number; folded: number },
): JournaledFile {
  let { commit, folded } = known;
  let appearances = [known.version.appearance];
  let fileBytes = known.version.length;
  let replaced: FileHandle | undefined; // what is open is not freed

  async function look() {
    const appearance = await lookAt(place.path).catch(ignoreMissing);
    const owner = appearance === GONE ? "nobody" : appearances.includes(appearance) ? "us" : "others";
    return { appearance, owner } as const;
  }

  async function release(): Promise<void> {
    const former = replaced;
    replaced = undefined;
    await former?.close();
  }

  return {
    get pending() {
      return commit - folded;
    },
    get isJournalLong() {
      return journal.length > Math.max(LONG_JOURNAL_BYTES, fileBytes);
    },
    look,
    async append(changes) {
      await journal.append({ commit: commit + 1, changes });
      commit += 1;
    },
    async fold(environment) {
      await release();
      const former = await open(place.path, "r").catch(ignoreMissing);
      if (former !== GONE) replaced = former;
      const taken = await environment.alone(async () => ({
        contents: environment.state.toContents(),
        position: journal.length,
        commit,
      }));
      const version = await replaceFile(place, taken.contents, (next) =>
        environment.alone(async () => {
          if ((await look()).owner === "others") throw new FileChangedError(`${place.path} was changed`);
          await journal.append(toFileEntry(place, next.digest, taken.commit));
          appearances.push(next.appearance); // from now on either may be in place
        }),
      );
      appearances = [version.appearance];
      fileBytes = version.length;
      await journal.restart(toFileEntry(place, version.digest, taken.commit), taken.position, environment.alone);
      folded = taken.commit;
    },
    takeIn: (environment) =>
      environment.alone(async () => {
        const loaded = await readFiles(place, "foreign");
        if (!loaded?.text) throw new FileChangedError(`${place.path} or its journal is gone`);
        const { contents, changes, version, text, continued } = loaded;
        appearances = [version.appearance];
        fileBytes = version.length;
        if (continued) return false;
        environment.state.replace(contents);
        environment.state.apply(changes);
        folded = text.files[0]?.commit ?? 0;
        await journal.restart(toFileEntry(place, version.digest, folded), text.start, nobodyElse);
        return true;
      }),
    release,
    async close() {
      await release();
      await journal.close();
    },
  };
}

const nobodyElse = (task: () => Promise<void>) => task();

function closeFirst(journal: Journal): (error: unknown) => Promise<never> {
  return async (error) => {
    await journal.close();
    throw error;
  };
}

function ignoreBroken(error: unknown): undefined {
  if (!(error instanceof BrokenEnvironmentError)) throw error;
}
