// One environment: requests decide on it one after the other, and their changes share one durable commit.
import type { AdjustableClock } from "../domain/clock.js";
import type { Change, EnvironmentView } from "../domain/environment-view.js";
import { createDraft, type EnvironmentState } from "./environment-state.js";

/** Where an environment's changes become durable. The file of one environment, or nothing for an ephemeral one. */
export interface ChangeLog {
  /** Resolves when the changes are on disk. When it rejects, they never will be. */
  append(changes: readonly Change[]): Promise<void>;
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
  /** Runs a task while nobody decides and nothing is being stored. */
  alone<T>(task: () => Promise<T>): Promise<T>;
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

/** Settles itself; it never rejects. */
type Task = () => Promise<void>;

interface EnvironmentParts {
  name: string;
  state: EnvironmentState;
  log: ChangeLog;
  clock: AdjustableClock;
  isDurable: boolean;
}

export function createEnvironment({ name, state, log, clock, isDurable }: EnvironmentParts): Environment {
  const waiting: (Waiting | Task)[] = [];
  let working: Promise<void> | undefined;

  function enqueue(next: Waiting | Task): void {
    waiting.push(next);
    working ??= workOff();
  }

  async function workOff(): Promise<void> {
    for (let batch = takeRequests(waiting); waiting.length > 0 || batch.length > 0; batch = takeRequests(waiting)) {
      if (batch.length > 0) await commit(batch);
      else await (waiting.shift() as Task)(); // what is first and no request
    }
    working = undefined;
  }

  async function commit(batch: Waiting[]): Promise<void> {
    const draft = createDraft(state);
    const outcomes: ({ request: Waiting } & ReturnType<typeof attempt>)[] = [];
    for (const [index, request] of batch.entries()) {
      outcomes.push({ request, ...attempt(request, draft.view, draft.add) });
      if (!draft.hasRecordChanges) continue;
      // A draft does not show changed records: who comes after them decides once they are durable.
      waiting.unshift(...batch.slice(index + 1));
      break;
    }
    try {
      if (draft.changes.length > 0) await log.append(draft.changes);
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
        enqueue({ decide, resolve: resolve as (result: unknown) => void, reject });
      }),
    alone: <T>(task: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => enqueue(() => task().then(resolve, reject))),
    drain: async () => working,
  };
}

/** Takes the requests up to the first task. */
function takeRequests(waiting: (Waiting | Task)[]): Waiting[] {
  const isTask = (one: Waiting | Task): one is Task => typeof one === "function";
  const end = waiting.findIndex(isTask);
  return waiting.splice(0, end === -1 ? waiting.length : end) as Waiting[]; // none of them is a task
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
