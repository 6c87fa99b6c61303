// A lowdb adapter whose write is on disk when it resolves. lowdb's own JSONFile renames without fsync, which a power cut
// undoes, makes the whole text at once, which stalls, and its writes wait for one another (typicode/lowdb#549).

import { type BigIntStats, renameSync, statSync } from "node:fs";
import { open, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Adapter } from "lowdb";
import { readRegularFile } from "../../../contract/contract-source.js";

/** A file was changed by others while it was about to be written. It was left as they made it. */
export class FileChangedError extends Error {
  override name = "FileChangedError";
}

export interface FileFormat<T> {
  /** The text in chunks. Each is written before the next is made. */
  toChunks: (value: T) => Iterable<Buffer>;
  parse: (bytes: Buffer) => T;
}

export class DurableJsonFile<T> implements Adapter<T> {
  /** See `fileStamp`: of the text that was last read or written here; undefined where there was no file. */
  stamp: string | undefined;
  /** How many bytes it has. */
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
   * Writes beside the file, then puts it in place: at every moment the file is whole, the old or the new.
   * @throws FileChangedError where others have written it since it was last read or written here.
   */
  async write(value: T): Promise<void> {
    const temporary = `${this.#path}.tmp`;
    const next = await open(temporary, "w", 0o600);
    try {
      for (const chunk of this.#format.toChunks(value)) await next.writeFile(chunk); // goes on where the last one ended
      await next.sync();
      const stats = await next.stat({ bigint: true });
      await next.close();
      await this.#replaceBy(temporary, stats);
    } catch (error) {
      await next.close().catch(() => {}); // the error says why; what stays is overwritten by the next write
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
    await syncFolderOf(this.#path); // the rename itself is an entry of the folder
  }

  /**
   * The look and the rename are synchronous, with nothing between them: a text that others put in place there would be gone.
   * One that they write into the file until then is kept as `.bak`.
   */
  async #replaceBy(temporary: string, stats: BigIntStats): Promise<void> {
    const previous = await open(this.#path).catch(ignoreMissing);
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

/** A file's identity from outside: it changes whenever somebody writes it or puts another in its place. */
export async function fileStamp(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(ignoreMissing);
  return stats && toStamp(stats);
}

function toStamp({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

/** Makes durable that a file or folder exists, or that it does not: an entry of the folder above it. */
export function syncFolderOf(path: string): Promise<void> {
  return syncFile(dirname(path));
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

/** Handles the rejection of a call that needs a file: undefined where the file does not exist. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
