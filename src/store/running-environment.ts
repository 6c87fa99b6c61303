// An environment together with what runs for it: its files, where it has any, and the compactor that looks after them.
import type { Change } from "../domain/change.js";
import { type Clock, createAdjustableClock } from "../domain/clock.js";
import type { EnvironmentContents } from "../domain/state.js";
import { type Report, startCompactor } from "./disk/compactor.js";
import type { JournaledFile, LiveContents } from "./disk/journaled-file.js";
import { type ChangeLog, createEnvironment, type Environment } from "./environment.js";
import { createEnvironmentState } from "./environment-state.js";

export interface RunningEnvironment {
  environment: Environment;
  /** Writes what is left and closes the files. */
  close(): Promise<void>;
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
  if (!disk) return { environment, close: environment.drain };
  const live: LiveContents = {
    snapshot: state.toContents,
    replace(reloaded, journaled) {
      state.replace(reloaded);
      state.apply(journaled);
    },
    exclusive: environment.exclusive,
  };
  const stopCompactor = startCompactor(disk.path, disk.file, live, disk.report);
  return {
    environment,
    async close() {
      await environment.drain();
      await stopCompactor();
      await disk.file.close();
    },
  };
}

const IN_MEMORY: ChangeLog = { append: async () => {} };
