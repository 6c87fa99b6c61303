// What a file held when it was last right. A broken save changes nothing but the message that says why.
import type { Logger } from "pino";
import { watchForSaves } from "./file-watch.js";

export interface WatchedFile<T> {
  readonly value: T;
  /** What is wrong with the file as it is now. */
  readonly fault: string | undefined;
  close(): Promise<void>;
}

export interface WatchedFileOptions<T> {
  path: string;
  /** Reads the file. What it throws is the fault. */
  load: () => Promise<T>;
  /** Puts a later value to use. What it throws is a fault too, and the value before it stays. */
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
  let fault: string | undefined;
  const loading = load();
  // Watched from the beginning, so that a save during the first load is not missed.
  const watch = isWatched ? watchForSaves(path, reload) : undefined;
  async function reload(): Promise<void> {
    try {
      await loading;
      const saved = await load();
      use?.(saved);
      value = saved;
      fault = undefined;
      log.info(`${path} is used as it is now`);
    } catch (error) {
      fault = (error as Error).message;
      log.error(`${fault}\nWhat the file held before goes on being used.`);
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
    get fault() {
      return fault;
    },
    close: async () => watch?.close(),
  };
}
