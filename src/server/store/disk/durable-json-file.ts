// A lowdb adapter whose writes are on disk when they resolve. lowdb's JSONFile renames without fsync, which a power cut
// undoes, makes the whole text at once, which blocks, and chains its writes (typicode/lowdb#549).
import { type BigIntStats, fsync, renameSync, statSync } from "node:fs";
import { type FileHandle, open, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { Adapter } from "lowdb";
import { readRegularFile } from "../../../contract/regular-file.js";

/** Another process changed a file that was about to be written. It stays as it is. */
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

  readonly #path: string;
  readonly #format: FileFormat<T>;

  constructor(path: string, format: FileFormat<T>) {
    this.#path = path;
    this.#format = format;
  }

  async read(): Promise<T | null> {
    const stamp = await fileStamp(this.#path);
    const bytes = await readRegularFile(this.#path).catch(ignoreMissing);
    const value = stamp === undefined || bytes === undefined ? null : this.#format.parse(bytes);
    this.stamp = value === null ? undefined : stamp;
    this.length = bytes?.length ?? 0;
    return value;
  }

  /**
   * Writes a temporary file and renames it, so that the file is whole at every moment.
   * @throws FileChangedError if another process has written the file since it was last read or written here.
   */
  async write(value: T): Promise<void> {
    const temporary = `${this.#path}.tmp`;
    const next = await open(temporary, "w", 0o600);
    try {
      for (const chunk of this.#format.toChunks(value)) await next.writeFile(chunk); // appends
      await sync(next);
      const stats = await next.stat({ bigint: true });
      await next.close();
      await this.#replaceBy(temporary, stats);
    } catch (error) {
      await next.close().catch(() => {}); // `error` says why; the next write overwrites what is left
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
    await syncFolderOf(this.#path); // makes the rename durable
  }

  /**
   * Compares and renames synchronously, so that no file that another process puts in place is lost in between. A text
   * that it writes into the old file is kept as `.bak`; not on Windows, which renames no file onto an open one.
   */
  async #replaceBy(temporary: string, stats: BigIntStats): Promise<void> {
    const previous = isWindows() ? undefined : await open(this.#path).catch(ignoreMissing);
    try {
      const current = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
      const stamp = current && toStamp(current);
      if (current && stamp !== this.stamp) throw new FileChangedError(`${this.#path} was changed`);
      renameSync(temporary, this.#path);
      this.stamp = toStamp(stats);
      this.length = Number(stats.size);
      if (!previous || toStamp(await previous.stat({ bigint: true })) === stamp) return;
      await writeFile(`${this.#path}.bak`, await previous.readFile(), { mode: 0o600 });
    } finally {
      await previous?.close();
    }
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
