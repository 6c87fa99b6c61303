// One environment: transactions run on it one after the other, and those that wait while a batch is stored are the next batch, which
// shares one durable commit. Ann and Bob update their preferences, and Carl reads his, in one batch:
//   run      ann's and bob's transactions each add a change to the draft; carl's adds none, and reads what theirs have done
//   append   both changes are written at once
//   apply    they become visible, and the three promises settle
// Should the append fail, ann's and bob's promises reject. Carl has read what will never be: his transaction runs again, in the
// next batch. A draft does not show changed records (a new subscriber, a reset): what follows such a change waits for the next batch.
import type { AdjustableClock } from "../domain/clock.js";
import type { Change, EnvironmentState } from "../domain/state.js";
import { type ChangingState, createDraft, isRecordChange } from "./environment-state.js";

/** The names of environments, which are the names of their files. */
export const ENVIRONMENT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The one that is always there, opened by the server's own key. */
export const DEFAULT_ENVIRONMENT = "default";

/** Makes an environment's changes durable: in its files, or nowhere for one that lives in memory only. */
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
  /** True if it outlives the server. */
  readonly isDurable: boolean;
  /** The durable state. Drafts are never seen here. */
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
  /** True if a restart may show the change all the same. */
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

/** A file is not a whole, valid environment, seed or journal. The message names the file, the place, what is wrong and how to fix it. */
export class InvalidEnvironmentError extends Error {
  override name = "InvalidEnvironmentError";

  constructor(path: string, line: number | undefined, reason: string) {
    super(`${line === undefined ? path : `${path}:${line}`}: ${reason}`);
  }

  withHint(hint: string): this {
    this.message += `\n${hint}`;
    return this;
  }
}

/** Handles a rejection: undefined where a file is invalid. */
export function ignoreInvalid(error: unknown): undefined {
  if (!(error instanceof InvalidEnvironmentError)) throw error;
}

type EnvironmentParts = Pick<Environment, "name" | "state" | "clock" | "isDurable"> & { log: ChangeLog };

export function createEnvironment({ name, state, log, clock, isDurable }: EnvironmentParts): Environment {
  const waiting: (Pending | Task)[] = [];
  let working: Promise<void> | undefined;

  function add(item: Pending | Task): void {
    waiting.push(item);
    working ??= work();
  }

  /** Runs the transactions in batches, and each task alone, between two batches. */
  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch(waiting);
      if (batch.length === 0) await (waiting.shift() as Task)();
      else waiting.unshift(...(await commit(batch, state, log))); // those come first: before a task
    }
    working = undefined;
  }

  return {
    name,
    clock,
    isDurable,
    state,
    transact: <T>(transaction: Transaction<T>) =>
      new Promise<T>((resolve, reject) => {
        // The queue holds results of many types; each goes back to the caller whose transaction returned it.
        add({ transaction, resolve: resolve as (result: unknown) => void, reject });
      }),
    exclusive: <T>(task: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => add(() => task().then(resolve, reject))),
    drain: async () => working,
  };
}

/** Settles itself; it never rejects. */
type Task = () => Promise<void>;

interface Pending {
  transaction: Transaction<unknown>;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Takes the transactions that wait before the next task. */
function takeBatch(waiting: (Pending | Task)[]): Pending[] {
  const end = waiting.findIndex((item) => typeof item === "function");
  return waiting.splice(0, end === -1 ? waiting.length : end) as Pending[];
}

interface Outcome {
  pending: Pending;
  changes: readonly Change[];
  settle: () => void;
}

/**
 * Stores a batch of transactions with one append. Returns those that have to run (again) in the next one.
 *
 * A reads, B and C change. All run on a draft, so that C sees B's change. The append holds B's and C's changes; once it is durable
 * they become visible, and A, B and C get their results. If it fails, B and C are rejected, and A, which may have read B's
 * change, runs again. If B has changed records, which a draft does not show, the batch ends with B and C waits for the next one.
 */
async function commit(batch: readonly Pending[], state: ChangingState, log: ChangeLog): Promise<Pending[]> {
  const draft = createDraft(state);
  const outcomes: Outcome[] = [];
  for (const pending of batch) {
    const outcome = run(pending, draft);
    outcomes.push(outcome);
    if (outcome.changes.some(isRecordChange)) break;
  }
  const rest = batch.slice(outcomes.length);
  try {
    if (draft.changes.length > 0) await log.append(draft.changes);
  } catch (error) {
    const readers = outcomes.filter(({ changes }) => changes.length === 0);
    for (const { pending, changes } of outcomes) if (changes.length > 0) pending.reject(new CannotStoreError(error));
    return [...readers.map(({ pending }) => pending), ...rest];
  }
  try {
    state.apply(draft.changes);
  } catch (error) {
    for (const { pending } of outcomes) pending.reject(error); // a bug, but nobody waits for ever
  }
  for (const { settle } of outcomes) settle();
  return rest;
}

function run(pending: Pending, draft: ReturnType<typeof createDraft>): Outcome {
  try {
    const { result, changes } = pending.transaction(draft.state);
    draft.add(changes);
    return { pending, changes, settle: () => pending.resolve(result) };
  } catch (error) {
    return { pending, changes: [], settle: () => pending.reject(error) };
  }
}
