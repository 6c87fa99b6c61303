// Looks after an environment's files while it is open: folds the journal into the JSON file when the environment rests or
// the journal has grown long, and takes in what others write to the file.
import { BrokenEnvironmentError } from "./broken-environment.js";
import type { Environment } from "./environment.js";
import { FileChangedError, type JournaledFile } from "./journaled-file.js";

/** Hears what a person should know of an environment's files. */
export type Report = (level: "info" | "warn", message: string) => void;

const LOOK_MS = 200; // a commit is in the JSON file after two looks, and the time that writing it takes
const LOOKS_LEFT_OUT = 20; // after a failure

/**
 * Starts looking. The function that comes back ends it, with everything in the JSON file: unless that cannot be written,
 * or others have made it what it may not be.
 */
export function keepFile(
  path: string,
  file: JournaledFile,
  environment: Environment,
  report: Report,
): () => Promise<void> {
  let seen = { appearance: "", pending: 0 };
  let refused = "";
  let trouble = "";
  let leftOut = 0;
  let looking: Promise<void> | undefined;

  async function look(isLast: boolean): Promise<void> {
    const { appearance, owner } = await file.look();
    const isSettled = isLast || appearance === seen.appearance; // whoever writes it may not have finished
    const isIdle = isLast || file.pending === seen.pending;
    seen = { appearance, pending: file.pending };
    if (owner === "others" && !(isSettled && (await takeIn(appearance)))) return;
    const isDue = file.pending > 0 && (isIdle || file.isJournalLong);
    if (isDue || (owner === "nobody" && isSettled)) await file.fold(environment);
    else if (isIdle) await file.release();
  }

  async function takeIn(appearance: string): Promise<boolean> {
    if (appearance === refused) return false;
    try {
      if (await file.takeIn(environment)) report("info", `${path} was changed by hand, and is what counts now.`);
      return true;
    } catch (error) {
      if (!(error instanceof BrokenEnvironmentError)) throw error;
      refused = appearance;
      report("warn", `${path} was changed by hand to something that cannot be used. ${WAY_ON}\n${error.message}`);
      return false;
    }
  }

  async function lookSafely(isLast: boolean): Promise<void> {
    try {
      await look(isLast);
      trouble = "";
    } catch (error) {
      if (error instanceof FileChangedError && !isLast) return; // the next look finds by whom
      const { message } = error as Error;
      if (message !== trouble) report("warn", `${path} could not be brought up to date. ${JOURNAL}\n${message}`);
      trouble = message;
      leftOut = LOOKS_LEFT_OUT;
    }
  }

  const timer = setInterval(() => {
    if (looking || leftOut-- > 0) return;
    looking = lookSafely(false).finally(() => {
      looking = undefined;
    });
  }, LOOK_MS).unref();

  return async () => {
    clearInterval(timer);
    await looking;
    await lookSafely(true);
    if (file.pending > 0) report("warn", `${path} lacks the last ${file.pending} commits. ${JOURNAL}`);
  };
}

const JOURNAL = "Nothing is lost: the journal beside it holds what it lacks.";
const WAY_ON =
  "It is left as it is, and the state from before goes on. Mend the file, or move it away to have that state written.";
