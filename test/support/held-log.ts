// A disk that holds back until it is told to go on.
import type { ChangeLog } from "../../src/store/environment.js";

export interface HeldLog {
  log: ChangeLog;
  /** Settles when the first commit has come. */
  reached: Promise<void>;
  release(): void;
}

export function createHeldLog(): HeldLog {
  let arrive = () => {};
  let release = () => {};
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    log: {
      append() {
        arrive();
        return released;
      },
    },
    reached,
    release: () => release(),
  };
}
