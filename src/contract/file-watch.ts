// Notices that a file was saved, in whichever way editors do it.
import { unwatchFile, watchFile } from "node:fs";

export interface Watch {
  /** Settles once the call under way, if any, is done. */
  close(): Promise<void>;
}

const INTERVAL_MS = 200;

/** Calls back after each change of a file, one call at a time. */
export function watchForSaves(path: string, onSave: () => Promise<void>): Watch {
  let last = Promise.resolve();
  // Polled: a watch on the file itself ends when an editor puts a new one in its place, and sees nothing in many containers.
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
