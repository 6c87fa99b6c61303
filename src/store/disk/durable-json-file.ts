// A lowdb adapter whose write is on disk when it resolves. lowdb's own JSONFile renames without fsync, which a power cut
// undoes, makes the whole text at once, which stalls, and its writes wait for one another (typicode/lowdb#549).
import { createHash, hash } from "node:crypto";
import { type FileHandle, open, readFile, writeFile } from "node:fs/promises";
import type { Adapter } from "lowdb";
import { syncFolderOf } from "./data-folder.js";
import { fileStamp, ignoreMissing, toStamp } from "./file-stamp.js";
import { writeBeside } from "./whole-file.js";

/** Which text the file holds. */
export interface FileVersion {
  /** SHA-256 of the bytes, hexadecimal. */
  digest: string;
  /** See file-stamp.ts. */
  stamp: string;
  /** How many bytes it has. */
  length: number;
}

export interface FileFormat<T> {
  /** The text in chunks. Each is written before the next is made. */
  toChunks: (value: T) => Iterable<Buffer>;
  /** The value in a text with this digest. */
  parse: (bytes: Buffer, digest: string) => T;
}

export class DurableJsonFile<T> implements Adapter<T> {
  /** What was last read or written here; undefined where there was no file. */
  version: FileVersion | undefined;
  /** Runs once the new text is on disk beside the file, before it takes its place. What it throws stops that. */
  beforeReplace: (version: FileVersion) => Promise<void> = async () => {};

  readonly #path: string;
  readonly #format: FileFormat<T>;

  constructor(path: string, format: FileFormat<T>) {
    this.#path = path;
    this.#format = format;
  }

  async read(): Promise<T | null> {
    const stamp = await fileStamp(this.#path);
    const bytes = await readFile(this.#path).catch(ignoreMissing);
    if (stamp === undefined || bytes === undefined) {
      this.version = undefined;
      return null;
    }
    const digest = hash("sha256", bytes);
    const value = this.#format.parse(bytes, digest);
    this.version = { digest, stamp, length: bytes.length };
    return value;
  }

  /**
   * Writes beside the file, then puts it in place: at every moment the file is whole, the old or the new. A text that others
   * have written just then is kept as `.bak`.
   */
  async write(value: T): Promise<void> {
    await writeBeside(this.#path, async (next, putInPlace) => {
      const version = await writeDurably(next, this.#format.toChunks(value));
      await this.beforeReplace(version);
      const previous = this.version && (await open(this.#path).catch(ignoreMissing));
      try {
        await putInPlace();
        const isOther = previous && toStamp(await previous.stat({ bigint: true })) !== this.version?.stamp;
        this.version = version;
        if (isOther) await writeFile(`${this.#path}.bak`, await previous.readFile(), { mode: 0o600 });
      } finally {
        await previous?.close();
      }
    });
    await syncFolderOf(this.#path); // the rename itself is an entry of the folder
  }
}

const MAX_UNSYNCED_BYTES = 4 * 1024 * 1024; // others that sync their own few bytes wait for all that the system holds back

/** Writes and closes a new file. */
async function writeDurably(file: FileHandle, chunks: Iterable<Buffer>): Promise<FileVersion> {
  const sha256 = createHash("sha256");
  let unsynced = 0;
  for (const chunk of chunks) {
    sha256.update(chunk);
    await file.writeFile(chunk); // goes on where the last chunk ended
    unsynced += chunk.length;
    if (unsynced < MAX_UNSYNCED_BYTES) continue;
    await file.datasync();
    unsynced = 0;
  }
  await file.sync();
  const stats = await file.stat({ bigint: true });
  await file.close();
  return { digest: sha256.digest("hex"), stamp: toStamp(stats), length: Number(stats.size) };
}
