// A file, and the files that it refers to, loaded again after each save. While they are invalid, the last valid value stays in use.
import { unwatchFile, watchFile } from "node:fs";
import type { Logger } from "pino";

const INTERVAL_MS = 200;

export interface WatchedFile<T> {
  readonly value: T;
  /** Why the file, as it is now, is not in use. */
  readonly error: string | undefined;
  close(): Promise<void>;
}

export interface WatchedFileOptions<T> {
  path: string;
  /** Loads the file, and says which others it reads. What it throws becomes `error`. */
  load: (onRead: (path: string) => void) => Promise<T>;
  /** Puts a later value to use. What it throws becomes `error` too, and the value before it stays. */
  use?: (value: T) => void;
  /** Load it again after each save. */
  isWatched: boolean;
  log: Logger;
}

/**
 * Loads a file and, where it is watched, again after each save.
 * @throws what the first load throws; then nothing is watched.
 */
export async function openWatchedFile<T>({
  path,
  load,
  use,
  isWatched,
  log,
}: WatchedFileOptions<T>): Promise<WatchedFile<T>> {
  let error: string | undefined;
  // Watched from the beginning, so that a save during the first load is not missed.
  const watch = isWatched ? watchForSaves(reload) : undefined;
  watch?.add(path);
  const loading = load((other) => watch?.add(other));
  async function reload(): Promise<void> {
    try {
      await loading;
      const next = await load((other) => watch?.add(other));
      use?.(next);
      value = next;
      error = undefined;
      log.info(`${path} was loaded again`);
    } catch (cause) {
      error = (cause as Error).message;
      log.error(`${error}\nThe last valid version stays in use.`);
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

/** Calls back after each change of the files, one call at a time. `close` settles once the call under way, if any, is done. */
function watchForSaves(onSave: () => Promise<void>): { add(path: string): void; close(): Promise<void> } {
  const paths = new Set<string>();
  let last = Promise.resolve();
  // Polled: a watch on the file itself ends when an editor puts a new one in its place, and sees nothing in many containers.
  const listener = () => {
    last = last.then(onSave);
  };
  return {
    add(path) {
      if (!paths.has(path)) watchFile(path, { interval: INTERVAL_MS, persistent: false }, listener);
      paths.add(path);
    },
    close() {
      for (const path of paths) unwatchFile(path, listener);
      return last;
    },
  };
}
