// Runs the transactions on an environment one after the other. Those that arrive while a batch is stored form the next
// batch, which shares one durable commit. Ann and Bob update their preferences, and Carl reads his, in one batch:
//   run      Ann's and Bob's transactions each add a change to the draft; Carl's adds none, and reads their changes
//   append   both changes are written at once
//   apply    they become visible, and all three promises settle
// If the append fails, Ann's and Bob's promises reject. Carl has read changes that do not exist, so his transaction
// runs again in the next batch. A draft does not show changed records (a new subscriber, a reset), so such a change
// ends its batch.
import type { AdjustableClock } from "../domain/clock.js";
import type { Change, EnvironmentState } from "../domain/state.js";
import { type ChangingState, createDraft, isRecordChange } from "./environment-state.js";

/** Matches valid names of environments, which are also the names of their files. */
export const ENVIRONMENT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The environment that always exists, opened by the server's own key. */
export const DEFAULT_ENVIRONMENT = "default";

/** Makes an environment's changes durable. */
export interface ChangeLog {
  /** Resolves once the changes are on disk. If it rejects, they never will be, except for an UncertainAppendError. */
  append(changes: readonly Change[]): Promise<void>;
}

/** Reads the state and returns its changes, without applying them. */
export type Transaction<T> = (state: EnvironmentState) => { result: T; changes: readonly Change[] };

export interface Environment {
  readonly name: string;
  /** The environment's time, which its windows, defaults and expiries follow. */
  readonly clock: AdjustableClock;
  readonly isDurable: boolean;
  /** Shortens the text that identifies a request with an idempotency key. */
  digest(text: string): string;
  /** When a request last used it, in milliseconds since 1970, by the system's clock. */
  usedAt: number;
  /** The durable state, without drafts. */
  readonly state: ChangingState;
  /**
   * Runs a transaction on the latest state, including the changes of earlier ones, and settles once its own changes are
   * on disk. Rejects with what the transaction throws.
   * @throws CannotStoreError if the disk fails; then no part of the change is visible.
   */
  transact<T>(transaction: Transaction<T>): Promise<T>;
}

/** An environment whose changes a log stores. */
export interface StoredEnvironment extends Environment {
  /** Runs a task while no transaction is running or being stored. */
  exclusive<T>(task: () => Promise<T>): Promise<T>;
}

/** The disk failed. No part of the change is visible. */
export class CannotStoreError extends Error {
  override name = "CannotStoreError";
  /** True if a restart may show the change nevertheless. */
  readonly isUncertain: boolean;

  constructor(cause: unknown) {
    super("The change could not be stored", { cause });
    this.isUncertain = cause instanceof UncertainAppendError;
  }
}

/** An append failed and could not be rolled back, so the next start may read it. */
export class UncertainAppendError extends Error {
  override name = "UncertainAppendError";
}

/** A file is not a complete, valid environment, seed or journal. The message says where, why, and what to do. */
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

/** Handles a rejection: turns an invalid file into undefined. */
export function ignoreInvalid(error: unknown): undefined {
  if (!(error instanceof InvalidEnvironmentError)) throw error;
}

export type EnvironmentParts = Pick<Environment, "name" | "state" | "clock"> & Partial<Pick<Environment, "digest">>;

export function createStoredEnvironment(parts: EnvironmentParts & { log: ChangeLog }): StoredEnvironment {
  const { name, state, log, clock, digest = identity } = parts;
  const waiting: (Pending | Task)[] = [];
  let isWorking = false;

  function add(item: Pending | Task): void {
    waiting.push(item);
    if (!isWorking) void work();
  }

  /** Runs the transactions in batches, and each task alone between two batches. */
  async function work(): Promise<void> {
    isWorking = true;
    try {
      while (waiting.length > 0) {
        const batch = takeBatch(waiting);
        if (batch.length === 0)
          await (waiting.shift() as Task)(); // a task is first
        else waiting.unshift(...(await commit(batch, state, log))); // ahead of any task
      }
    } finally {
      isWorking = false; // whatever throws, later transactions do not wait for it
    }
  }

  return {
    name,
    clock,
    isDurable: true,
    digest,
    usedAt: Date.now(),
    state,
    transact: <T>(transaction: Transaction<T>) =>
      new Promise<T>((resolve, reject) => {
        // The queue holds results of many types. Each goes to the caller whose transaction returned it.
        add({ transaction, resolve: resolve as (result: unknown) => void, reject });
      }),
    exclusive: <T>(task: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => add(() => (async () => task())().then(resolve, reject))),
  };
}

const identity = (text: string) => text;

export interface MemoryEnvironment extends Environment {
  /** Runs a transaction at once, since nothing has to be stored. */
  transactNow<T>(transaction: Transaction<T>): T;
}

export function createMemoryEnvironment({ digest = identity, ...parts }: EnvironmentParts): MemoryEnvironment {
  const { state } = parts;
  function transactNow<T>(transaction: Transaction<T>): T {
    const { result, changes } = transaction(state);
    state.apply(changes);
    return result;
  }
  return {
    ...parts,
    isDurable: false,
    digest,
    usedAt: Date.now(),
    transactNow,
    transact: async (transaction) => transactNow(transaction),
  };
}

/** Never rejects. */
type Task = () => Promise<void>;

interface Pending {
  transaction: Transaction<unknown>;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Takes the transactions ahead of the next task. */
function takeBatch(waiting: (Pending | Task)[]): Pending[] {
  const end = waiting.findIndex((item) => typeof item === "function");
  return waiting.splice(0, end === -1 ? waiting.length : end) as Pending[];
}

/** Stores a batch of transactions with one append. Returns those that have to run (again) in the next batch. */
async function commit(batch: readonly Pending[], state: ChangingState, log: ChangeLog): Promise<Pending[]> {
  const draft = createDraft(state);
  const runs: ReturnType<typeof run>[] = [];
  for (const pending of batch) {
    const latest = run(pending, draft);
    runs.push(latest);
    if (latest.changes.some(isRecordChange)) break;
  }
  const later = batch.slice(runs.length);
  const writers = runs.filter(({ changes }) => changes.length > 0);
  try {
    if (writers.length > 0) await log.append(draft.changes);
  } catch (error) {
    for (const { pending } of writers) pending.reject(new CannotStoreError(error));
    const readers = runs.filter(({ changes }) => changes.length === 0);
    return [...readers.map(({ pending }) => pending), ...later];
  }
  try {
    state.apply(draft.changes);
    for (const { settle } of runs) settle();
  } catch (error) {
    for (const { pending } of runs) pending.reject(error); // a bug, but no caller waits for ever
  }
  return later;
}

function run(pending: Pending, draft: ReturnType<typeof createDraft>) {
  try {
    const { result, changes } = pending.transaction(draft.state);
    draft.add(changes);
    return { pending, changes, settle: () => pending.resolve(result) };
  } catch (error) {
    return { pending, changes: [] as Change[], settle: () => pending.reject(error) };
  }
}
