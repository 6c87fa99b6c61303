// One environment: transactions run on it one after the other, and their changes share one durable commit.
import { type Change, isRecordChange } from "../domain/change.js";
import type { AdjustableClock } from "../domain/clock.js";
import type { EnvironmentView } from "../domain/environment-view.js";
import { createDraft } from "./state/draft.js";
import type { EnvironmentState } from "./state/environment-state.js";

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
export type Transaction<T> = (view: EnvironmentView) => TransactionResult<T>;

export interface Environment {
  readonly name: string;
  /** The present of this environment: its windows, defaults and expiries follow it. */
  readonly clock: AdjustableClock;
  /** Whether it outlives the server. */
  readonly isDurable: boolean;
  /** What is durable. Drafts are never seen here. */
  readonly state: EnvironmentState;
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

export interface EnvironmentParts {
  name: string;
  state: EnvironmentState;
  clock: AdjustableClock;
  /** Undefined for an environment that lives in memory only. */
  log?: ChangeLog | undefined;
}

export function createEnvironment({ name, state, clock, log }: EnvironmentParts): Environment {
  let waiting: PendingTransaction[] = [];
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: commits, and the tasks in between. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = last.then(task);
    last = result.catch(() => {}); // the caller handles the rejection
    return result;
  }

  /** Whoever comes while a commit is written shares the next one. */
  async function commitWaiting(): Promise<void> {
    let batch = waiting;
    waiting = [];
    while (batch.length > 0) batch = await commit(batch);
  }

  /** Commits the changes of transactions together, and returns those that have to run on the state that results. */
  async function commit(batch: readonly PendingTransaction[]): Promise<PendingTransaction[]> {
    const draft = createDraft(state);
    const outcomes: Outcome[] = [];
    for (const pending of batch) {
      const outcome = run(pending, draft.view);
      outcomes.push(outcome);
      draft.add(outcome.changes);
      if (outcome.changes.some(isRecordChange)) break; // a draft does not show changed records
    }
    const remaining = batch.slice(outcomes.length);
    const changes = outcomes.flatMap((outcome) => outcome.changes);
    try {
      if (changes.length > 0) await log?.append(changes);
    } catch (error) {
      for (const { pending } of outcomes.filter(hasChanges)) pending.reject(new CannotStoreError(error));
      // The others run again, on the state without these changes: the disk does not concern them.
      const others = outcomes.filter((outcome) => !hasChanges(outcome));
      return [...others.map(({ pending }) => pending), ...remaining];
    }
    state.apply(changes);
    for (const { settle } of outcomes) settle();
    return remaining;
  }

  return {
    name,
    clock,
    isDurable: log !== undefined,
    state,
    transact: <T>(transaction: Transaction<T>) =>
      new Promise<T>((resolve, reject) => {
        // Results are of many types; each goes back to the caller whose transaction returned it.
        waiting.push({ transaction, resolve: resolve as (result: unknown) => void, reject });
        if (waiting.length === 1) inTurn(commitWaiting).catch(reject); // it takes those that come until its turn
      }),
    exclusive: inTurn,
    drain: () => inTurn(async () => {}),
  };
}

interface PendingTransaction {
  transaction: Transaction<unknown>;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

interface Outcome {
  pending: PendingTransaction;
  changes: readonly Change[];
  settle: () => void;
}

function run(pending: PendingTransaction, view: EnvironmentView): Outcome {
  try {
    const { result, changes } = pending.transaction(view);
    return { pending, changes, settle: () => pending.resolve(result) };
  } catch (error) {
    return { pending, changes: [], settle: () => pending.reject(error) };
  }
}

function hasChanges({ changes }: Outcome): boolean {
  return changes.length > 0;
}
