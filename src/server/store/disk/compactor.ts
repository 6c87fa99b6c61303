// Polls the files of an open environment, between commits: compacts the journal into the JSON file if the environment
// is idle or the journal long, and reloads a file that another process has written.
import { InvalidEnvironmentError, type StoredEnvironment } from "../../../core/state/environment.js";
import { FileChangedError } from "./durable-json-file.js";
import { type EnvironmentFiles, finishRemoval } from "./environment-files.js";

/** Receives what people should know about an environment's files. */
export type Report = (level: "info" | "warn", message: string) => void;

const POLL_MS = 200; // compaction begins two polls after the last commit
const POLLS_SKIPPED = 20; // after an error

type Compacted = Pick<StoredEnvironment, "exclusive" | "state">;

/** Starts polling. */
export function startCompactor(files: EnvironmentFiles, { exclusive, state }: Compacted, report: Report) {
  const { path } = files;
  const poll = createPoll(files, state, report);
  let lastError = "";
  let skipped = 0;
  let polling: Promise<void> | undefined;

  /** True if the journal holds what the JSON file lacks. */
  async function isSafe(): Promise<boolean> {
    const polled = await files.look().catch(() => undefined);
    return polled?.isJournalInPlace === true;
  }

  async function pollSafely(isLast: boolean): Promise<void> {
    try {
      await poll(isLast);
      lastError = "";
    } catch (error) {
      if (error instanceof FileChangedError && !isLast) return; // the next poll finds out who did it
      const { message } = error as Error;
      if (message !== lastError)
        report("warn", `${path} could not be brought up to date. ${(await isSafe()) ? SAFE : UNSAFE}\n${message}`);
      lastError = message;
      skipped = POLLS_SKIPPED;
    }
  }

  const timer = setInterval(() => {
    if (polling) return;
    if (skipped > 0) {
      skipped -= 1;
      return;
    }
    polling = exclusive(() => pollSafely(false)).finally(() => {
      polling = undefined;
    });
  }, POLL_MS).unref();

  async function stop(): Promise<void> {
    clearInterval(timer);
    await polling;
  }

  return {
    stop,
    /**
     * Stops after a last compaction. If that fails, or the file was made invalid, it reports what is on disk.
     */
    async finish(): Promise<void> {
      await stop();
      await exclusive(() => pollSafely(true));
      const isJournalInPlace = await isSafe();
      if (isJournalInPlace && files.pendingBytes === 0) return;
      report("warn", `${path} lacks the last changes. ${isJournalInPlace ? SAFE : UNSAFE}`);
    },
  };
}

/** Creates the function that brings files and state together. */
function createPoll(files: EnvironmentFiles, state: Compacted["state"], report: Report) {
  const { path } = files;
  let last = { stamp: "", pendingBytes: 0 };
  let invalidStamp = "";

  return async function poll(isLast: boolean): Promise<void> {
    const { stamp, writer } = await files.look();
    const isSettled = isLast || stamp === last.stamp; // another process may still be writing
    const isIdle = isLast || files.pendingBytes === last.pendingBytes;
    last = { stamp, pendingBytes: files.pendingBytes };
    if (writer !== "this process" && !isSettled) return;
    if (writer === "none") {
      await files.compact(state.toData());
      return report("info", `${path} or its journal was removed or replaced. Both are rewritten.`);
    }
    if (writer === "another process") {
      const isReloaded = stamp !== invalidStamp && (await reload());
      invalidStamp = isReloaded ? "" : stamp;
      if (!isReloaded) return;
    }
    if (files.pendingBytes > 0 && (isIdle || files.isJournalLong)) await files.compact(state.toData());
  };

  async function reload(): Promise<boolean> {
    try {
      const { contents, changes } = await files.reload(state.toData().keyHash);
      state.apply([{ type: "replaced", data: contents }, ...changes]);
      const onTop = changes.length > 0 ? " The changes in its journal were made again on top of it." : "";
      report("info", `${path} was edited by hand and has been reloaded.${onTop}`);
      return true;
    } catch (error) {
      if (!(error instanceof InvalidEnvironmentError)) throw error;
      report("warn", `${path} was edited by hand and is now invalid. ${CONTINUES}\n${error.message}`);
      return false;
    }
  }
}

export interface Lifetime {
  /** Writes everything and closes the files. */
  close(): Promise<void>;
  /**
   * Removes the environment and its files durably.
   * @throws CannotStoreError if the disk fails; then everything goes on as before.
   */
  remove(): Promise<void>;
}

/** Polls an environment's files until it is closed or removed. */
export function createLifetime(environment: StoredEnvironment, files: EnvironmentFiles, report: Report): Lifetime {
  let compactor = startCompactor(files, environment, report);
  return {
    async close() {
      await environment.drain();
      await compactor.finish();
      await files.close();
    },
    async remove() {
      await compactor.stop(); // a file that it writes could outlive the removal
      try {
        await environment.transact(() => ({ result: undefined, changes: [{ type: "removed" }] }));
      } catch (error) {
        compactor = startCompactor(files, environment, report);
        throw error;
      }
      await files.close();
      await finishRemoval(files.path).catch(() => {}); // the next start tries again, or whoever takes the name
    },
  };
}

const SAFE = "Nothing is lost: the journal beside it holds what it lacks.";
const UNSAFE =
  "Its journal was removed or replaced: the state is in memory only, and updates are rejected until it can be written.";
const CONTINUES =
  "The server does not overwrite it and continues with the previous state. Fix the file, or move it away to have " +
  "that state written.";
