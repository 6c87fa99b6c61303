// Reloads a file after each save. While it is invalid, the last valid value stays in use. Editors truncate a file before
// they write it, so an invalid one is read twice before it is reported.
import { unwatchFile, watchFile } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { splitRevision } from "../contract/contract-file.js";
import type { WatchedFile, WatchOptions } from "./serving.js";

const INTERVAL_MS = 200;

interface LoadOptions<T> extends WatchOptions<T> {
  path: string;
  /** If it throws, the message becomes `error`. */
  load: () => Promise<T>;
}

/**
 * Loads a file and, if `isWatched`, reloads it after each save. A file of a git revision never changes.
 * @throws the error of the first load; then nothing is watched.
 */
export async function openWatchedFile<T>({ path, load, use, isWatched, log }: LoadOptions<T>): Promise<WatchedFile<T>> {
  let error: string | undefined;
  // Watch first, so that a save during the first load is not missed.
  const watch = isWatched && !splitRevision(path) ? watchForSaves(path, reload) : undefined;
  const loading = load();
  async function reload(): Promise<void> {
    const failure = (await loadAgain()) && (await pause(INTERVAL_MS).then(loadAgain)); // the save may be unfinished
    error = failure?.message;
    if (failure) log.error(`${error}\nThe server keeps the last valid version.`);
    else log.info(`${path} was reloaded`);
  }
  async function loadAgain(): Promise<Error | undefined> {
    try {
      await loading;
      const next = await load();
      use(next);
      value = next;
      return undefined;
    } catch (cause) {
      return cause as Error;
    }
  }
  let value: T;
  try {
    value = await loading;
  } catch (error) {
    await watch?.close();
    throw error;
  }
  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
    close: async () => watch?.close(),
  };
}

/** Calls back after each change of the file, one call at a time. `close` waits for a call in progress. */
function watchForSaves(path: string, onSave: () => Promise<void>): { close(): Promise<void> } {
  let last = Promise.resolve();
  // Polls: a watch ends when an editor replaces the file, and sees no changes in many containers.
  const listener = () => {
    last = last.then(onSave);
  };
  watchFile(path, { interval: INTERVAL_MS, persistent: false }, listener);
  return {
    close() {
      unwatchFile(path, listener);
      return last;
    },
  };
}
