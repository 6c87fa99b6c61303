// Looks after an environment's files while it is open: compacts the journal into the JSON file when the environment is idle
// or the journal has grown long, and reloads what others write to the file.
import { InvalidEnvironmentError } from "../format/invalid-environment-error.js";
import { FileChangedError } from "./file-stamp.js";
import { JournalLostError } from "./journal.js";
import type { JournaledFile, LiveContents } from "./journaled-file.js";

/** Receives what a person should know of an environment's files. */
export type Report = (level: "info" | "warn", message: string) => void;

const POLL_MS = 200; // a commit is in the JSON file after two polls, and the time that writing it takes
const POLLS_SKIPPED = 20; // after an error

export interface Compactor {
  /** Settles when nothing more is written. */
  stop(): Promise<void>;
  /** Stops with everything in the JSON file, or a report why it is not. */
  finish(): Promise<void>;
}

/** Starts polling. */
export function startCompactor(file: JournaledFile, live: LiveContents, report: Report): Compactor {
  const { path } = file;
  let last: { stamp: string | undefined; pending: number } = { stamp: "", pending: 0 };
  let invalidStamp: string | undefined;
  let lastError: Error | undefined;
  let skipped = 0;
  let polling: Promise<void> | undefined;

  async function poll(isLast: boolean): Promise<void> {
    const { stamp, isEdited } = await file.poll();
    const isSettled = isLast || stamp === last.stamp; // whoever writes it may not have finished
    const isIdle = isLast || file.pending === last.pending;
    last = { stamp, pending: file.pending };
    if (isEdited && !(isSettled && (await reload(stamp)))) return;
    const isDue = file.pending > 0 && (isIdle || file.isJournalLong);
    if (stamp === undefined ? isSettled : isDue) await file.compact(live);
  }

  async function reload(stamp: string | undefined): Promise<boolean> {
    if (stamp === invalidStamp) return false;
    try {
      if (await file.reload(live)) report("info", `${path} was edited by hand and has been reloaded.`);
      return true;
    } catch (error) {
      if (!(error instanceof InvalidEnvironmentError)) throw error;
      invalidStamp = stamp;
      report("warn", `${path} was edited by hand and is now invalid. ${CONTINUES}\n${error.message}`);
      return false;
    }
  }

  async function pollSafely(isLast: boolean): Promise<void> {
    try {
      await poll(isLast);
      lastError = undefined;
    } catch (thrown) {
      if (thrown instanceof FileChangedError && !isLast) return; // the next poll finds by whom
      const error = thrown as Error;
      if (error.message !== lastError?.message)
        report("warn", `${path} could not be brought up to date. ${error.message}`);
      lastError = error;
      skipped = POLLS_SKIPPED;
    }
  }

  const timer = setInterval(() => {
    if (polling || skipped-- > 0) return;
    polling = pollSafely(false).finally(() => {
      polling = undefined;
    });
  }, POLL_MS).unref();

  async function stop(): Promise<void> {
    clearInterval(timer);
    await polling;
  }

  return {
    stop,
    async finish() {
      await stop();
      await pollSafely(true);
      const where = lastError instanceof JournalLostError ? "They end with this server." : "Its journal holds them.";
      if (file.pending > 0) report("warn", `${path} lacks the last ${file.pending} commits. ${where}`);
    },
  };
}

const CONTINUES =
  "The server does not overwrite it and continues with the previous state. Fix the file, or move it away to have that state written.";
