// One environment: transactions run on it one after the other, and their changes share one durable commit.
import type { Change } from "../domain/change.js";
import type { AdjustableClock } from "../domain/clock.js";
import type { EnvironmentState } from "../domain/state.js";
import { type ChangingState, createDraft, type Draft, isRecordChange } from "./state/environment-state.js";

/** The names of environments, which are the names of their files. */
export const ENVIRONMENT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The one that is always there, opened by the server's own key. */
export const DEFAULT_ENVIRONMENT = "default";

/** Where an environment's changes become durable: its files, or nowhere for one that lives in memory only. */
export interface ChangeLog {
  /** Resolves when the changes are on disk. When it rejects, they never will be, unless it is an UncertainAppendError. */
  append(changes: readonly Change[]): Promise<void>;
}

export interface TransactionResult<T> {
  result: T;
  changes: readonly Change[];
}

/** Reads the state and says what it changes; nothing is changed yet. */
export type Transaction<T> = (state: EnvironmentState) => TransactionResult<T>;

export interface Environment {
  readonly name: string;
  /** The present of this environment: its windows, defaults and expiries follow it. */
  readonly clock: AdjustableClock;
  /** Whether it outlives the server. */
  readonly isDurable: boolean;
  /** What is durable. Drafts are never seen here. */
  readonly state: ChangingState;
  /**
   * Runs a transaction on the latest state, the changes of those before it included, and settles when its own changes
   * are on disk. What it throws reaches this caller alone.
   * @throws CannotStoreError when the disk fails; then nothing has changed.
   */
  transact<T>(transaction: Transaction<T>): Promise<T>;
  /** Runs a task while no transaction runs and nothing is being stored. */
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

/** An append has failed and could not be rolled back: the next start may read it. */
export class UncertainAppendError extends Error {
  override name = "UncertainAppendError";
}

interface PendingTransaction {
  transaction: Transaction<unknown>;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Settles itself; it never rejects. */
type Task = () => Promise<void>;

interface Outcome {
  pending: PendingTransaction;
  isChange: boolean;
  settle: () => void;
}

export interface EnvironmentParts {
  name: string;
  state: ChangingState;
  log: ChangeLog;
  clock: AdjustableClock;
  isDurable: boolean;
}

export function createEnvironment({ name, state, log, clock, isDurable }: EnvironmentParts): Environment {
  let queue: (PendingTransaction | Task)[] = [];
  let working: Promise<void> | undefined;

  function enqueue(next: PendingTransaction | Task): void {
    queue.push(next);
    working ??= work();
  }

  function putBack(transactions: readonly PendingTransaction[]): void {
    queue = [...transactions, ...queue]; // unshift has a limit
  }

  async function work(): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue);
      if (batch.length > 0) await commit(batch);
      else await (queue.shift() as Task)(); // what is first and no transaction
    }
    working = undefined;
  }

  async function commit(batch: PendingTransaction[]): Promise<void> {
    const draft = createDraft(state);
    const outcomes: Outcome[] = [];
    for (const [index, pending] of batch.entries()) {
      outcomes.push(run(pending, draft));
      if (!draft.hasRecordChanges) continue;
      // A draft does not show changed records: the transactions behind run once they are durable.
      putBack(batch.slice(index + 1));
      break;
    }
    try {
      if (draft.changes.length > 0) await log.append(draft.changes);
    } catch (error) {
      for (const { pending, isChange } of outcomes) if (isChange) pending.reject(new CannotStoreError(error));
      // The others run again, on the state without these changes: the disk does not concern them.
      putBack(outcomes.filter(({ isChange }) => !isChange).map(({ pending }) => pending));
      return;
    }
    try {
      state.apply(draft.changes);
    } catch (error) {
      for (const { pending } of outcomes) pending.reject(error); // a bug, but nobody waits for ever
    }
    for (const { settle } of outcomes) settle();
  }

  return {
    name,
    clock,
    isDurable,
    state,
    transact: <T>(transaction: Transaction<T>) =>
      new Promise<T>((resolve, reject) => {
        // The queue holds results of many types; each goes back to the caller whose transaction returned it.
        enqueue({ transaction, resolve: resolve as (result: unknown) => void, reject });
      }),
    exclusive: <T>(task: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => enqueue(() => Promise.resolve().then(task).then(resolve, reject))),
    drain: async () => working,
  };
}

/** Takes the transactions up to the first task. */
function takeBatch(queue: (PendingTransaction | Task)[]): PendingTransaction[] {
  const end = queue.findIndex((next) => typeof next === "function");
  return queue.splice(0, end === -1 ? queue.length : end) as PendingTransaction[]; // none of them is a task
}

function run(pending: PendingTransaction, draft: Draft): Outcome {
  try {
    const { result, changes } = pending.transaction(draft.state);
    for (const change of changes) assertJson(change);
    draft.add(changes);
    return { pending, isChange: changes.length > 0, settle: () => pending.resolve(result) };
  } catch (error) {
    return { pending, isChange: false, settle: () => pending.reject(error) };
  }
}

/** What JSON cannot hold fails here, for its caller alone. Contents are JSON already, and what operations change is ours. */
function assertJson(change: Change): void {
  if (isRecordChange(change) && change.type !== "replaced") JSON.stringify(change);
}
