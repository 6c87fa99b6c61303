// An environment together with what runs for it: its files, where it has any, and the compactor that looks after them.
import type { Change } from "../domain/change.js";
import { type Clock, createAdjustableClock } from "../domain/clock.js";
import type { EnvironmentContents } from "../domain/state.js";
import { type Report, startCompactor } from "./disk/compactor.js";
import { finishRemoval } from "./disk/environment-files.js";
import type { JournaledFile, LiveContents } from "./disk/journaled-file.js";
import { type ChangeLog, createEnvironment, type Environment } from "./environment.js";
import { createEnvironmentState } from "./state/environment-state.js";

export interface RunningEnvironment {
  environment: Environment;
  /** Writes what is left and closes the files. */
  close(): Promise<void>;
  /**
   * Removes the environment and its files, so that they stay removed.
   * @throws CannotStoreError when the disk fails; then everything goes on as before.
   */
  remove(): Promise<void>;
}

export interface RunningParts {
  name: string;
  contents: EnvironmentContents;
  /** What the journal adds to the contents. */
  changes?: readonly Change[];
  clock: Clock;
  /** Undefined for an environment that lives in memory only. */
  disk: { path: string; file: JournaledFile; report: Report } | undefined;
}

export function startEnvironment({ name, contents, changes = [], clock, disk }: RunningParts): RunningEnvironment {
  const state = createEnvironmentState(contents);
  state.apply(changes);
  const environment = createEnvironment({
    name,
    state,
    log: disk?.file ?? IN_MEMORY,
    clock: createAdjustableClock(clock),
    isDurable: disk !== undefined,
  });
  if (!disk) return { environment, close: environment.drain, remove: environment.drain };
  const { path, file, report } = disk;
  const live: LiveContents = {
    snapshot: state.toContents,
    replace: (data, changes) => state.apply([{ type: "replaced", data }, ...changes]),
    exclusive: environment.exclusive,
  };
  let compactor = startCompactor(path, file, live, report);
  return {
    environment,
    async close() {
      await environment.drain();
      await compactor.finish();
      await file.close();
    },
    async remove() {
      await compactor.stop(); // what it writes could outlive the removal
      try {
        await environment.transact(() => ({ result: undefined, changes: [{ type: "removed" }] }));
      } catch (error) {
        compactor = startCompactor(path, file, live, report);
        throw error;
      }
      await file.close();
      await finishRemoval(path).catch(() => {}); // the next start does it, or whoever takes the name
    },
  };
}

const IN_MEMORY: ChangeLog = { append: async () => {} };
