// An environment on disk: its JSON file through lowdb, and a *journal* of the changes that the file lacks.
//   default.json      …"preferences": []…
//   default.journal   104 12622fe5 [{"type":"preferencesSet","preferences":{"subscriberId":"ann",…}}]
// `db.data` is the state that requests read: `db.read()` validates the file and makes it of that, `db.write()` writes the
// file. It is kept at no cost, since a plain copy of 100,000 records would be a second one in memory. To *append*
// is to write a line to the journal and sync it: the change is durable. To *compact* is to rewrite the JSON file, with
// ann's preferences, and then empty the journal. After a crash between the two, the next start sets ann's preferences
// again: changes are idempotent. Callers wait for one call before the next one, as for the journal.
// Nobody else writes the files while the server runs; data/README.md says what happens if somebody does.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { Low } from "lowdb";
import type { Contract } from "../../contract/contract.js";
import { type Change, type MemoryData, toMemory } from "../../core/domain/state.js";
import {
  type ChangeLog,
  createStoredEnvironment,
  DEFAULT_ENVIRONMENT,
  type EnvironmentParts,
  InvalidEnvironmentError,
  ignoreInvalid,
} from "../../core/state/environment.js";
import { type ChangingState, createEnvironmentState } from "../../core/state/environment-state.js";
import { DurableJsonFile, FileChangedError, type FileFormat, syncFolderOf } from "./durable-json-file.js";
import { isCertified, readCertified, toEnvironmentChunks } from "./environment-text.js";
import { assertFormat, parseEnvironment } from "./format.js";
import { type Journal, openJournal, readJournal } from "./journal.js";

type Format = FileFormat<ChangingState>;

/** lowdb requires data, and keeps it if there is no file. */
const NO_STATE = {} as ChangingState;

/** The format of an environment's JSON file. A text that the server wrote under this contract is valid. */
export function createFormat(contract: Contract, name: string, path: string): Format {
  const { digest } = contract.file;
  return {
    toChunks: (state) => toEnvironmentChunks(state.toData(), digest),
    parse(bytes) {
      const data = isCertified(bytes, digest)
        ? readCertified(bytes)
        : toMemory(parseEnvironment(bytes, path, contract));
      assertFormat(data, path); // a certified text may be another release's
      assertBelongs(data, name, path);
      return createEnvironmentState(data);
    },
  };
}

/** Rejects a file that was copied or renamed by hand, which the key of another environment, or none, would open. */
function assertBelongs(data: MemoryData, name: string, path: string): void {
  if (data.name !== name) throw new InvalidEnvironmentError(path, undefined, `its member "name" must be "${name}"`);
  if (name !== DEFAULT_ENVIRONMENT && data.keyHash === undefined) {
    throw new InvalidEnvironmentError(path, undefined, 'it needs the member "keyHash", or no key opens it');
  }
}

/** Receives what people should know about an environment's files. */
export type Notify = (level: "info" | "warn", message: string) => void;

export function journalPathOf(path: string): string {
  return path.replace(/\.json$/, ".journal");
}

/** Opens an environment's files; undefined if there are none, or the environment was removed. */
export async function openFiles(path: string, format: Format) {
  const journal = await readJournal(journalPathOf(path));
  if (journal?.changes.some(isRemoval)) {
    await removeFiles(path);
    return undefined;
  }
  const file = new DurableJsonFile(path, format);
  const db = new Low(file, NO_STATE);
  await db.read();
  if (db.data !== NO_STATE) {
    db.data.apply(journal?.changes ?? []);
    const files = new EnvironmentFiles(file, db, await openJournal(journalPathOf(path), journal?.length ?? 0));
    return { files, tornBytes: journal?.tornBytes ?? 0 };
  }
  if (journal?.changes.length || journal?.tornBytes) {
    throw new InvalidEnvironmentError(journalPathOf(path), undefined, `it continues ${path}, which was removed`);
  }
  await rm(journalPathOf(path), { force: true }); // left by a file that was moved away
  return undefined;
}

/** Creates the files of a new environment. If it rejects, there are none, or those of another process. */
export async function createFiles(path: string, format: Format, state: ChangingState): Promise<EnvironmentFiles> {
  const file = new DurableJsonFile(path, format);
  const db = new Low(file, state);
  try {
    await db.write();
    return new EnvironmentFiles(file, db, await openJournal(journalPathOf(path), 0));
  } catch (error) {
    if (!(error instanceof FileChangedError)) await removeFiles(path).catch(() => {}); // `error` says why
    throw error;
  }
}

/** At least: a journal may be as long as its file, so that the cost of a change does not grow with the file. */
const LONG_JOURNAL_BYTES = 32 * 1024 * 1024;

/** The files of an open environment. */
export class EnvironmentFiles implements ChangeLog {
  readonly #file: DurableJsonFile<ChangingState>;
  readonly #db: Low<ChangingState>;
  readonly #journal: Journal;
  #longBytes = LONG_JOURNAL_BYTES;
  #isRemoved = false;

  constructor(file: DurableJsonFile<ChangingState>, db: Low<ChangingState>, journal: Journal) {
    this.#file = file;
    this.#db = db;
    this.#journal = journal;
  }

  /** The path of the JSON file. */
  get path(): string {
    return this.#file.path;
  }

  get state(): ChangingState {
    return this.#db.data;
  }

  /** True if the JSON file lacks nothing. */
  get isComplete(): boolean {
    return this.#journal.isEmpty && existsSync(this.path);
  }

  /** True if the journal must be compacted even while changes keep coming. */
  get isJournalLong(): boolean {
    return this.#journal.length > Math.max(this.#longBytes, this.#file.length);
  }

  async append(changes: readonly Change[]): Promise<void> {
    if (this.#isRemoved) throw new FileChangedError(`${this.path} was removed`);
    await this.#journal.append(changes);
    this.#isRemoved = changes.some(isRemoval);
  }

  /**
   * Writes the state, which includes all appended changes, to the JSON file, and then empties the journal.
   * @throws FileChangedError if somebody changed a file; then neither is written.
   */
  async compact(): Promise<void> {
    if (this.#isRemoved || this.isComplete) return;
    this.#longBytes = 2 * this.#journal.length; // if it fails, it is not tried after every change
    this.#journal.assertInPlace();
    await this.#db.write();
    await this.#journal.empty();
    this.#longBytes = LONG_JOURNAL_BYTES;
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}

const QUIET_MS = 1000;

export type DurableEnvironment = ReturnType<typeof createDurableEnvironment>;

/** An environment with its files, which are compacted when it is quiet, when the journal is long, and at the stop. */
export function createDurableEnvironment(
  parts: Omit<EnvironmentParts, "state">,
  files: EnvironmentFiles,
  report: Notify,
) {
  const environment = createStoredEnvironment({ ...parts, state: files.state, log: { append } });
  const quiet = setTimeout(compact, QUIET_MS).unref();
  let problem: string | undefined;

  async function append(changes: readonly Change[]): Promise<void> {
    await files.append(changes);
    quiet.refresh();
    if (files.isJournalLong) void compact();
  }

  /** Never rejects: the journal holds what the JSON file lacks. */
  function compact(): Promise<void> {
    return environment.exclusive(async () => {
      const isMissing = !existsSync(files.path);
      const before = problem;
      problem = await files.compact().then(() => undefined, formatProblem);
      if (problem !== undefined && problem !== before) report("warn", problem);
      if (isMissing && existsSync(files.path)) report("info", `${files.path} was removed, and is written again.`);
    });
  }

  function formatProblem(error: Error): string {
    if (error instanceof FileChangedError) return error.message;
    return `${files.path} could not be written: ${error.message}. Its journal holds what it lacks: nothing is lost.`;
  }

  return {
    environment,
    /** Why the JSON file lacks changes, if the last compaction failed. */
    get problem() {
      return problem;
    },
    compact,
    /** Writes everything and closes the files. */
    async close(): Promise<void> {
      await compact();
      clearTimeout(quiet);
      await files.close();
    },
    /**
     * Removes the environment and its files durably.
     * @throws CannotStoreError if the disk fails; then everything goes on as before.
     */
    async remove(): Promise<void> {
      await environment.transact(() => ({ result: undefined, changes: [{ type: "removed" }] }));
      clearTimeout(quiet);
      await files.close();
      await finishRemoval(files.path).catch(() => {}); // the next start tries again, or whoever takes the name
    },
  };
}

/** Removes the rest of an environment's files if its removal is in the journal. */
export async function finishRemoval(path: string): Promise<void> {
  const journal = await readJournal(journalPathOf(path)).catch(ignoreInvalid);
  if (journal?.changes.some(isRemoval)) await removeFiles(path);
}

/** Removes the journal last, since it records the removal. */
async function removeFiles(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolderOf(path);
  await rm(journalPathOf(path), { force: true });
}

function isRemoval({ type }: Change): boolean {
  return type === "removed";
}
