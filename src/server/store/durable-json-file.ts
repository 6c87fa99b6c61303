// A lowdb adapter whose writes are on disk when they resolve. lowdb's JSONFile renames without fsync, which a power cut
// undoes, makes the whole text at once, which blocks, and chains its writes (typicode/lowdb#549).
import { type BigIntStats, fsync, renameSync, statSync } from "node:fs";
import { type FileHandle, mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { Adapter } from "lowdb";
import { readRegularFile } from "../../contract/regular-file.js";

/** Somebody changed a file that was about to be written. It stays as it is. The message says what to do. */
export class FileChangedError extends Error {
  override name = "FileChangedError";
}

export interface FileFormat<T> {
  /** The text in chunks. Each is written before the next one is made. */
  toChunks: (value: T) => Iterable<Buffer>;
  parse: (bytes: Buffer) => T;
}

export class DurableJsonFile<T> implements Adapter<T> {
  /** See `fileStamp`: of the text that was last read or written here; undefined if there was no file. */
  stamp: string | undefined;
  /** In bytes. */
  length = 0;

  readonly path: string;
  readonly #format: FileFormat<T>;

  constructor(path: string, format: FileFormat<T>) {
    this.path = path;
    this.#format = format;
  }

  async read(): Promise<T | null> {
    const stamp = await fileStamp(this.path);
    const bytes = await readRegularFile(this.path).catch(ignoreMissing);
    const value = stamp === undefined || bytes === undefined ? null : this.#format.parse(bytes);
    this.stamp = value === null ? undefined : stamp;
    this.length = bytes?.length ?? 0;
    return value;
  }

  /**
   * Writes a temporary file and renames it, so that the file is whole at every moment. Writes a file that was removed.
   * @throws FileChangedError if the file is not the one that was last read or written here.
   */
  async write(value: T): Promise<void> {
    this.#assertUnchanged();
    const temporary = `${this.path}.tmp`;
    const next = await open(temporary, "w", 0o600);
    try {
      for (const chunk of this.#format.toChunks(value)) await next.writeFile(chunk); // appends
      await sync(next);
      const stats = await next.stat({ bigint: true });
      await next.close();
      this.#assertUnchanged();
      renameSync(temporary, this.path); // synchronous: nobody can change the file in between
      this.stamp = toStamp(stats);
      this.length = Number(stats.size);
    } catch (error) {
      await next.close().catch(() => {}); // `error` says why; the next write overwrites what is left
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
    await syncFolderOf(this.path); // makes the rename durable
  }

  #assertUnchanged(): void {
    const current = statSync(this.path, { bigint: true, throwIfNoEntry: false });
    if (!current || toStamp(current) === this.stamp) return;
    throw new FileChangedError(
      `${this.path} was changed while the server runs, and is not overwritten: later changes are in its journal alone. ` +
        "Restart the server to read the file, with these changes on top.",
    );
  }
}

/** Identifies a file and its contents: changes whenever somebody writes or replaces it. */
export async function fileStamp(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(ignoreMissing);
  return stats && toStamp(stats);
}

function toStamp({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

/** Makes a folder, durably, in those that are there. Returns false if there was one. */
export async function makeFolder(path: string): Promise<boolean> {
  if (isFolder(path)) return false;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  // Not `recursive`, which never ends where no folder can be made, as in /proc.
  await mkdir(path).catch((error: unknown) => {
    if (!isFolder(path)) throw error; // else another process was faster
  });
  await syncFolderOf(path);
  return true;
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Makes the creation, renaming or removal of a file durable. Windows opens no folder, and NTFS journals these. */
export async function syncFolderOf(path: string): Promise<void> {
  if (!isWindows()) await syncFile(dirname(path));
}

export const isWindows = () => process.platform === "win32";

/** Windows syncs only a file that is open for writing. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, isWindows() ? "r+" : "r");
  await sync(handle).finally(() => handle.close());
}

/** Yarn's Plug'n'Play has file handles of its own, which cannot sync. */
const isPlain = process.versions.pnp === undefined;
const syncDescriptor = promisify(fsync);

/** Resolves once the file is on disk. */
function sync(handle: FileHandle): Promise<void> {
  return isPlain ? handle.sync() : syncDescriptor(handle.fd);
}

/** Resolves once what reads need is on disk. */
export function syncData(handle: FileHandle): Promise<void> {
  return isPlain ? handle.datasync() : syncDescriptor(handle.fd);
}

/** For `catch`: returns undefined if the file does not exist. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
