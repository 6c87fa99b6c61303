// Polls the files of an open environment, between commits: compacts the journal into the JSON file if the environment
// is idle or the journal long, and reloads a file that another process has written.
import { InvalidEnvironmentError, type StoredEnvironment } from "../../../core/state/environment.js";
import { FileChangedError } from "./durable-json-file.js";
import { type EnvironmentFiles, finishRemoval } from "./environment-files.js";

/** Receives what people should know about an environment's files. */
export type Notify = (level: "info" | "warn", message: string) => void;

const POLL_MS = 200; // compaction begins two polls after the last commit
const POLLS_SKIPPED = 20; // after an error

type Compacted = Pick<StoredEnvironment, "exclusive" | "state">;

/** A class, since a poll depends on what earlier ones have seen. */
export class Compactor {
  readonly #files: EnvironmentFiles;
  readonly #environment: Compacted;
  readonly #report: Notify;
  /** The files at the last poll. */
  #last = { stamp: "", pendingBytes: 0 };
  /** The stamp of an invalid file: it is not read again before it changes. */
  #invalidStamp = "";
  /** The last error, which is reported once. */
  #lastError = "";
  #pollsToSkip = 0;
  #polling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(files: EnvironmentFiles, environment: Compacted, report: Notify) {
    this.#files = files;
    this.#environment = environment;
    this.#report = report;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), POLL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
  }

  /** Stops after a last compaction. If that fails, or the file was made invalid, it reports what is on disk. */
  async finish(): Promise<void> {
    await this.stop();
    await this.#environment.exclusive(() => this.#pollSafely(true));
    const isSafe = await this.#isSafe();
    if (isSafe && this.#files.pendingBytes === 0) return;
    this.#report("warn", `${this.#files.path} lacks the last changes. ${isSafe ? SAFE : UNSAFE}`);
  }

  #tick(): void {
    if (this.#polling) return;
    if (this.#pollsToSkip > 0) this.#pollsToSkip -= 1;
    else
      this.#polling = this.#environment
        .exclusive(() => this.#pollSafely(false))
        .finally(() => {
          this.#polling = undefined;
        });
  }

  async #pollSafely(isLast: boolean): Promise<void> {
    try {
      await this.#poll(isLast);
      this.#lastError = "";
    } catch (error) {
      if (error instanceof FileChangedError && !isLast) return; // the next poll finds out who did it
      const { message } = error as Error;
      const what = `${this.#files.path} could not be brought up to date.`;
      if (message !== this.#lastError)
        this.#report("warn", `${what} ${(await this.#isSafe()) ? SAFE : UNSAFE}\n${message}`);
      this.#lastError = message;
      this.#pollsToSkip = POLLS_SKIPPED;
    }
  }

  /** True if the journal holds what the JSON file lacks. */
  async #isSafe(): Promise<boolean> {
    const polled = await this.#files.look().catch(() => undefined);
    return polled?.isJournalInPlace === true;
  }

  /** Brings files and state together. */
  async #poll(isLast: boolean): Promise<void> {
    const files = this.#files;
    const { state } = this.#environment;
    const { stamp, writer } = await files.look();
    const isSettled = isLast || stamp === this.#last.stamp; // another process may still be writing
    const isIdle = isLast || files.pendingBytes === this.#last.pendingBytes;
    this.#last = { stamp, pendingBytes: files.pendingBytes };
    if (writer !== "this process" && !isSettled) return;
    if (writer === "none") {
      await files.compact(state.toData());
      return this.#report("info", `${files.path} or its journal was removed or replaced. Both are rewritten.`);
    }
    if (writer === "another process") {
      const isReloaded = stamp !== this.#invalidStamp && (await this.#reload());
      this.#invalidStamp = isReloaded ? "" : stamp;
      if (!isReloaded) return;
    }
    if (files.pendingBytes > 0 && (isIdle || files.isJournalLong)) await files.compact(state.toData());
  }

  async #reload(): Promise<boolean> {
    const { path } = this.#files;
    const { state } = this.#environment;
    try {
      const { contents, changes } = await this.#files.reload(state.toData().keyHash);
      state.apply([{ type: "replaced", data: contents }, ...changes]);
      const onTop = changes.length > 0 ? " The changes in its journal were made again on top of it." : "";
      this.#report("info", `${path} was edited by hand and has been reloaded.${onTop}`);
      return true;
    } catch (error) {
      if (!(error instanceof InvalidEnvironmentError)) throw error;
      this.#report("warn", `${path} was edited by hand and is now invalid. ${CONTINUES}\n${error.message}`);
      return false;
    }
  }
}

export interface Lifetime {
  /** Writes everything and closes the files. */
  close(): Promise<void>;
  /**
   * Removes the environment and its files durably.
   * @throws CannotStoreError if the disk fails; then everything goes on as before.
   */
  remove(): Promise<void>;
}

/** Polls an environment's files until it is closed or removed. */
export function createLifetime(environment: StoredEnvironment, files: EnvironmentFiles, report: Notify): Lifetime {
  const compactor = new Compactor(files, environment, report);
  compactor.start();
  return {
    async close() {
      await environment.drain();
      await compactor.finish();
      await files.close();
    },
    async remove() {
      await compactor.stop(); // a file that it writes could outlive the removal
      try {
        await environment.transact(() => ({ result: undefined, changes: [{ type: "removed" }] }));
      } catch (error) {
        compactor.start();
        throw error;
      }
      await files.close();
      await finishRemoval(files.path).catch(() => {}); // the next start tries again, or whoever takes the name
    },
  };
}

const SAFE = "Nothing is lost: the journal beside it holds what it lacks.";
const UNSAFE =
  "Its journal was removed or replaced: the state is in memory only, and updates are rejected until it can be written.";
const CONTINUES =
  "The server does not overwrite it and continues with the previous state. Fix the file, or move it away to have " +
  "that state written.";
