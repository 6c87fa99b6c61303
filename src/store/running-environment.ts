// An environment together with what runs for it: its files, where it has any, and the compactor that looks after them.
import type { Change } from "../domain/change.js";
import { type Clock, createAdjustableClock } from "../domain/clock.js";
import type { EnvironmentContents } from "../domain/state.js";
import { type Report, startCompactor } from "./disk/compactor.js";
import { removeFiles } from "./disk/environment-files.js";
import type { JournaledFile, LiveContents } from "./disk/journaled-file.js";
import { createEnvironment, type Environment } from "./environment.js";
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
  disk: { file: JournaledFile; report: Report } | undefined;
}

export function startEnvironment({ name, contents, changes = [], clock, disk }: RunningParts): RunningEnvironment {
  const state = createEnvironmentState(contents);
  state.apply(changes);
  const environment = createEnvironment({ name, state, log: disk?.file, clock: createAdjustableClock(clock) });
  if (!disk) return { environment, close: environment.drain, remove: environment.drain };
  const { file, report } = disk;
  const live: LiveContents = {
    snapshot: state.toContents,
    replace: (data, changes) => state.apply([{ type: "replaced", data }, ...changes]),
    exclusive: environment.exclusive,
  };
  const compactor = startCompactor(file, live, report);
  return {
    environment,
    async close() {
      await environment.drain();
      await compactor.finish();
      await file.close();
    },
    async remove() {
      await environment.transact(() => ({ result: undefined, changes: [{ type: "removed" }] }));
      await compactor.stop(); // what it writes could outlive the removal
      await file.close();
      await removeFiles(file.path).catch(() => {}); // the next start does it, or whoever takes the name
    },
  };
}
