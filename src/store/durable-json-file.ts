// A lowdb adapter whose write is on disk when it resolves. lowdb's own JSONFile renames without fsync, which a power cut
// undoes, and its writes wait for one another (typicode/lowdb#549).
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Adapter } from "lowdb";

export class DurableJsonFile<T> implements Adapter<T> {
  readonly #path: string;
  readonly #toText: (value: T) => string;
  readonly #fromBytes: (bytes: Buffer) => T;

  constructor(path: string, form: { toText: (value: T) => string; fromBytes: (bytes: Buffer) => T }) {
    this.#path = path;
    this.#toText = form.toText;
    this.#fromBytes = form.fromBytes;
  }

  async read(): Promise<T | null> {
    try {
      return this.#fromBytes(await readFile(this.#path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  /** Writes beside the file, then puts it in place: at every moment the file is whole, the old or the new. */
  async write(value: T): Promise<void> {
    const temporary = `${this.#path}.tmp`;
    const folder = await open(dirname(this.#path), "r"); // now: once renamed, as little as possible may fail
    try {
      await writeDurably(temporary, this.#toText(value));
      await rename(temporary, this.#path);
      await folder.sync(); // the rename itself is an entry of the folder
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      await folder.close();
    }
  }
}

/** Removes a file so that it stays removed. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  const folder = await open(dirname(path), "r");
  await folder.sync().finally(() => folder.close());
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
