// A lowdb adapter whose write is on disk when it resolves. lowdb's own JSONFile renames without fsync, which a power cut
// undoes, makes the whole text at once, which stalls, and its writes wait for one another (typicode/lowdb#549).
import { createHash, webcrypto } from "node:crypto";
import { type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import type { Adapter } from "lowdb";
import { syncFolderOf } from "./data-folder.js";

/** Which text a path holds. */
export interface FileVersion {
  /** SHA-256 of the bytes, hexadecimal. */
  digest: string;
  /** Another text in its place has another one; see `lookAt`. */
  appearance: string;
  /** How many bytes it has. */
  length: number;
}

export interface FileForm<T> {
  /** The text in slices. Each is written before the next is asked for, which may lie in the same memory. */
  toSlices: (value: T) => Iterable<Buffer>;
  /** The version is known a while after the bytes of a large file are. */
  fromBytes: (bytes: Buffer, version: Promise<FileVersion>) => T | Promise<T>;
  /** Runs when the new text is on disk beside the file, before it takes its place. What it throws stops that. */
  beforeReplacing?: (version: FileVersion) => Promise<void>;
}

export class DurableJsonFile<T> implements Adapter<T> {
  readonly #path: string;
  readonly #form: FileForm<T>;

  constructor(path: string, form: FileForm<T>) {
    this.#path = path;
    this.#form = form;
  }

  async read(): Promise<T | null> {
    try {
      const appearance = await lookAt(this.#path);
      const bytes = await readFile(this.#path);
      const version = toDigest(bytes).then((digest) => ({ digest, appearance, length: bytes.length }));
      return await this.#form.fromBytes(bytes, version);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  /** Writes beside the file, then puts it in place: at every moment the file is whole, the old or the new. */
  async write(value: T): Promise<void> {
    const temporary = `${this.#path}.tmp`;
    try {
      const version = await writeDurably(temporary, this.#form.toSlices(value));
      await this.#form.beforeReplacing?.(version);
      await rename(temporary, this.#path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolderOf(this.#path); // the rename itself is an entry of the folder
  }
}

/** What a file looks like from outside. It changes whenever somebody writes the file or puts another in its place. */
export async function lookAt(path: string): Promise<string> {
  return toAppearance(await stat(path, { bigint: true }));
}

const MOST_UNSYNCED_BYTES = 4 * 1024 * 1024; // others that sync their own few bytes wait for all that the system holds back

async function writeDurably(path: string, slices: Iterable<Buffer>): Promise<FileVersion> {
  const hash = createHash("sha256");
  const file: FileHandle = await open(path, "w", 0o600);
  let unsynced = 0;
  try {
    for (const slice of slices) {
      hash.update(slice);
      await file.writeFile(slice); // goes on where the last slice ended
      unsynced += slice.length;
      if (unsynced < MOST_UNSYNCED_BYTES) continue;
      await file.datasync();
      unsynced = 0;
    }
    await file.sync();
    const stats = await file.stat({ bigint: true });
    return { digest: hash.digest("hex"), appearance: toAppearance(stats), length: Number(stats.size) };
  } finally {
    await file.close();
  }
}

/** SHA-256 on another thread: of a copy, which takes a sixth of the time that the hash would. */
async function toDigest(bytes: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", bytes)).toString("hex");
}

function toAppearance({ ino, size, mtimeNs }: { ino: bigint; size: bigint; mtimeNs: bigint }): string {
  return `${ino} ${size} ${mtimeNs}`;
}
