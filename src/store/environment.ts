// One environment: requests decide on it one after the other, and their changes share one durable commit.
import type { Change } from "../domain/change.js";
import type { AdjustableClock } from "../domain/clock.js";
import type { EnvironmentView } from "../domain/environment-view.js";
import { createDraft, type Draft } from "./draft.js";
import type { EnvironmentState } from "./environment-state.js";

/** Where an environment's changes become durable: its files, or nowhere for one that lives in memory only. */
export interface ChangeLog {
  /** Resolves when the changes are on disk. When it rejects, they never will be, unless it is an UncertainAppendError. */
  append(changes: readonly Change[]): Promise<void>;
}

export interface Decision<T> {
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
   * @throws CannotStoreError when the disk fails; then nothing has changed.
   */
  transact<T>(decide: (view: EnvironmentView) => Decision<T>): Promise<T>;
  /** Runs a task while nobody decides and nothing is being stored. */
  exclusive<T>(task: () => Promise<T>): Promise<T>;
  /** Settles when nothing is waiting to be stored. */
  drain(): Promise<void>;
}

/** The disk failed. Nothing of the change is visible. */
export class CannotStoreError extends Error {
  override name = "CannotStoreError";
  /** Whether a restart may show the change all the same. */
  readonly isUncertain: boolean;

  constructor(cause: unknown) {
    super("The change could not be stored", { cause });
    this.isUncertain = cause instanceof UncertainAppendError;
  }
}

/** What a log rejects with that could not take back what it has rejected: it may be read at the next start. */
export class UncertainAppendError extends Error {
  override name = "UncertainAppendError";
}

interface Request {
  decide: (view: EnvironmentView) => Decision<unknown>;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Settles itself; it never rejects. */
type Task = () => Promise<void>;

interface Outcome {
  request: Request;
  isChange: boolean;
  settle: () => void;
}

export interface EnvironmentParts {
  name: string;
  state: EnvironmentState;
  log: ChangeLog;
  clock: AdjustableClock;
  isDurable: boolean;
}

export function createEnvironment({ name, state, log, clock, isDurable }: EnvironmentParts): Environment {
  let queue: (Request | Task)[] = [];
  let working: Promise<void> | undefined;

  function enqueue(next: Request | Task): void {
    queue.push(next);
    working ??= work();
  }

  function putBack(requests: readonly Request[]): void {
    queue = [...requests, ...queue]; // unshift has a limit
  }

  async function work(): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue);
      if (batch.length > 0) await commit(batch);
      else await (queue.shift() as Task)(); // what is first and no request
    }
    working = undefined;
  }

  async function commit(batch: Request[]): Promise<void> {
    const draft = createDraft(state);
    const outcomes: Outcome[] = [];
    for (const [index, request] of batch.entries()) {
      outcomes.push(decideOne(request, draft));
      if (!draft.hasRecordChanges) continue;
      // A draft does not show changed records: the requests behind decide once they are durable.
      putBack(batch.slice(index + 1));
      break;
    }
    try {
      if (draft.changes.length > 0) await log.append(draft.changes);
    } catch (error) {
      for (const { request, isChange } of outcomes) if (isChange) request.reject(new CannotStoreError(error));
      // The others decide again, on the state without these changes: the disk does not concern them.
      putBack(outcomes.filter(({ isChange }) => !isChange).map(({ request }) => request));
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
    transact: <T>(decide: (view: EnvironmentView) => Decision<T>) =>
      new Promise<T>((resolve, reject) => {
        // The queue holds results of many types; each goes back to the caller whose `decide` made it.
        enqueue({ decide, resolve: resolve as (result: unknown) => void, reject });
      }),
    exclusive: <T>(task: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => enqueue(() => task().then(resolve, reject))),
    drain: async () => working,
  };
}

/** Takes the requests up to the first task. */
function takeBatch(queue: (Request | Task)[]): Request[] {
  const isTask = (next: Request | Task): next is Task => typeof next === "function";
  const end = queue.findIndex(isTask);
  return queue.splice(0, end === -1 ? queue.length : end) as Request[]; // none of them is a task
}

function decideOne(request: Request, draft: Draft): Outcome {
  try {
    const { result, changes } = request.decide(draft.view);
    draft.add(changes);
    return { request, isChange: changes.length > 0, settle: () => request.resolve(result) };
  } catch (error) {
    return { request, isChange: false, settle: () => request.reject(error) };
  }
}
