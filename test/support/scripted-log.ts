// A disk whose every commit waits for the test's word.
import type { Change } from "../../src/core/domain/state.js";
import type { ChangeLog } from "../../src/core/state/environment.js";

export interface Commit {
  changes: readonly Change[];
  succeed(): void;
  fail(reason: Error): void;
}

export interface ScriptedLog extends ChangeLog {
  /** How many commits there were. */
  readonly count: number;
  /** The first commit that has not been given yet, once it has come. */
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
