// A log whose commits wait until the test lets them succeed or fail.
import type { Change } from "../../src/core/domain/state.js";
import type { ChangeLog } from "../../src/core/state/environment.js";

export interface Commit {
  changes: readonly Change[];
  succeed(): void;
  fail(reason: Error): void;
}

export interface ScriptedLog extends ChangeLog {
  /** The number of commits so far. */
  readonly count: number;
  /** Resolves with the next commit. */
  takeCommit(): Promise<Commit>;
}

export function createScriptedLog(): ScriptedLog {
  const arrived: Commit[] = [];
  const waiting: ((commit: Commit) => void)[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    append(changes) {
      count += 1;
      return new Promise<void>((succeed, fail) => {
        const commit = { changes, succeed, fail };
        const take = waiting.shift();
        if (take) take(commit);
        else arrived.push(commit);
      });
    },
    takeCommit() {
      const commit = arrived.shift();
      return commit ? Promise.resolve(commit) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
