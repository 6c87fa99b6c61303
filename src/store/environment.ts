// One environment: requests decide on it one after the other, and their changes share one durable commit.
import type { AdjustableClock } from "../domain/clock.js";
import type { Change, EnvironmentView } from "../domain/environment-view.js";
import type { EnvironmentData } from "../domain/state.js";
import { createDraft, type EnvironmentState } from "./environment-state.js";

/** Where an environment's changes become durable. The file of one environment, or nothing for an ephemeral one. */
export interface ChangeLog {
  /** Resolves when the changes are on disk. `next` is the whole environment after them. */
  append(changes: readonly Change[], next: () => EnvironmentData): Promise<void>;
}

export interface Decided<T> {
  result: T;
  changes: readonly Change[];
}

export interface Environment {
  readonly name: string;
  /** The present of this environment: its windows, defaults and expiries follow it. */
  readonly clock: AdjustableClock;
  /** Whether it outlives the server. */
  readonly isDurable: boolean;
  /** What is durable. Drafts are never seen here. */
  readonly state: EnvironmentState;
  /**
   * Lets `decide` look at the latest state, the changes of requests before it included, and settles when what it
   * decided is on disk. What `decide` throws reaches this caller alone.
   * @throws CannotStoreError when the disk refuses; then nothing has changed.
   */
  transact<T>(decide: (view: EnvironmentView) => Decided<T>): Promise<T>;
  /** Settles when nothing is waiting to be stored. */
  drain(): Promise<void>;
}

/** The disk refused a change. Nothing of it is visible. */
export class CannotStoreError extends Error {
  constructor(cause: unknown) {
    super("The change could not be stored", { cause });
    this.name = "CannotStoreError";
  }
}

interface Waiting {
  decide: (view: EnvironmentView) => Decided<unknown>;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

interface EnvironmentParts {
  name: string;
  state: EnvironmentState;
  log: ChangeLog;
  clock: AdjustableClock;
  isDurable: boolean;
}

export function createEnvironment({ name, state, log, clock, isDurable }: EnvironmentParts): Environment {
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  async function commitAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await commit(batch);
    }
    writing = undefined;
  }

  async function commit(batch: Waiting[]): Promise<void> {
    const draft = createDraft(state);
    const outcomes: ({ request: Waiting } & ReturnType<typeof attempt>)[] = [];
    for (const request of batch) {
      // A draft does not show changed records: who comes after them decides once they are durable.
      if (draft.hasRecordChanges) waiting.push(request);
      else outcomes.push({ request, ...attempt(request, draft.view, draft.add) });
    }
    try {
      if (draft.changes.length > 0) await log.append(draft.changes, () => state.toData(draft.changes));
    } catch (error) {
      // Whoever changed nothing is not told of the disk: it decides again, on the state without these changes.
      const [changing, reading] = [true, false].map((flag) => outcomes.filter(({ changes }) => changes > 0 === flag));
      for (const { request } of changing ?? []) request.reject(new CannotStoreError(error));
      waiting.unshift(...(reading ?? []).map(({ request }) => request));
      return;
    }
    state.apply(draft.changes);
    for (const { settle } of outcomes) settle();
  }

  return {
    name,
    clock,
    isDurable,
    state,
    transact: <T>(decide: (view: EnvironmentView) => Decided<T>) =>
      new Promise<T>((resolve, reject) => {
        // The queue holds results of many types; each goes back to the caller whose `decide` made it.
        waiting.push({ decide, resolve: resolve as (result: unknown) => void, reject });
        writing ??= commitAll();
      }),
    drain: async () => writing,
  };
}

function attempt(
  { decide, resolve, reject }: Waiting,
  view: EnvironmentView,
  add: (changes: readonly Change[]) => void,
) {
  try {
    const { result, changes } = decide(view);
    add(changes);
    return { changes: changes.length, settle: () => resolve(result) };
  } catch (error) {
    return { changes: 0, settle: () => reject(error) };
  }
}
